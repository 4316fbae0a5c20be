/** The commands of docs/rescue.md, in their order, on a service that runs; and its logrotate configuration. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import {
  INHERITED,
  listening,
  nodeCommand,
  programFile,
  runProcess,
  type ServiceProcess,
} from '../support/process.ts'
import { send } from '../support/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/rescue.md'), 'utf8')
const COMMANDS = [...PAGE.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)

let database: FreshDatabase
let service: ServiceProcess
let url = ''
let folder = ''
/** Of the superuser. */
let password = 'open sesame'

const pathOf = (name: string): string => join(folder, name)

beforeAll(async () => {
  database = await freshDatabase()
  folder = mkdtempSync(join(tmpdir(), 'gloss-rescue-'))
  mkdirSync(pathOf('bin'))
  const program = join(ROOT, programFile('command/gloss'))
  writeFileSync(pathOf('bin/gloss'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  })
  writeFileSync(pathOf('database-url'), database.url)
  const settings = { DATABASE_URL_FILE: pathOf('database-url'), LOG_FILE: pathOf('gloss.log') }
  service = runProcess({ ...settings, ADMIN_PASSWORD: password }, ['setsid', ...nodeCommand('src/main')])
  url = `http://127.0.0.1:${String(await listening(service))}`
  const mallory = { username: 'mallory', password: 'of mallory' }
  await send(url, 'POST', '/users', { as: 'service', password, json: mallory })
}, 120_000)
afterAll(async () => {
  service.process.kill('SIGTERM')
  await service.end
  rmSync(folder, { recursive: true })
  await database.drop()
})

/** Runs a line of the page, which must succeed; returns its output. */
function run(line: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...INHERITED,
      PATH: `${pathOf('bin')}:${INHERITED.PATH ?? ''}`,
      DATABASE_URL_FILE: pathOf('database-url'),
      NEW_DATABASE_URL: database.url,
      PID: String(service.process.pid),
      GLOSS_URL: url,
      GLOSS_PASSWORD: password,
      XDG_CONFIG_HOME: folder,
      ...(line.includes('mallory') && { GLOSS_NEW_PASSWORD: `new for ${line}` }),
    },
  })
  expect([line, status, stderr]).toEqual([line, 0, expect.any(String)])
  return stdout
}

const signIn = async (as: string, given: string): Promise<number> =>
  (await send(url, 'GET', '/users/service', { as, password: given })).status

const ofLog = (name: string): string => (existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8') : '')

async function untilLogged(text: string): Promise<void> {
  while (!ofLog('gloss.log').includes(text)) await sleep(20)
}

/** What holds after a command. */
const AFTER: Readonly<Record<string, (line: string, printed: string) => Promise<void> | void>> = {
  'gloss user reset service': async (_line, printed) => {
    expect(await signIn('service', password)).toBe(401)
    password = printed.trim()
    expect(await signIn('service', password)).toBe(200)
  },
  printf: () => {
    expect(readFileSync(pathOf('database-url'), 'utf8')).toBe(`${database.url}\n`)
  },
  kill: async () => {
    // After this the new file is there, and the service goes on.
    while (!existsSync(pathOf('gloss.log'))) await sleep(20)
    expect(await signIn('service', password)).toBe(200)
    await untilLogged('"msg":"request"')
  },
  mv: () => {
    expect(ofLog('gloss.log.1')).toContain('"msg":"request"')
  },
  'gloss migrate --status': (_line, printed) => {
    expect(printed).toMatch(/^0001-initial\tdone$/m)
  },
  'gloss migrate': () => undefined,
  grep: (_line, printed) => {
    expect(printed).toMatch(/^ +\d+ "username":"service"$/m)
  },
  'gloss user passwd mallory': async (line) => {
    expect([await signIn('mallory', 'of mallory'), await signIn('mallory', `new for ${line}`)]).toEqual([
      401, 200,
    ])
  },
  'gloss user reset mallory': async (line) => {
    expect(await signIn('mallory', `new for ${line}`)).toBe(200)
  },
}

test('every command does what the page says', async () => {
  expect(COMMANDS.length).toBeGreaterThan(8)
  for (const line of COMMANDS) {
    const printed = run(line)
    const found = Object.keys(AFTER).findLast((start) => line.startsWith(start)) ?? line
    await AFTER[found]?.(line, printed)
    expect([line, Object.keys(AFTER)]).toEqual([line, expect.arrayContaining([found])])
  }
})

if (spawnSync('logrotate', ['--version']).status === 0) {
  test('logrotate rotates the log by the configuration of the page', async () => {
    const [, written = ''] = /^```text\n(\/var\/log\/gloss\/gloss\.log \{\n[^]*?)^```$/m.exec(PAGE) ?? []
    expect(written).toContain('systemctl kill')
    const config = written
      .replace('/var/log/gloss/gloss.log', pathOf('gloss.log'))
      .replace(/systemctl kill .*/, `kill -HUP ${String(service.process.pid)}`)
    writeFileSync(pathOf('logrotate.conf'), config)
    await signIn('mallory', 'before the rotation')
    await untilLogged('sign-in failed')
    rmSync(pathOf('gloss.log.1'), { force: true })
    run(`logrotate --force --state '${pathOf('state')}' '${pathOf('logrotate.conf')}'`)
    while (!existsSync(pathOf('gloss.log'))) await sleep(20)
    await send(url, 'GET', '/users/service', {})
    await untilLogged('"msg":"request"')
    expect(ofLog('gloss.log.1')).toContain('sign-in failed')
    expect(ofLog('gloss.log')).not.toContain('sign-in failed')
  })
}
