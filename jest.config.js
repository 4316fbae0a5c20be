/**
 * A project of tests for which no database matters, and one for each database that the others run on. `globals.database`
 * is `mysql` for what speaks its protocol. By `TEST_SEED` each file runs on one of the servers, else on each that is there.
 */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { ENGINES, engineOf } from './test/support/engines.ts'

const { TEST_DATABASE_URL: named, TEST_SEED: seed } = process.env
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
/** What they test happens before or without a store, so that any database shows it, or SQLite alone has it. */
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
    'no-answer',
    'open',
    'perms',
    'query',
    'recipes',
    'set',
    'tag',
    'user',
  ].map((name) => `command/${name}`),
  ...[
    'behaviour/hang-up',
    'behaviour/silent-worker',
    'behaviour/tracing',
    'data/other-programs',
    'data/faults',
    'data/full-disk',
    'data/write-ahead-log',
    'consumer/alike',
    'consumer/controls',
    'consumer/mock',
    'consumer/prism',
    'consumer/recipes',
    'consumer/reload',
    'clients/msw',
    'clients/python',
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

/** The files that the seed gives to another server. */
const ofOthers = (engine) =>
  seed === undefined
    ? []
    : globSync('test/**/*.test.ts', { cwd: import.meta.dirname })
        .filter((file) => engineOf(file, seed) !== engine)
        .map((file) => `<rootDir>/${file}`)

const onServer = (engine) => ({
  ...onDatabase,
  displayName: engine,
  globals: { database: 'mysql' },
  testPathIgnorePatterns: [...pure, ...inFrontOfStores, ...ofOthers(engine)],
  // Of this project alone: jest runs them only when one of its tests is to run.
  globalSetup: `<rootDir>/test/support/start-${engine}.ts`,
  globalTeardown: '<rootDir>/test/support/stop-servers.ts',
})

export default {
  // Many files wait for processes, time-outs and servers: one more than two processors have work for.
  maxWorkers: Math.max(3, availableParallelism()),
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
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
        ...[
          'account-rights',
          'bytes',
          'filling-races',
          'groups',
          'harmed-connections',
          'hosts',
          'late-database',
          'migration-lock',
          'ready',
          'refused-account',
          'rotated-account',
          'tls',
        ].map((name) => `<rootDir>/test/data/${name}.test.ts`),
      ],
    },
    // One server that is named takes all.
    ...(named ? ['mysql'] : ENGINES).map(onServer),
  ],
}
