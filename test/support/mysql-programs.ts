/** Finds the programs of the private servers on this machine, or installs them with apt if possible. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ENGINE_NAMES, ltsOf, type Engine } from './engines.ts'
import { unpackedMysql } from './mysql-lts.ts'

/** The commands for a server of one engine. */
export interface Program {
  /** Runs the server; more arguments may follow. */
  readonly command: readonly string[]
  /** Creates the system tables of a new server; `files` are the arguments with the paths. */
  readonly initialize: (files: readonly string[]) => void
  /** Settings that only this engine has. */
  readonly settings: readonly string[]
}

const MARIADB_PACKAGES = ['mariadb-server-core', 'mariadb-client-core', 'openssl']

/** The remedies for missing servers. */
export const CHOICES = `Any one of these will do:
  - TEST_DATABASE_URL=mysql://user:password@host:port/ of a running server, with a user who may create databases
  - mariadbd (Debian: apt-get install ${MARIADB_PACKAGES.join(' ')}) and mysqld of ${ENGINE_NAMES.mysql}, installed on this machine
  - a Debian-like system: as root, MariaDB is installed automatically; on Debian itself, MySQL is unpacked into var/mysql for any user`

/** The performance schema is on with few instruments: it takes about 90 MB instead of 250. */
const SMALL_PERFORMANCE_SCHEMA = [
  '--performance-schema=ON',
  '--performance-schema-instrument=%=OFF',
  '--performance-schema-digests-size=0',
  '--performance-schema-error-size=0',
  '--table-definition-cache=400',
]
const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/usr/local/mysql/bin', '/opt/homebrew/bin']

/** The program of a server. Throws if it is missing and apt cannot install it. */
export const provideProgram = (engine: Engine): Program => (engine === 'mariadb' ? mariadb() : mysql())

function mariadb(): Program {
  const server = findMariadb() ?? installMariadb()
  const [installer = ''] = findPrograms('mariadb-install-db')
  return {
    command: [server, '--no-defaults'],
    initialize: (files) => {
      const options = ['--auth-root-authentication-method=normal', '--skip-test-db']
      run(installer, ['--no-defaults', ...files, ...options])
    },
    settings: ['--performance-schema=OFF'],
  }
}

/** MariaDB has several packages. The server also needs the tools that create its system tables. */
function findMariadb(): string | undefined {
  const isUsable = ['mariadb-install-db', 'my_print_defaults'].every((name) => findPrograms(name).length > 0)
  return isUsable ? findPrograms('mariadbd')[0] : undefined
}

function installMariadb(): string {
  if (process.getuid?.() !== 0 || findPrograms('apt-get').length === 0) {
    throw new Error('No MariaDB was found on this machine.')
  }
  console.error(`No MariaDB found: installing ${MARIADB_PACKAGES.join(' and ')} by apt ...`)
  const patience = ['-o', 'DPkg::Lock::Timeout=300']
  try {
    run('apt-get', [...patience, 'update'])
    run('apt-get', [...patience, 'install', '--yes', '--no-install-recommends', ...MARIADB_PACKAGES])
  } catch (error) {
    throw new Error('MariaDB could not be installed.', { cause: error })
  }
  const installed = findMariadb()
  if (installed === undefined) throw new Error('apt has installed no usable MariaDB.')
  return installed
}

function mysql(): Program {
  const installed = findPrograms('mysqld').find((file) => ltsOf(versionOf(file)) !== undefined)
  const command = installed === undefined ? unpackedMysql() : [installed, '--no-defaults']
  return {
    command,
    initialize: (files) => {
      const [file = '', ...args] = command
      run(file, [...args, '--initialize-insecure', ...files])
    },
    settings: ['--mysqlx=OFF', ...SMALL_PERFORMANCE_SCHEMA],
  }
}

/** The version, such as `9.7.4-2`; none for MariaDB, which also has a `mysqld`. */
function versionOf(mysqld: string): string {
  const told = run(mysqld, ['--version'])
  return told.includes('MariaDB') ? '' : (/ Ver (\S+)/.exec(told)?.[1] ?? '')
}

function findPrograms(name: string): string[] {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS]
  return folders.map((folder) => join(folder, name)).filter((file) => existsSync(file))
}

/** Runs a program to its end and returns what it printed. */
function run(program: string, args: readonly string[]): string {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')} failed:\n${error?.message ?? stdout + stderr}`)
}
