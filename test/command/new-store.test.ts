/** Where there is no store, a new one is announced, or refused if the settings say so. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { gloss, type Ended } from '../support/gloss.ts'
import { listening, nodeCommand, runProcess, type ServiceProcess } from '../support/process.ts'

const isSqlite = (globalThis as { database?: string }).database !== 'mysql'

let database: FreshDatabase
let folder = ''
const processes: ServiceProcess[] = []

beforeEach(async () => {
  database = await freshDatabase()
  folder = mkdtempSync(join(tmpdir(), 'gloss-new-'))
})
afterEach(async () => {
  for (const { process: child } of processes) child.kill('SIGTERM')
  await Promise.all(processes.splice(0).map(({ end }) => end))
  rmSync(folder, { recursive: true })
  await database.drop()
})

type Settings = Readonly<Record<string, string>>

/** Starts the service; resolves to what it printed until it listened, or ended. */
async function serve(env: Settings, ...args: string[]): Promise<string> {
  const started = runProcess(
    { DATABASE_URL: database.url, ...env },
    nodeCommand('command/gloss', 'serve', ...args),
  )
  processes.push(started)
  await listening(started)
  return started.printed()
}

const run = (args: readonly string[], env: Settings = {}): Promise<Ended> =>
  gloss(args, { cwd: folder, env: { DATABASE_URL: database.url, ...env } })

const NEW = /^This is a new store, in the (?:file \/|database gloss_test_)/m
const REFUSED = /There is no store in the .*, and NEW_STORE=refuse: correct DATABASE_URL, or make/
const REFUSE = { NEW_STORE: 'refuse' }

test('a start says that it makes a new store, and a later one does not', async () => {
  expect(await serve({})).toMatch(NEW)
  expect(await serve({})).not.toMatch(NEW)
})

test('a start that may make none says so and ends, until it is told --new', async () => {
  expect(await serve(REFUSE)).toMatch(REFUSED)
  expect(processes[0]?.process.exitCode).toBe(1)
  expect(await serve(REFUSE, '--new')).toMatch(NEW)
  expect(await serve(REFUSE)).toContain('Gloss listens on')
})

describe('gloss migrate', () => {
  test('says that it makes a new store', async () => {
    expect(await run(['migrate'])).toMatchObject({ status: 0, stderr: expect.stringMatching(NEW) })
    expect((await run(['migrate'])).stderr).not.toMatch(NEW)
  })

  test('makes none if it may not, unless it is told --new', async () => {
    expect(await run(['migrate'], REFUSE)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(REFUSED),
    })
    expect(await run(['migrate', '--new'], REFUSE)).toMatchObject({ status: 0 })
    expect(await run(['migrate'], REFUSE)).toMatchObject({ status: 0 })
  })
})

test.each([
  [['check']],
  [['backup', '--to', 'backup.gz']],
  [['user', 'reset', 'service']],
  [['migrate', '--status']],
])('%j makes no store', async (args) => {
  expect(await run(args)).toMatchObject({ status: 1 })
  expect(await run(['migrate'], REFUSE)).toMatchObject({ status: 1, stderr: expect.stringMatching(REFUSED) })
})

if (isSqlite) {
  test('a refused start leaves no file, and an empty file is no store', async () => {
    const file = join(folder, 'none', 'misspelt.db')
    expect(await serve({ ...REFUSE, DATABASE_URL: `sqlite:${file}` })).toMatch(REFUSED)
    expect(existsSync(join(folder, 'none'))).toBe(false)
    const empty = join(folder, 'empty.db')
    writeFileSync(empty, '')
    expect(await serve({ ...REFUSE, DATABASE_URL: `sqlite:${empty}` })).toMatch(REFUSED)
  })
}
