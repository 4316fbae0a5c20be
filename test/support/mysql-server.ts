/**
 * A private MySQL-protocol server that ends with the process that started it; by default its data goes too.
 *
 * Run as a program (`npm run mysql`) it prints the server's URL and stops on Ctrl-C.
 */
import { type ChildProcess, type StdioOptions, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import type { Engine } from './engines.ts'
import { provideProgram } from './mysql-programs.ts'
import { freePort } from './ports.ts'

/** A running server. */
export interface MysqlServer {
  /** `mysql://user:password@host:port/`, for a user with all privileges. */
  readonly url: string
  stop(): Promise<void>
}

/** The differences from the small default server. */
export interface ServerOptions {
  /** MariaDB by default. */
  readonly engine?: Engine
  /** The folder for data between runs; by default the data is temporary. */
  readonly folder?: string
  /** Command-line options of the server; by default those for temporary data. */
  readonly settings?: readonly string[]
  /** The URL of the server, for example that of an earlier server in the same folder; by default a new one. */
  readonly url?: string
}

/** Little memory, and no protection against power cuts; all other settings are the server's defaults. */
const CARELESS_SETTINGS = [
  '--innodb-buffer-pool-size=128M',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--innodb-doublewrite=OFF',
]
const SETTINGS = ['--skip-log-bin', '--skip-name-resolve']
const START_MS = 60_000

/** The message of a keeper to its parent process. */
interface Told {
  readonly url?: string
  /** The reason why there is no server. */
  readonly reason?: string
}

/**
 * Starts a server under a keeper process. The keeper stops the server when this process ends in any way. Installs a
 * missing program with apt if possible. Throws the reason if it cannot start a server.
 */
export async function startMysqlServer(options: ServerOptions = {}): Promise<MysqlServer> {
  const stdio: StdioOptions = ['ignore', 2, 2, 'ipc']
  const args = [JSON.stringify(options)]
  const keeper = fork(import.meta.filename, args, { detached: true, execArgv: [], stdio })
  const url = await new Promise<string>((resolve, reject) => {
    keeper.once('message', ({ url: told, reason }: Told) => {
      if (told === undefined) reject(new Error(reason))
      else resolve(told)
    })
    keeper.once('disconnect', () => {
      reject(new Error('The process that was to run the server ended without a reason.'))
    })
  })
  keeper.unref()
  keeper.channel?.unref()
  const stop = async (): Promise<void> => {
    // The keeper has already ended, because its server had died.
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
  engine = 'mariadb',
  folder: kept,
  settings = CARELESS_SETTINGS,
  url: before,
}: ServerOptions): Promise<void> {
  const end = new Promise((resolve) => {
    // npm forwards a Ctrl-C that this process also receives. The second signal must not end the process before its
    // server.
    for (const event of ['disconnect', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.on(event, resolve)
  })
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'gloss-mysql-'))
  let server: ChildProcess | undefined
  try {
    const program = provideProgram(engine)
    // A server deletes at its start the temporary tables of all other servers that use the same folder for them.
    process.env['TMPDIR'] = join(folder, 'tmp')
    mkdirSync(process.env['TMPDIR'], { recursive: true })
    const user = process.getuid?.() === 0 ? ['--user=root'] : []
    const data = [`--datadir=${join(folder, 'data')}`, ...user]
    if (!existsSync(join(folder, 'data', 'mysql'))) program.initialize(data)
    const url = before ?? `mysql://gloss:${randomBytes(12).toString('hex')}@127.0.0.1:${await freePort()}/`
    const [file = '', ...args] = [...program.command, ...data, ...placed(folder, url), ...SETTINGS]
    // The server has its own process group, so that Ctrl-C reaches only this process.
    server = spawn(file, [...args, ...program.settings, ...settings], { stdio: 'ignore', detached: true })
    await untilAnswering(url, server, join(folder, 'error.log'))
    if (process.send === undefined) console.log(`${url}\nCtrl-C stops the server and removes its data.`)
    else if (process.connected) process.send({ url } satisfies Told)
    await Promise.race([end, once(server, 'exit')])
  } finally {
    if (server?.exitCode === null && server.signalCode === null) {
      const exit = once(server, 'exit')
      // Only persistent data needs an orderly shutdown.
      server.kill(kept === undefined ? 'SIGKILL' : 'SIGTERM')
      await exit
    }
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The options for the address and the files of a server with this URL. The server creates the user of the URL at its
 * start.
 */
function placed(folder: string, url: string): string[] {
  const { password, port } = new URL(url)
  const init = join(folder, 'init.sql')
  writeFileSync(
    init,
    `DROP USER IF EXISTS 'root'@'127.0.0.1', 'gloss'@'127.0.0.1';
CREATE USER 'gloss'@'127.0.0.1' IDENTIFIED BY '${password}';
GRANT ALL ON *.* TO 'gloss'@'127.0.0.1' WITH GRANT OPTION;
`,
  )
  return [
    ...['--bind-address=127.0.0.1', `--port=${port}`, `--init-file=${init}`],
    ...[`--log-error=${join(folder, 'error.log')}`, `--socket=${join(folder, 'socket')}`],
    `--pid-file=${join(folder, 'pid')}`,
  ]
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
  throw new Error(`The database server did not start:\n${reason}`)
}

if (import.meta.main) {
  // There is no `await`: jest loads this module with `require`, which does not allow top-level await.
  keep(JSON.parse(process.argv[2] ?? '{}') as ServerOptions).then(
    () => {
      process.exit()
    },
    (error: unknown) => {
      const reasons: string[] = []
      for (let cause = error; cause instanceof Error; cause = cause.cause) reasons.push(cause.message)
      const reason = reasons.join('\n')
      const exit = (): void => process.exit(1)
      if (process.connected) process.send?.({ reason } satisfies Told, exit)
      else {
        console.error(reason)
        exit()
      }
    },
  )
}
