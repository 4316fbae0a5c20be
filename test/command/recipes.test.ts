/** `gloss init --systemd` and the like: recipes of deploy/ with the settings that there are. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { nodeAt } from '../../scripts/pack/node-at.ts'
import { manifest, ROOT } from '../../scripts/pack/root.ts'
import { gloss, useEmptyHome } from '../support/gloss.ts'
import { INHERITED, programFile } from '../support/process.ts'

const home = useEmptyHome()
const inHome = (name: string): string => join(home.folder, name)
const delivered = (name: string): string =>
  readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

/** The lines of a written file that the delivered one lacks, without the space around them. */
function ownLines(name: string): string[] {
  const known = new Set(delivered(name).split('\n'))
  const written = readFileSync(inHome(name), 'utf8').split('\n')
  return written.filter((line) => !known.has(line)).map((line) => line.trim())
}

const SYSTEM_NODE = { NODE_OPTIONS: nodeAt('/usr/bin/node') }

const SETTINGS = {
  NODE_OPTIONS: nodeAt('/opt/node/bin/node'),
  PORT: '8081',
  ADMIN_PORT: '9500',
  BASE_URL: 'https://books.example.org',
  TRUST_PROXY: 'loopback,127.0.0.1,10.0.0.2,192.0.2.0/24',
}
const OUTER = 'acl outer src -- 10.0.0.2 192.0.2.0/24'

test.each<[string, Readonly<Record<string, string[]>>]>([
  [
    'systemd',
    {
      'gloss.service': [
        '#   /home/own/url     mysql://user:password@host:port/database, or sqlite:gloss.db, which is then in /var/lib/gloss',
        'ExecStart=/opt/node/bin/node /opt/gloss/node_modules/.bin/gloss serve',
        'Environment=PORT=8081 ADMIN_PORT=9500 DRAIN_WAIT_MS=4000 DRAIN_MS=10000',
        'Environment=TRUST_PROXY=loopback,127.0.0.1,10.0.0.2,192.0.2.0/24',
        'Environment=BASE_URL=https://books.example.org',
        'LoadCredential=database-url:/home/own/url',
      ],
      'gloss-backup.service': [
        expect.stringMatching(/^ExecStart=\/bin\/sh -c '\/opt\/node\/bin\/node \/opt\/gloss\//),
        'LoadCredential=database-url:/home/own/url',
      ] as string[],
      'gloss-backup.timer': [],
    },
  ],
  [
    'compose',
    {
      'compose.yaml': [
        '# Two instances of Gloss on one MariaDB, behind HAProxy as in haproxy.cfg, at http://127.0.0.1:8081.',
        '#   secrets/database-password   a password',
        '#   secrets/database-url        mysql://gloss:<that password>@database:3306/gloss',
        '#   secrets/admin-password      the password of the superuser `service`',
        '#   docker compose -f compose.yaml run --rm one migrate --new',
        '#   docker compose -f compose.yaml up --wait',
        '#   docker compose -f compose.yaml restart one',
        '#   docker compose -f compose.yaml run --rm backup',
        `# In a checkout: docker build -f deploy/Containerfile -t gloss:${manifest.version} .`,
        `image: gloss:${manifest.version}`,
        'TRUST_PROXY: 172.30.80.2,loopback,127.0.0.1,10.0.0.2,192.0.2.0/24',
        "BASE_URL: 'https://books.example.org'",
        '- 127.0.0.1:8081:8000',
      ],
      'haproxy.cfg': [OUTER],
    },
  ],
  [
    'kubernetes',
    {
      'kubernetes.yaml': [
        '- books.example.org',
        '- host: books.example.org',
        "value: 'https://books.example.org'",
        "value: 'loopback,127.0.0.1,10.0.0.2,192.0.2.0/24'",
      ],
    },
  ],
  [
    'nginx',
    {
      'nginx.conf': ['10.0.0.2 1;', '192.0.2.0/24 1;', 'server 127.0.0.1:8082 max_fails=3 fail_timeout=2s;'],
    },
  ],
  [
    'haproxy',
    { 'haproxy.cfg': [OUTER, 'server one 127.0.0.1:8081 port 9500', 'server two 127.0.0.1:8082 port 9501'] },
  ],
])('--%s writes the settings, and no secret', async (recipe, files) => {
  writeFileSync(inHome('url'), 'mysql://gloss:geheim@db/gloss')
  const env = { ...SETTINGS, ADMIN_PASSWORD: 'geheim geheim', DATABASE_URL_FILE: inHome('url') }
  const { status, stderr } = await gloss(['init', `--${recipe}`], { cwd: home.folder, env })
  const names = Object.keys(files)
  expect(status).toBe(0)
  expect(stderr).toBe(
    `Wrote ${names.join(', ')}. What to do with them is said at the beginning of ${names[0] ?? ''}.\n`,
  )
  expect(readdirSync(home.folder).sort()).toEqual(['url', ...names].sort())
  for (const name of names) {
    const lines = ownLines(name).map((line) => line.replaceAll(inHome('url'), '/home/own/url'))
    expect(lines).toEqual(files[name])
    expect(readFileSync(inHome(name), 'utf8')).not.toContain('geheim')
  }
})

test.each(['systemd', 'nginx', 'haproxy'])(
  'without settings --%s writes the delivered files',
  async (recipe) => {
    expect((await gloss(['init', `--${recipe}`], { cwd: home.folder, env: SYSTEM_NODE })).status).toBe(0)
    const names = readdirSync(home.folder)
    expect(names).not.toEqual([])
    for (const name of names) {
      expect(readFileSync(inHome(name), 'utf8')).toBe(delivered(name))
    }
  },
)

test('the settings are also read from .env', async () => {
  writeFileSync(inHome('.env'), 'PORT=9000\n')
  expect((await gloss(['init', '--nginx'], { cwd: home.folder })).status).toBe(0)
  expect(readFileSync(inHome('nginx.conf'), 'utf8')).toContain('server 127.0.0.1:9001 ')
})

test.each([
  ['a file that is there', ['--systemd'], SYSTEM_NODE, 'there is a file'],
  ['two recipes', ['--nginx', '--haproxy'], {}, '--nginx and --haproxy are two recipes'],
  [
    'a Node in a home',
    ['--systemd'],
    { NODE_OPTIONS: nodeAt('/root/.nvm/node') },
    'this Node is /root/.nvm/',
  ],
  ['a wrong setting', ['--nginx'], { PORT: 'x' }, 'PORT must be a whole number'],
])('with %s nothing is written', async (_what, args, env: object, said) => {
  writeFileSync(inHome('gloss-backup.timer'), 'own')
  const { status, stderr } = await gloss(['init', ...args], { cwd: home.folder, env: { ...env } })
  expect([0, null]).not.toContain(status)
  expect(stderr).toContain(said)
  expect(readdirSync(home.folder)).toEqual(['gloss-backup.timer'])
  expect(readFileSync(inHome('gloss-backup.timer'), 'utf8')).toBe('own')
  expect(existsSync(inHome('gloss.service'))).toBe(false)
})

/** The shell commands of the delivered backups, for files in $BACKUPS. */
const BACKUPS: Readonly<Record<string, () => string>> = {
  systemd: () => {
    const [, line = ''] = /^ExecStart=(.*)$/m.exec(delivered('gloss-backup.service')) ?? []
    return line.replaceAll('%%', '%')
  },
  compose: () => {
    const { services } = parse(delivered('compose.yaml'), { merge: true }) as {
      services: { backup: { entrypoint: readonly string[] } }
    }
    return (services.backup.entrypoint[2] ?? '').replaceAll('$$', '$')
  },
  kubernetes: () => {
    const job = parseAllDocuments(delivered('kubernetes.yaml')).find((one) => one.get('kind') === 'CronJob')
    const containers = ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers', 0]
    return String(job?.getIn([...containers, 'command', 2]))
  },
}

const DAY_S = 86_400

/** A folder with files of backups that are so many days old. */
function oldBackups(files: Readonly<Record<string, number>>): string {
  const folder = inHome('backups')
  mkdirSync(folder)
  for (const [name, days] of Object.entries(files)) {
    const seconds = Date.now() / 1000 - days * DAY_S
    writeFileSync(join(folder, name), '')
    utimesSync(join(folder, name), seconds, seconds)
  }
  return folder
}

/** Runs the command of a recipe with another `gloss`; returns its status. */
function runBackup(recipe: string, folder: string, program: string): number | null {
  const command = (BACKUPS[recipe]?.() ?? '')
    .replaceAll('/backup', folder)
    .replace(/(\/usr\/bin\/)?node \/opt\/gloss\/node_modules\/.bin\/gloss/, program)
  const env = { ...INHERITED, DATABASE_URL: `sqlite:${inHome('gloss.db')}`, BACKUPS: folder }
  return spawnSync('sh', ['-c', command], { env, cwd: home.folder }).status
}

test.each(Object.keys(BACKUPS))(
  'the backup of %s makes one, and deletes those of more than 14 days',
  async (recipe) => {
    const folder = oldBackups({ 'gloss-10.gz': 10, 'gloss-20.gz': 20, 'gloss-21.gz.unfinished': 21 })
    const run = (): number | null =>
      runBackup(recipe, folder, `${process.execPath} ${ROOT}/${programFile('command/gloss')}`)
    // Without a store there is no backup, and nothing is deleted.
    expect(run()).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(['gloss-10.gz', 'gloss-20.gz', 'gloss-21.gz.unfinished'])
    const env = { DATABASE_URL: `sqlite:${inHome('gloss.db')}` }
    expect((await gloss(['migrate'], { cwd: home.folder, env })).status).toBe(0)
    expect(run()).toBe(0)
    const kept = readdirSync(folder).sort()
    expect(kept).toEqual(['gloss-10.gz', expect.stringMatching(/^gloss-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.gz$/)])
  },
)

test.each(Object.keys(BACKUPS))(
  'the backup of %s also deletes old ones after one that lacks something, and says so by its status',
  (recipe) => {
    const folder = oldBackups({ 'gloss-10.gz': 10, 'gloss-20.gz': 20 })
    const partly = inHome('partly')
    writeFileSync(partly, 'exit 3')
    expect(runBackup(recipe, folder, `sh ${partly}`)).toBe(3)
    expect(readdirSync(folder)).toEqual(['gloss-10.gz'])
  },
)
