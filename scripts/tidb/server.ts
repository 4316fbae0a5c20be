/** Runs a TiDB server in one process with its own store (unistore), for tests without measurements. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { freePort } from '../../test/support/ports.ts'

const TIDB = 'github.com/pingcap/tidb'
/** A commit of the master branch, between 8.4 and 8.5. */
const COMMIT = '20241125141335-ec8b81b98edc'
const VERSION = `v1.1.0-beta.0.${COMMIT}`

/** TiDB's `replace` directives, which Go ignores in dependencies; the parser is a separate module. */
const MODULE = `module gloss.test/tidb

go 1.23

require (
	${TIDB} ${VERSION}
	${TIDB}/pkg/parser v0.0.0-${COMMIT}
)

replace (
	github.com/go-ldap/ldap/v3 => github.com/YangKeao/ldap/v3 v3.4.5-0.20230421065457-369a3bab1117
	sourcegraph.com/sourcegraph/appdash => github.com/sourcegraph/appdash v0.0.0-20190731080439-ebfcffb1b5c0
	sourcegraph.com/sourcegraph/appdash-data => github.com/sourcegraph/appdash-data v0.0.0-20151005221446-73f23eafcf67
)
`

/** Builds the server from its Go module into a folder, unless it is there; returns its path. Needs Go 1.23 or later. */
export function buildTidb(folder: string): string {
  const program = join(folder, 'tidb-server')
  if (existsSync(program)) return program
  const build = join(folder, 'build')
  mkdirSync(build, { recursive: true })
  writeFileSync(join(build, 'go.mod'), MODULE)
  // The build changes no files outside the folder, and the user can delete all of it.
  const env = {
    ...process.env,
    GOMODCACHE: join(build, 'modules'),
    GOCACHE: join(build, 'cache'),
    GOPATH: join(build, 'path'),
    GOTMPDIR: build,
    GOWORK: 'off',
    GOFLAGS: '-mod=mod -buildvcs=false -modcacherw',
  }
  const go = (...args: readonly string[]): void => {
    const { status, error } = spawnSync('go', args, { cwd: build, env, stdio: ['ignore', 2, 2] })
    if (status !== 0) throw new Error(`go ${args.join(' ')} failed`, { cause: error })
  }
  go('mod', 'download', TIDB)
  const sums = join(build, 'go.sum')
  copyFileSync(join(env.GOMODCACHE, `${TIDB}@${VERSION}`, 'go.sum'), sums)
  chmodSync(sums, 0o644)
  go('build', '-o', 'tidb-server', '-ldflags', '-s -w', `${TIDB}/cmd/tidb-server`)
  renameSync(join(build, 'tidb-server'), program)
  rmSync(build, { recursive: true })
  return program
}

/** A running server. */
export interface Tidb {
  /** The URL, for a user with all privileges. */
  readonly url: string
  readonly version: string
  stop(): Promise<void>
}

/** Starts a server with new data. */
export async function startTidb(program: string): Promise<Tidb> {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-tidb-'))
  const port = await freePort()
  const log = join(folder, 'log')
  const where = ['-store', 'unistore', '-path', join(folder, 'data'), '-host', '127.0.0.1', '-socket', '']
  const ports = ['-P', String(port), '-status', String(await freePort())]
  const server = spawn(program, [...where, ...ports, '-log-file', log], { stdio: 'ignore' })
  const kill = (): void => void server.kill('SIGKILL')
  process.once('exit', kill)
  const stop = async (): Promise<void> => {
    const end = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : undefined
    kill()
    await end
    process.off('exit', kill)
    rmSync(folder, { recursive: true })
  }
  const url = `mysql://root@127.0.0.1:${String(port)}/`
  while (server.exitCode === null) {
    const version = await versionAt(url)
    if (version !== undefined) return { url, version, stop }
    await sleep(200)
  }
  const said = readFileSync(log, 'utf8')
  await stop()
  throw new Error(`${program} did not start:\n${said}`)
}

async function versionAt(url: string): Promise<string | undefined> {
  try {
    const connection = await createConnection(url)
    const [rows] = await connection.query('SELECT VERSION() AS version')
    await connection.end()
    return (rows as { version: string }[])[0]?.version
  } catch {
    return undefined
  }
}
