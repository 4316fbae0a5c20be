/** The linter enforces which part of the code may import what, as ARCHITECTURE says; tried on made-up files. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ESLint } from 'eslint'
import { DIRECTIONS } from '../../eslint.directions.js'
import { GROUPS } from '../../eslint.places.js'

const root = dirname(dirname(import.meta.dirname))
const RULE = 'project/import-directions'
const eslint = new ESLint({
  cwd: root,
  // Typed rules need files that exist.
  overrideConfig: { languageOptions: { parserOptions: { project: false } } },
  ruleFilter: ({ ruleId }) => ruleId === RULE,
})

const findings = async (file: string, code: string): Promise<string[]> => {
  const [result] = await eslint.lintText(code, { filePath: join(root, file) })
  return (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message)
}

test.each([
  ['src/main.ts', `import { createStore } from './data/store/store.ts'`],
  ['src/app.ts', `import express from 'express'`],
  ['src/http/operations.ts', `import type { Handlers } from './handler.ts'`],
  ['src/http/credentials/authenticate.ts', `import { hashPassword } from '../passwords.ts'`],
  ['src/http/credentials/authenticate.ts', `import type { Caller } from '../data/store/views.ts'`],
  ['src/http/answer/reply.ts', `import { ServiceError } from '../errors.ts'`],
  ['src/handlers/tags.ts', `import { permitTag } from '../data/permissions/permissions.ts'`],
  ['src/handlers/values.ts', `import { parseQuery } from '../query/parse.ts'`],
  ['src/handlers/values.ts', `import { valueResults } from '../http/representations.ts'`],
  ['src/http/answer/representations.ts', `import { idsAsJson } from '../data/database/ids-as-json.ts'`],
  ['src/http/answer/representations.ts', `import { Spool } from '../spool.ts'`],
  ['src/handlers/values.ts', `import type { Handler } from '../http/handler.ts'`],
  ['src/handlers/index.ts', `import * as values from './values.ts'`],
  ['src/data/store/migrations/0003-more.ts', `import type { Knex } from 'knex'`],
  ['src/data/database/pool.ts', `import knex from 'knex'; import { createHash } from 'node:crypto'`],
  ['src/data/search/search.ts', `import { pathsOf } from '../../query/ast.ts'`],
  ['src/query/parse.ts', `import grammar from '../../generated/query-grammar.ts'`],
  ['src/query/lexer.ts', `import moo from 'moo'; import { ServiceError } from '../errors.ts'`],
  ['src/model/paths.ts', `import { ServiceError } from './errors.ts'`],
  ['knexfile.ts', `import type { Knex } from 'knex'`],
  ['test/support/database.ts', `import { createConnection } from 'mysql2/promise'`],
])('%s may contain: %s', async (file, code) => {
  expect(await findings(file, code)).toEqual([])
})

test.each([
  ['src/main.ts', `import express from 'express'`],
  ['src/start.ts', `import express from 'express'`],
  ['src/app.ts', `import knex from 'knex'`],
  ['src/settings/config.ts', `import knex from 'knex'`],
  ['src/http/credentials/passwords.ts', `import { ServiceError } from './errors.ts'`],
  ['src/handlers/users.ts', `import { hashPassword } from '../passwords.ts'`],
  ['src/http/operations.ts', `import { handlers } from '../handlers/index.ts'`],
  ['src/http/credentials/authenticate.ts', `import { findAccount } from '../data/entities/accounts.ts'`],
  ['src/http/credentials/authenticate.ts', `import { type Account } from '../data/entities/accounts.ts'`],
  ['src/http/credentials/authenticate.ts', `export { findAccount } from '../data/entities/accounts.ts'`],
  ['src/http/credentials/authenticate.ts', `export * from '../data/entities/accounts.ts'`],
  ['src/http/credentials/authenticate.ts', `const users = await import('../data/entities/users.ts')`],
  ['src/http/answer/reply.ts', `import knex from 'knex'`],
  ['src/http/answer/reply.ts', `import type { Query } from '../query/ast.ts'`],
  ['src/handlers/tags.ts', `import { getValues } from './values.ts'`],
  ['src/handlers/tags.ts', `import type { getValues } from './values.ts'`],
  ['src/handlers/tags.ts', `import type { Request } from 'express'`],
  ['src/handlers/tags.ts', `import type { Knex } from 'knex'`],
  ['src/handlers/tags.ts', `import { readBody } from '../http/body.ts'`],
  ['src/handlers/values.ts', `import { Spool } from '../spool.ts'`],
  ['src/handlers/values.ts', `import { jsonText } from '../http/json-text.ts'`],
  ['src/http/answer/send.ts', `import { idsAsJson } from '../data/database/id-sets.ts'`],
  ['src/http/answer/representations.ts', `import { readValues } from '../data/values/reading.ts'`],
  ['src/handlers/tags.ts', `import { readFileSync } from 'node:fs'`],
  ['src/data/values/reading.ts', `import { json } from '../../http/reply.ts'`],
  ['src/data/values/reading.ts', `import type { Reply } from '../../http/reply.ts'`],
  ['src/data/values/reading.ts', `import type { Handler } from '../../http/handler.ts'`],
  ['src/data/values/reading.ts', `import type { operations } from '../../../generated/openapi.d.ts'`],
  ['src/data/values/reading.ts', `import { parseQuery } from '../../query/parse.ts'`],
  ['src/data/values/reading.ts', `import express from 'express'`],
  ['src/data/database/mysql/mysql.ts', `import { TAGS } from '../store/tables.ts'`],
  ['src/data/store/store.ts', `import type { Permitted } from '../permissions/permissions.ts'`],
  ['src/data/permissions/policies.ts', `import { readValue } from '../values/reading.ts'`],
  ['src/data/values/writing.ts', `import { search } from '../search/search.ts'`],
  ['src/data/entities/tags.ts', `import { search } from '../search/search.ts'`],
  ['src/data/search/search.ts', `import { getObjectAbout } from '../entities/objects.ts'`],
  ['src/data/values/reading.ts', `import { granted } from '../permissions/rights.ts'`],
  ['src/data/operations/bulk.ts', `import { writeRows } from '../values/rows.ts'`],
  ['src/handlers/users.ts', `import { writeSystemValue } from '../data/values/system-values.ts'`],
  ['src/handlers/users.ts', `import { createStore } from '../data/store/store.ts'`],
  ['src/data/entities/users.ts', `import { purge } from '../operations/purge.ts'`],
  ['src/data/store/migrations/0003-more.ts', `import { json } from '../../http/reply.ts'`],
  ['src/query/parse.ts', `import { readFileSync } from 'node:fs'`],
  ['src/query/parse.ts', `import { search } from '../data/search/search.ts'`],
  ['src/query/parse.ts', `import knex from 'knex'`],
  ['src/model/paths.ts', `import { createHash } from 'node:crypto'`],
  ['src/model/errors.ts', `import { readPath } from './paths.ts'`],
  ['src/model/tag-value.ts', `import type { Store } from './data/store/store.ts'`],
  ['demo/main.ts', `import { createStore } from '../src/data/store/store.ts'`],
])('%s may not contain: %s', async (file, code) => {
  expect(await findings(file, code)).toEqual([RULE])
})

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** Names as the document writes them; groups have names of their own. */
function cellOf(names: readonly string[]): string {
  const groups = Object.entries(GROUPS).filter(([, group]) => group.every((name) => names.includes(name)))
  const others = names.filter((name) => !groups.some(([, group]) => group.includes(name)))
  return [
    ...others.map((name) => (name === 'node:' ? "Node's own" : quoted([name]))),
    ...groups.map(([name]) => name),
  ].join(', ')
}

test("ARCHITECTURE has the linter's table, row by row, and says what is in its groups", () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, section = ''] = /^## Who may import whom\n([^]*?)^## /m.exec(text) ?? []
  const shown = section.split('\n').filter((line) => line.startsWith('|'))
  const rows = DIRECTIONS.map(({ from, files, types, packages }) =>
    [from, files, types, packages].map(cellOf),
  )
  const cells = shown.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  expect(cells).toEqual(rows)
  const groups = Object.entries(GROUPS).map(([name, group]) => `- **${name}**: ${quoted(group)}`)
  expect(section.split('\n').filter((line) => line.startsWith('- **'))).toEqual(groups)
})
