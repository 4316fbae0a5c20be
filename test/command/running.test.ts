/** What sets up a service: `gloss init`, `gloss config` and the file `.env`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { startFailure } from '../../src/process/start-failure.ts'
import { createStore } from '../../src/data/store/store.ts'
import { INHERITED, programFile } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { expectGolden, gloss, useEmptyHome } from '../support/gloss.ts'

const PASSWORD = 'choose-one'
const ALONE = 0o777

/** How rows are shown: what follows the name of a golden file, the options, and the terminal. */
const FORMATS: readonly (readonly [format: string, args: readonly string[], size: { columns?: number }])[] = [
  ['tsv', [], {}],
  ['csv', ['--csv'], {}],
  ['json', ['--json'], {}],
  ['80.txt', [], { columns: 80 }],
  ['200.txt', [], { columns: 200 }],
]

const home = useEmptyHome()
const inHome = (...name: string[]): string => join(home.folder, ...name)

/** Runs something that serves until it says where, asks it, and interrupts it; returns what it printed. */
async function serving(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ask: (url: string, pid: number) => Promise<void>,
): Promise<string> {
  let printed = ''
  let asked: Promise<void> | undefined
  const { stdout, stderr } = await gloss(args, {
    cwd: home.folder,
    env,
    started: (child) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (part: Buffer) => {
          printed += part.toString()
          const url = /listens on (\S+)[^]*--help/.exec(printed)?.[1]
          if (url === undefined || asked !== undefined) return
          asked = ask(url, child.pid ?? 0).finally(() => child.kill('SIGTERM'))
        })
      }
    },
  })
  await asked
  expect(asked).toBeDefined()
  return stdout + stderr
}

const signIn = async (url: string, password: string): Promise<number> => {
  const headers = { authorization: `Basic ${btoa(`service:${password}`)}` }
  return (await fetch(`${url}/users/service`, { headers })).status
}

describe('init', () => {
  test('makes a store with the password, writes .env for the owner alone, and serves', async () => {
    const env = { PORT: '0', GLOSS_PASSWORD: PASSWORD }
    const printed = await serving(['init', '--yes'], env, async (url) => {
      expect([await signIn(url, PASSWORD), await signIn(url, 'another one')]).toEqual([200, 401])
    })
    expect(printed).toContain(`The port and the database are in ${inHome('.env')}, for you alone.`)
    const text = readFileSync(inHome('.env'), 'utf8')
    expect(text).toBe('PORT=0\nDATABASE_URL=sqlite:./var/gloss.db\n')
    expect(statSync(inHome('.env')).mode & ALONE).toBe(0o600)
    const again = await serving(['serve'], {}, async (url) => {
      expect(await signIn(url, PASSWORD)).toBe(200)
    })
    expect(again).toContain(`Settings are also read from ${inHome('.env')}\n`)
    expect(again.split('Settings are also').length).toBe(2)
  })

  test('asks on a terminal, again for what does not work, and shows no password', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const answers = [
      ['Port [8080]: ', String(port)],
      ['Port [8080]: ', '0'],
      ['database [./var/gloss.db]: ', 'mysql://u:geheim@127.0.0.1:1/g'],
      ['database [./var/gloss.db]: ', "my 'own' file.db"],
      ['of service: ', 'short'],
      ['again: ', 'short'],
      ['of service: ', PASSWORD],
      ['again: ', 'another one'],
      ['of service: ', PASSWORD],
      ['again: ', PASSWORD],
      ['--help lists', '\u0003'],
    ]
    let shown = ''
    let seen = 0
    const { stdout } = await gloss(['init'], {
      cwd: home.folder,
      columns: 100,
      input: null,
      started: (child) => {
        child.stdout?.on('data', (part: Buffer) => {
          shown += part.toString()
          const [question = '', answer = ''] = answers[0] ?? []
          const at = shown.indexOf(question, seen)
          if (question === '' || at < 0) return
          seen = at + question.length
          answers.shift()
          child.stdin?.write(answer === '\u0003' ? answer : `${answer}\r`)
        })
      },
    })
    holder.close()
    expect(answers).toEqual([])
    expect(stdout).toContain(`PORT ${String(port)} is in use (by node, pid ${String(process.pid)})`)
    expect(stdout).toContain('DATABASE_URL: nobody answers at 127.0.0.1:1: ')
    expect(stdout).toContain('The password must have at least 8 characters.')
    expect(stdout).toContain('These were not the same.')
    expect(stdout).not.toContain(PASSWORD)
    expect(readFileSync(inHome('.env'), 'utf8')).toBe("PORT=0\nDATABASE_URL=`sqlite:my 'own' file.db`\n")
    expect(existsSync(inHome("my 'own' file.db"))).toBe(true)
  })

  test.each([
    ['without a terminal', [], {}, 'nobody is there to be asked'],
    ['without a password', ['--yes'], {}, 'there is no password for the superuser'],
    ['with a short one', ['--yes'], { GLOSS_PASSWORD: 'short' }, 'must have at least 8 characters'],
    ['with no port', ['--yes'], { PORT: 'x', GLOSS_PASSWORD: PASSWORD }, 'PORT must be a whole number'],
    [
      'with a file where a URL is read',
      ['--yes'],
      { DATABASE_URL: 'books.db', PORT: '0', GLOSS_PASSWORD: PASSWORD },
      'DATABASE_URL must be sqlite:<file>',
    ],
    [
      'with a directory as the database',
      ['--yes'],
      { DATABASE_URL: 'sqlite:/', GLOSS_PASSWORD: PASSWORD },
      "DATABASE_URL: the file '/' cannot be opened for writing",
    ],
  ])('%s it says what to do, and writes nothing', async (_what, args, env: object, said) => {
    const { status, stderr } = await gloss(['init', ...args], { cwd: home.folder, env: { ...env } })
    expect([0, null]).not.toContain(status)
    expect(stderr).toContain(said)
    expect(existsSync(inHome('.env'))).toBe(false)
  })

  test('a file that is there is not replaced unasked', async () => {
    writeFileSync(inHome('.env'), 'PORT=1234\n')
    const { status, stderr } = await gloss(['init', '--yes'], { cwd: home.folder })
    expect(status).toBe(2)
    expect(stderr).toContain(`there is a file ${inHome('.env')} already`)
    expect(readFileSync(inHome('.env'), 'utf8')).toBe('PORT=1234\n')
  })
})

test('a password in .env is the first one, and is not read a second time', async () => {
  writeFileSync(inHome('.env'), `PORT=0\nADMIN_PASSWORD=${PASSWORD}\nWORKERS=2\n`)
  await serving(['serve'], {}, async (url, pid) => {
    expect(await signIn(url, PASSWORD)).toBe(200)
    expect(readFileSync(`/proc/${String(pid)}/environ`, 'utf8')).not.toContain(PASSWORD)
  })
})

describe('config', () => {
  const ENV = { LOG_LEVEL: 'warn', DATABASE_URL: 'mysql://u:ge@heim@db/gloss', ADMIN_PASSWORD: PASSWORD }

  test.each(FORMATS)('print shows every setting and where it is from: %s', async (format, args, size) => {
    writeFileSync(inHome('.env'), 'PORT=9000\nLOG_LEVEL=error\n')
    const { status, stdout } = await gloss(['config', 'print', ...args], {
      cwd: home.folder,
      env: ENV,
      ...size,
    })
    expect(status).toBe(0)
    expect(stdout).not.toMatch(/heim|choose/)
    expectGolden(`config.${format}`, stdout.replace(inHome('.env'), '.env'))
  })

  test('check lists all that is wrong', async () => {
    const valid = await gloss(['config', 'check'], { cwd: home.folder })
    expect(valid).toMatchObject({ status: 0, stderr: 'The configuration is valid.\n' })
    const env = { PORT: 'x', JSONP: 'maybe', DATABSE_URL: 'sqlite:a.db' }
    const { status, stderr } = await gloss(['config', 'check'], { cwd: home.folder, env })
    expect(status).toBe(1)
    for (const part of ['PORT must be', 'JSONP must be', 'did you mean DATABASE_URL?']) {
      expect(stderr).toContain(part)
    }
    expect((await gloss(['config', 'print'], { cwd: home.folder, env })).status).toBe(1)
  })
})

describe('migrate --status', () => {
  test.each(FORMATS)('shows what a store has: %s', async (format, args, size) => {
    const service = await startService()
    const env = { DATABASE_URL: service.databaseUrl }
    const { status, stdout } = await gloss(['migrate', '--status', ...args], {
      cwd: home.folder,
      env,
      ...size,
    })
    await service.stop()
    expect(status).toBe(0)
    expectGolden(`migrate-status.${format}`, stdout)
  })

  test('shows what a store lacks, and makes none', async () => {
    const env = { DATABASE_URL: `sqlite:${inHome('none.db')}` }
    expect((await gloss(['migrate', '--status'], { cwd: home.folder, env })).status).toBe(1)
    expect(existsSync(inHome('none.db'))).toBe(false)
    writeFileSync(inHome('none.db'), '')
    const empty = await gloss(['migrate', '--status'], { cwd: home.folder, env })
    expect(empty).toMatchObject({ status: 1, stdout: expect.stringMatching(/^(\d{4}-[\w-]+\tmissing\n)+$/) })
  })
})

/** The options of `unshare` that give a program mounts of its own. */
const IN_OWN_MOUNTS = [...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--mount']
// Some containers allow no mounts.
const mayMount = spawnSync('unshare', [...IN_OWN_MOUNTS, 'true']).status === 0
const MOUNTED = `set -e; mount --bind store mounted; mount -o remount,ro,bind mounted; exec "$@"`

describe('a database on a read-only mount', () => {
  test('is named as such at the start', () => {
    const error = Object.assign(new Error('read-only'), { code: 'SQLITE_READONLY' })
    expect(startFailure(error, { databaseUrl: 'sqlite:a.db' })).toContain(
      "the file 'a.db' is read-only: make",
    )
  })

  const commands = [['serve'], ['check'], ['backup', '--to', 'backup.gz']]
  for (const args of mayMount ? commands : []) {
    test(`${args[0] ?? ''} says that it is read-only, and what to do`, async () => {
      mkdirSync(inHome('mounted'))
      mkdirSync(inHome('store'))
      const store = createStore(`sqlite:${inHome('store', 'gloss.db')}`)
      await store.migrate()
      await store.close()
      const program = [process.execPath, join(process.cwd(), programFile('command/gloss')), ...args]
      const { status, stdout, stderr } = spawnSync(
        'unshare',
        [...IN_OWN_MOUNTS, 'sh', '-c', MOUNTED, 'sh', ...program],
        {
          cwd: home.folder,
          encoding: 'utf8',
          env: { ...INHERITED, DATABASE_URL: 'sqlite:./mounted/gloss.db', STARTUP_WAIT_MS: '0' },
        },
      )
      expect([status, stdout]).toEqual([1, expect.stringMatching(/^(?:Gloss .*\n)?$/)])
      expect(stderr).toMatch(/DATABASE_URL: the file '.\/mounted\/gloss.db' is read-only/)
      expect(stderr).toContain('make it writable, or copy it and its -wal file to a folder that is')
    })
  }
})
