/**
 * A private MySQL-protocol server that ends with the process that started it; by default its data goes too.
 *
 * Run as a program (`npm run mysql`) it prints the server's URL and stops on Ctrl-C.
 */
import { type ChildProcess, type StdioOptions, fork, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { freePort } from './ports.ts'

/** A running server. */
export interface MysqlServer {
  /** `mysql://user:password@host:port/`, of a user who may do everything. */
  readonly url: string
  stop(): Promise<void>
}

const PACKAGES = ['mariadb-server-core', 'mariadb-client-core', 'openssl']

/** What to do about a missing server. */
export const CHOICES = `Any one of these will do:
  - TEST_DATABASE_URL=mysql://user:password@host:port/ of a running server, with a user who may create databases
  - mariadbd or mysqld installed on this machine (Debian: apt-get install ${PACKAGES.join(' ')})
  - root on a Debian-like system, where the packages are installed automatically`

/** How a server differs from the small default. */
export interface ServerOptions {
  /** Where the data is kept between runs; by default it is temporary. */
  readonly folder?: string
  /** Command-line options of the server; by default those for temporary data. */
  readonly settings?: readonly string[]
  /** The URL that it is to have, such as that of one that has died in the same folder; by default a new one. */
  readonly url?: string
}

/** Little memory, and no protection against power cuts; everything else is the server's default. */
const CARELESS_SETTINGS = [
  '--innodb-buffer-pool-size=128M',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--innodb-doublewrite=OFF',
]
const SETTINGS = ['--skip-log-bin', '--performance-schema=OFF', '--skip-name-resolve']
const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/usr/local/mysql/bin', '/opt/homebrew/bin']
const START_MS = 60_000

/**
 * Starts a server under a keeper process, which stops it when this process ends, however it ends.
 * A missing server is installed by apt if possible.
 */
export async function startMysqlServer(options: ServerOptions = {}): Promise<MysqlServer> {
  const stdio: StdioOptions = ['ignore', 2, 2, 'ipc']
  const args = [JSON.stringify(options)]
  const keeper = fork(import.meta.filename, args, { detached: true, execArgv: [], stdio })
  const url = await new Promise<string>((resolve, reject) => {
    keeper.once('message', resolve)
    keeper.once('exit', () => {
      reject(new Error('There is no MySQL-protocol server; see the reason above.'))
    })
  })
  keeper.unref()
  keeper.channel?.unref()
  const stop = async (): Promise<void> => {
    // It ends by itself when its server has died.
    if (keeper.exitCode !== null || keeper.signalCode !== null) return
    const end = once(keeper, 'exit')
    keeper.ref()
    if (keeper.connected) keeper.disconnect()
    await end
  }
  return { url, stop }
}

/** The program: runs a server until a signal arrives or the parent ends. */
async function keep({
  folder: kept,
  settings = CARELESS_SETTINGS,
  url: before,
}: ServerOptions): Promise<void> {
  const end = new Promise((resolve) => {
    for (const event of ['disconnect', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.once(event, resolve)
  })
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'gloss-mysql-'))
  let server: ChildProcess | undefined
  try {
    const program = provideProgram()
    // A server that starts deletes the temporary tables of every other one that has them in the same folder.
    process.env['TMPDIR'] = join(folder, 'tmp')
    mkdirSync(process.env['TMPDIR'], { recursive: true })
    const files = initialize(program, folder)
    const url = before ?? `mysql://gloss:${randomBytes(12).toString('hex')}@127.0.0.1:${await freePort()}/`
    const { password, port } = new URL(url)
    const init = join(folder, 'init.sql')
    writeFileSync(
      init,
      `DROP USER IF EXISTS 'root'@'127.0.0.1', 'gloss'@'127.0.0.1';
CREATE USER 'gloss'@'127.0.0.1' IDENTIFIED BY '${password}';
GRANT ALL ON *.* TO 'gloss'@'127.0.0.1' WITH GRANT OPTION;
`,
    )
    const address = ['--bind-address=127.0.0.1', `--port=${port}`, `--init-file=${init}`]
    // In its own process group, so that Ctrl-C reaches only this process.
    server = spawn(program, [...files, ...address, ...SETTINGS, ...settings], {
      stdio: 'ignore',
      detached: true,
    })
    await untilAnswering(url, server, join(folder, 'error.log'))
    if (process.send === undefined) console.log(`${url}\nCtrl-C stops the server and removes its data.`)
    else if (process.connected) process.send(url)
    await Promise.race([end, once(server, 'exit')])
  } finally {
    if (server?.exitCode === null && server.signalCode === null) {
      const exit = once(server, 'exit')
      // Only data that is kept needs an orderly shutdown.
      server.kill(kept === undefined ? 'SIGKILL' : 'SIGTERM')
      await exit
    }
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Creates missing system tables; returns the options needed both for that and to run the server. */
function initialize(program: string, folder: string): string[] {
  const data = `--datadir=${join(folder, 'data')}`
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const log = `--log-error=${join(folder, 'error.log')}`
  const files = [`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`]
  const made = existsSync(join(folder, 'data', 'mysql'))
  if (isMariadb(program)) {
    const installer = findProgram('mariadb-install-db') ?? ''
    const options = ['--auth-root-authentication-method=normal', '--skip-test-db']
    if (!made) run(installer, ['--no-defaults', data, ...user, ...options])
  } else {
    if (!made) run(program, ['--no-defaults', '--initialize-insecure', data, ...user])
    files.push('--mysqlx=OFF')
  }
  return ['--no-defaults', data, ...user, log, ...files]
}

/** The path of the server's program; a missing one is installed by apt if possible. */
function provideProgram(): string {
  const program = findUsableProgram()
  if (program !== undefined) return program
  if (process.getuid?.() !== 0 || findProgram('apt-get') === undefined) {
    throw new Error(`No server that speaks the MySQL protocol was found on this machine. ${CHOICES}`)
  }
  console.error(`No MySQL-protocol server found: installing ${PACKAGES.join(' and ')} by apt ...`)
  const patience = ['-o', 'DPkg::Lock::Timeout=300']
  try {
    run('apt-get', [...patience, 'update'])
    run('apt-get', [...patience, 'install', '--yes', '--no-install-recommends', ...PACKAGES])
  } catch (error) {
    throw new Error(`A MySQL-protocol server could not be installed. ${CHOICES}`, { cause: error })
  }
  const installed = findUsableProgram()
  if (installed === undefined) throw new Error(`apt has installed no usable server. ${CHOICES}`)
  return installed
}

/** MariaDB comes in several packages: the server is usable only with the tools that create its system tables. */
function findUsableProgram(): string | undefined {
  const program = findProgram('mariadbd', 'mysqld')
  if (program === undefined || !isMariadb(program)) return program
  return findProgram('mariadb-install-db') && findProgram('my_print_defaults') ? program : undefined
}

function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...FOLDERS]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

function isMariadb(program: string): boolean {
  return run(program, ['--version']).includes('MariaDB')
}

/** Runs a program to its end and returns what it printed. */
function run(program: string, args: string[]): string {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')} failed:\n${error?.message ?? stdout + stderr}`)
}

async function untilAnswering(url: string, server: ChildProcess, log: string): Promise<void> {
  const deadline = Date.now() + START_MS
  while (server.exitCode === null && Date.now() < deadline) {
    try {
      const connection = await createConnection(url)
      await connection.end()
      return
    } catch {
      await sleep(100)
    }
  }
  const reason = existsSync(log) ? readFileSync(log, 'utf8') : 'It left no error log.'
  throw new Error(`${server.spawnfile} did not start:\n${reason}`)
}

if (import.meta.main) {
  // Not awaited: jest loads this module with `require`, which does not allow top-level await.
  keep(JSON.parse(process.argv[2] ?? '{}') as ServerOptions).then(
    () => {
      process.exit()
    },
    (error: unknown) => {
      for (let cause = error; cause instanceof Error; cause = cause.cause) console.error(cause.message)
      process.exit(1)
    },
  )
}
