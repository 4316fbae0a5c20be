/** The linter knows which part of the code may import what, tried on made-up files, and ARCHITECTURE says the same. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ESLint } from 'eslint'
import { DIRECTIONS, VALUES } from '../../eslint.config.js'

const root = dirname(dirname(import.meta.dirname))
const RULE = 'house/import-directions'
const eslint = new ESLint({
  cwd: root,
  // Typed rules would ask for files that exist.
  overrideConfig: { languageOptions: { parserOptions: { project: false } } },
  ruleFilter: ({ ruleId }) => ruleId === RULE,
})

const findings = async (file: string, code: string): Promise<string[]> => {
  const [result] = await eslint.lintText(code, { filePath: join(root, file) })
  return (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message)
}

test.each([
  ['src/main.ts', `import { createStore } from './data/store.ts'`],
  ['src/app.ts', `import express from 'express'`],
  ['src/http/dispatch.ts', `import express from 'express'`],
  ['src/http/dispatch.ts', `import type { Handlers } from '../handlers/handler.ts'`],
  ['src/http/authenticate.ts', `import type { Caller } from '../data/store.ts'`],
  ['src/http/reply.ts', `import { ServiceError } from '../errors.ts'`],
  ['src/handlers/tags.ts', `import { permitTag } from '../data/permissions.ts'`],
  ['src/handlers/values.ts', `import { parseQuery } from '../query/parse.ts'`],
  ['src/handlers/values.ts', `import { valueMembers } from '../http/reply.ts'`],
  ['src/handlers/values.ts', `import type { Handler } from './handler.ts'`],
  ['src/handlers/index.ts', `import * as values from './values.ts'`],
  ['src/data/migrations/0002-more.ts', `import type { Knex } from 'knex'`],
  ['src/data/store.ts', `import knex from 'knex'; import { createHash } from 'node:crypto'`],
  ['src/data/search.ts', `import { pathsOf } from '../query/ast.ts'`],
  ['src/query/parse.ts', `import grammar from '../../generated/query-grammar.ts'`],
  ['src/query/lexer.ts', `import moo from 'moo'; import { ServiceError } from '../errors.ts'`],
  ['src/paths.ts', `import { ServiceError } from './errors.ts'`],
  ['knexfile.ts', `import type { Knex } from 'knex'`],
  ['test/support/database.ts', `import { createConnection } from 'mysql2/promise'`],
])('%s may: %s', async (file, code) => {
  expect(await findings(file, code)).toEqual([])
})

test.each([
  ['src/main.ts', `import express from 'express'`],
  ['src/app.ts', `import knex from 'knex'`],
  ['src/config.ts', `import { readFileSync } from 'node:fs'`],
  ['src/http/dispatch.ts', `import { handlers } from '../handlers/index.ts'`],
  ['src/http/authenticate.ts', `import { findAccount } from '../data/users.ts'`],
  ['src/http/authenticate.ts', `import { type Account } from '../data/users.ts'`],
  ['src/http/authenticate.ts', `export { findAccount } from '../data/users.ts'`],
  ['src/http/authenticate.ts', `export * from '../data/users.ts'`],
  ['src/http/authenticate.ts', `const users = await import('../data/users.ts')`],
  ['src/http/reply.ts', `import knex from 'knex'`],
  ['src/http/reply.ts', `import type { Query } from '../query/ast.ts'`],
  ['src/handlers/tags.ts', `import { getValues } from './values.ts'`],
  ['src/handlers/tags.ts', `import type { getValues } from './values.ts'`],
  ['src/handlers/tags.ts', `import type { Request } from 'express'`],
  ['src/handlers/tags.ts', `import type { Knex } from 'knex'`],
  ['src/handlers/tags.ts', `import { readBody } from '../http/request.ts'`],
  ['src/handlers/tags.ts', `import { readFileSync } from 'node:fs'`],
  ['src/data/values.ts', `import { json } from '../http/reply.ts'`],
  ['src/data/values.ts', `import type { Reply } from '../http/reply.ts'`],
  ['src/data/values.ts', `import type { Handler } from '../handlers/handler.ts'`],
  ['src/data/values.ts', `import type { operations } from '../../generated/openapi.d.ts'`],
  ['src/data/values.ts', `import { parseQuery } from '../query/parse.ts'`],
  ['src/data/values.ts', `import express from 'express'`],
  ['src/data/migrations/0002-more.ts', `import { json } from '../../http/reply.ts'`],
  ['src/query/parse.ts', `import { readFileSync } from 'node:fs'`],
  ['src/query/parse.ts', `import { search } from '../data/search.ts'`],
  ['src/query/parse.ts', `import knex from 'knex'`],
  ['src/paths.ts', `import { createHash } from 'node:crypto'`],
  ['src/errors.ts', `import { readPath } from './paths.ts'`],
  ['src/tag-value.ts', `import type { Store } from './data/store.ts'`],
  ['demo/main.ts', `import { createStore } from '../src/data/store.ts'`],
])('%s may not: %s', async (file, code) => {
  expect(await findings(file, code)).toEqual([RULE])
})

/** Names as the document writes them; all value types together have a name. */
function cellOf(names: readonly string[]): string {
  const all = VALUES.every((name) => names.includes(name))
  const others = all ? names.filter((name) => !VALUES.includes(name)) : names
  return [
    ...others.map((name) => (name === 'node:' ? "Node's own" : `\`${name}\``)),
    all ? 'value types' : [],
  ]
    .flat()
    .join(', ')
}

test("ARCHITECTURE has the linter's table, row by row", () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, section = ''] = /^## Who may import whom\n([^]*?)^## /m.exec(text) ?? []
  const shown = section.split('\n').filter((line) => line.startsWith('|'))
  const rows = DIRECTIONS.map(({ from, files, types, packages }) => [
    from === VALUES ? `value types: ${from.map((name) => `\`${name}\``).join(', ')}` : cellOf(from),
    ...[files, types, packages].map(cellOf),
  ])
  const cells = shown.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  expect(cells).toEqual(rows)
})
