/**
 * Provides MySQL with long-term support on systems without it. Debian unstable has it, with matching libraries. The
 * module unpacks both into `var/mysql`, where later runs find them, and installs nothing. Without that folder the next
 * run gets the current version of Debian unstable.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ENGINE_NAMES, ltsOf } from './engines.ts'

const VAR = join(import.meta.dirname, '..', '..', 'var')
const UNPACKED = join(VAR, 'mysql')
const PACKAGE = 'mysql-server-core'
/** The keys that sign Debian's packages. */
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/**
 * The command that runs the unpacked server; unpacks it first if necessary. Throws if it cannot unpack it, and if the
 * package is not a long-term version.
 */
export function unpackedMysql(): readonly string[] {
  if (!existsSync(UNPACKED)) unpack()
  const [loader] = globSync(join(UNPACKED, 'usr/lib/*/ld-linux*.so.*'))
  if (loader === undefined) throw new Error(`${UNPACKED} has no loader of programs.`)
  const usr = join(UNPACKED, 'usr')
  return [
    ...[loader, '--library-path', dirname(loader), join(usr, 'sbin', 'mysqld'), '--no-defaults'],
    `--basedir=${usr}`,
    `--plugin-dir=${join(usr, 'lib', 'mysql', 'plugin')}`,
    `--lc-messages-dir=${join(usr, 'share', 'mysql')}`,
    `--character-sets-dir=${join(usr, 'share', 'mysql', 'charsets')}`,
    '--secure-file-priv=NULL',
  ]
}

function unpack(): void {
  mkdirSync(VAR, { recursive: true })
  const folder = mkdtempSync(`${UNPACKED}-`)
  try {
    const apt = aptIn(folder, mirror())
    apt('update', '--error-on=any')
    const [, version = ''] =
      new RegExp(`^Inst ${PACKAGE} \\((\\S+)`, 'm').exec(apt('install', '--simulate')) ?? []
    if (ltsOf(version) === undefined) {
      throw new Error(`Debian's unstable has MySQL ${version}, which is not ${ENGINE_NAMES.mysql}.`)
    }
    console.error(`Unpacking MySQL ${version} of Debian's unstable into ${UNPACKED} ...`)
    apt('install', '--download-only')
    const root = join(folder, 'root')
    for (const file of globSync(join(folder, 'cache/archives/*.deb')))
      run('dpkg-deb', ['--extract', file, root])
    keep(root)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The address from which apt of this system gets Debian's packages. */
function mirror(): string {
  const uris = run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']).split('\n')
  const found = uris.find((uri) => /\/debian\/?$/.test(uri))
  if (found === undefined) throw new Error('This system has no mirror of Debian.')
  return found
}

/** Calls apt with its own lists and cache, in which no package is installed, so that apt also downloads all libraries. */
function aptIn(folder: string, from: string): (command: string, option: string) => string {
  for (const made of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, made), { recursive: true })
  writeFileSync(join(folder, 'sources.list'), `deb [signed-by=${KEYRING}] ${from} sid main\n`)
  writeFileSync(join(folder, 'status'), '')
  const settings = {
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::Status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    // Only installations need the lock of the system.
    'Debug::NoLocking': 'true',
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::http::Timeout': '30',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return (command, option) =>
    run('apt-get', [
      ...[...options, command, option],
      ...(command === 'install' ? ['--yes', '--no-install-recommends', PACKAGE] : []),
    ])
}

/** Another process may have created the folder first. */
function keep(root: string): void {
  try {
    renameSync(root, UNPACKED)
  } catch (error) {
    if (!existsSync(UNPACKED)) throw error
  }
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return stdout
  const reason = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
  throw new Error(`${program} failed: ${reason}\n${program} ${args.join(' ')}`)
}
