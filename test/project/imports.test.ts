/** The rows of `.dependency-cruiser.js` refuse what they should, tried on made-up files. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = dirname(dirname(import.meta.dirname))

/** Each file, what it imports, and whether only types of it. The first of each group is allowed, the others are not. */
const IMPORTS: readonly [from: string, to: string, kind: 'value' | 'type', allowed: boolean][] = [
  ['src/http/sign-in.ts', 'src/data/entities/accounts.ts', 'type', true],
  ['src/http/read-request.ts', 'src/data/entities/accounts.ts', 'value', false],
  ['src/http/operations.ts', 'src/handlers/index.ts', 'value', false],
  ['src/handlers/values.ts', 'src/data/search/search.ts', 'value', true],
  ['src/handlers/tags.ts', 'src/handlers/users.ts', 'value', false],
  ['src/handlers/users.ts', 'src/http/server/server.ts', 'value', false],
  ['src/data/writing/writing.ts', 'src/data/rows/rows.ts', 'value', true],
  ['src/data/operations/bulk.ts', 'src/data/rows/rows.ts', 'value', false],
  ['src/data/values/reading.ts', 'src/data/permissions/rights.ts', 'type', true],
  ['src/data/search/search.ts', 'src/data/permissions/rights.ts', 'value', false],
  ['src/data/database/pool.ts', 'src/data/store/tables.ts', 'value', false],
  ['src/data/store/views.ts', 'src/http/middleware.ts', 'type', false],
  ['src/model/paths.ts', 'src/scheduling/yielding.ts', 'value', false],
  ['src/query/parse.ts', 'node:fs', 'value', false],
  ['src/nowhere/file.ts', 'src/model/paths.ts', 'value', false],
  ['demo/main.ts', 'src/data/store/store.ts', 'value', false],
]

test('what may import what', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-imports-'))
  try {
    for (const file of ['.dependency-cruiser.js', 'tsconfig.json'])
      cpSync(join(root, file), join(folder, file))
    const write = (file: string, text: string): void => {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    write('package.json', '{ "type": "module" }')
    for (const [, to] of IMPORTS) if (!to.startsWith('node:')) write(to, 'export const x = 1\n')
    for (const [from, to, kind] of IMPORTS) {
      const specifier = to.startsWith('node:') ? to : `${'../'.repeat(from.split('/').length - 1)}${to}`
      write(
        from,
        `${kind === 'type' ? 'import type' : 'import'} { x } from '${specifier}'\nexport const y: typeof x = 1\n`,
      )
    }
    const program = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs')
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [program, '--output-type', 'json', 'src', 'demo'],
      {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 16 * 1024 * 1024,
      },
    )
    expect(stderr).toBe('')
    const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string; to: string }[] } }
    const refused = new Set(summary.violations.map(({ from, to }) => `${from} → ${to}`))
    const expected = IMPORTS.filter(([, , , allowed]) => !allowed).map(
      ([from, to]) => `${from} → ${to.replace('node:', '')}`,
    )
    expect([...refused].sort()).toEqual(expected.sort())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
