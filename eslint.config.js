/** Lint rules: strict typed linting, and how large code may be. */
import { defineConfig, globalIgnores } from 'eslint/config'
import importX from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'

const CODE = '**/*.{ts,tsx,js,mjs}'

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
  'clients/openapi-typescript/scenario.ts': { complexity: 11, 'max-lines-per-function': 82 },
  'scripts/contract-plugin.ts': { complexity: 11 },
  'src/data/database/ids/id-set-merging.ts': { complexity: 12 },
  'src/documents/html.ts': { 'max-params': 5 },
  'src/documents/openapi30.ts': { complexity: 16 },
  'src/documents/page/try.js': { complexity: 11 },
  'src/documents/try.ts': { complexity: 13, 'max-lines-per-function': 53 },
  'test/contract/too-many.test.ts': { 'max-lines-per-function': 130 },
  'test/consumer/consumer.test.ts': { 'max-lines-per-function': 345 },
  'test/wire/cross-origin.test.ts': { 'max-lines-per-function': 183 },
}

const limit = (files, numbers) => ({
  files: [files],
  rules: Object.fromEntries(Object.entries(numbers).map(([rule, max]) => [rule, ['error', { max }]])),
})

/** The limits without the exceptions. */
export const limits = LIMITS.map(({ files, ...numbers }) => limit(files, numbers))

export default defineConfig(
  globalIgnores(['generated/', 'dist/', 'var/', 'coverage/', 'console/built/']),
  // They import what is generated only when they run, and are checked with it.
  globalIgnores([
    'clients/*/scenario.ts',
    'clients/{kubb,orval}/',
    '!clients/openapi-typescript/scenario.ts',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: [CODE],
    // It comes with jest.
    settings: { 'import-x/core-modules': ['@jest/globals'] },
    plugins: {
      '@typescript-eslint': tseslint.plugin,
      'import-x': importX,
    },
    languageOptions: { parser: tseslint.parser },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'import-x/no-extraneous-dependencies': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: ['test/tsconfig.json', 'console/tsconfig.json'] } },
    rules: {
      // Without it an import of nothing but types would still load the module.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // `async` alone also turns what is thrown into a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Express tells an error handler by its four parameters.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_next$' }],
      // Code points are what names and words are made of.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
    },
  },
  {
    // What must not compile has no types to go by.
    files: ['test/project/must-not-compile.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  limits,
  Object.entries(EXCEPTIONS).map(([file, numbers]) => limit(file, numbers)),
)
