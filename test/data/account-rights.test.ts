/** The account that docs/databases.md makes has the rights that all of Gloss needs. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Connection } from 'mysql2/promise'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { RESTORING } from '../../src/data/store/tables.ts'
import { connectTo, PATIENT } from '../support/database.ts'
import { INHERITED, programFile } from '../support/process.ts'
import { send, startAnother } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(ROOT, 'docs/databases.md'), 'utf8')
const statements =
  /## The database and its account[^]*?```sql\n([^]*?)```/
    .exec(page)?.[1]
    ?.trim()
    .replace(/;$/, '')
    .split(';\n') ?? []

const server = process.env.TEST_DATABASE_URL ?? ''
let root: Connection
let folder: string
const made: string[] = []

beforeAll(async () => {
  root = await connectTo(server)
  folder = mkdtempSync(join(tmpdir(), 'gloss-account-'))
})
afterAll(async () => {
  for (const name of made) await root.query(`DROP DATABASE ${name}`)
  for (const name of made) await root.query(`DROP USER '${name}'@'%'`)
  await root.end()
  rmSync(folder, { recursive: true })
})

/** Runs the statements of the page with another name; returns the URL. */
async function makeAccount(): Promise<string> {
  const name = `gloss_${randomBytes(6).toString('hex')}`
  made.push(name)
  for (const statement of statements) await root.query(statement.replaceAll('gloss', name))
  return Object.assign(new URL(server), { username: name, password: 'choose-one', pathname: `/${name}` }).href
}

/** Runs a command of the package on a database; returns what it says if it fails. */
function fault(databaseUrl: string, ...args: readonly string[]): string {
  const env = { ...INHERITED, DATABASE_URL: databaseUrl }
  const { status, stderr } = spawnSync(process.execPath, [programFile('command/gloss'), ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  })
  return status === 0 ? '' : `${args.join(' ')}: ${stderr}`
}

test('with these rights a store is made, written, backed up, checked and restored twice', async () => {
  expect(statements.length).toBe(3)
  const [url, target] = [await makeAccount(), await makeAccount()]
  expect(fault(url, 'migrate')).toBe('')
  const service = await startAnother(url, PATIENT, {}, { ADMIN_PASSWORD: 'choose-one' })
  const answer = await send(service.url, 'GET', '/users/service', {})
  await service.stop()
  expect(answer.status).toBe(200)
  const file = join(folder, 'backup.gz')
  expect(fault(url, 'backup', '--to', file)).toBe('')
  expect(fault(url, 'check')).toBe('')
  expect(fault(target, 'restore', '--from', file)).toBe('')
  // As if it had been broken off: --anew deletes what it left.
  await root.query(`INSERT INTO ${made.at(-1) ?? ''}.id_blocks (kind, next_id) VALUES (?, 1)`, [
    Buffer.from(RESTORING),
  ])
  expect(fault(target, 'restore', '--from', file, '--anew')).toBe('')
})
