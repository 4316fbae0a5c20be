/** Three projects: tests for which no database matters, and one suite that runs on both kinds, told apart by `globals.database`. */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // Packages as they are packed, and manifests of ours that have the same names.
  modulePathIgnorePatterns: ['<rootDir>/var/', '<rootDir>/packages/.*\\.json'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
}
const pure = [
  '<rootDir>/test/query/',
  '<rootDir>/test/unit/',
  '<rootDir>/test/project/',
  '<rootDir>/test/pages/',
]
/** What they ask about is done before a store is asked, or without one, so that any database shows it. */
const inFrontOfStores = [
  ...['connections', 'compression', 'cross-origin', 'documents', 'draining', 'start', 'timeouts'].map(
    (name) => `wire/${name}`,
  ),
  ...[
    'completion',
    'errors',
    'export',
    'get',
    'help',
    'import',
    'login',
    'ls',
    'open',
    'perms',
    'query',
    'set',
    'tag',
    'user',
  ].map((name) => `command/${name}`),
  ...[
    'behaviour/tracing',
    'data/other-programs',
    'consumer/alike',
    'consumer/mock',
    'contract/description',
    'hostile/protocol',
  ],
]
  .map((name) => `<rootDir>/test/${name}.test.ts`)
  // Nor does a page care, but `npm run test:console` asks on all of them.
  .concat(process.env.EVERYWHERE ? [] : ['<rootDir>/test/console/'])
const onDatabase = {
  ...common,
  testRunner: '<rootDir>/test/support/run-in-node.mjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: pure,
}

export default {
  maxWorkers: 2,
  // Modules of test files that are done stay in memory: a worker that ran hundreds of them ran out of it.
  workerIdleMemoryLimit: '1GB',
  reporters: ['default'],
  testTimeout: 300_000,
  projects: [
    { ...common, displayName: 'pure', testMatch: pure.map((folder) => `${folder}**/*.test.ts`) },
    {
      ...onDatabase,
      displayName: 'sqlite',
      globals: { database: 'sqlite' },
      // There are no connections to harm or to wait for, and one writer at a time.
      testPathIgnorePatterns: [
        ...pure,
        ...['filling-races', 'harmed-connections', 'hosts', 'late-database', 'migration-lock', 'tls'].map(
          (name) => `<rootDir>/test/data/${name}.test.ts`,
        ),
      ],
    },
    {
      ...onDatabase,
      displayName: 'mysql',
      globals: { database: 'mysql' },
      testPathIgnorePatterns: [...pure, ...inFrontOfStores],
      // Of this project alone: jest runs them only when one of its tests is to run.
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
}
