/** Provides the server for a project of jest's configuration: the one in `TEST_DATABASE_URL`, or a private one. */
import { appendFileSync } from 'node:fs'
import { connectTo } from './database.ts'
import { ENGINES, type Engine } from './engines.ts'
import { CHOICES } from './mysql-programs.ts'
import { startMysqlServer, type MysqlServer } from './mysql-server.ts'

declare global {
  /** The private servers, for the global teardown. */
  var testServers: Map<Engine, MysqlServer> | undefined
}

/** The server of a project. */
export interface ServerOfProject {
  readonly project: Engine
  /** The engine of the private server; undefined if there is none. */
  readonly engine?: Engine
  readonly url?: string
  /** The version that the server reports. */
  readonly version?: string
  /** The reasons why the engine in the project's name, and each other engine, were not available. */
  readonly missing: Readonly<Partial<Record<Engine, string>>>
}

/** The variable with a `ServerOfProject` as JSON, for the processes that run tests. */
export const variableOf = (project: string): string => `TEST_SERVER_${project.toUpperCase()}`

/**
 * Starts the server of a project before its tests, and records it in the file `TEST_SERVERS`. In a run with a seed the
 * other engine replaces a missing one; otherwise a missing engine is an error.
 */
export async function provideServer(project: Engine): Promise<void> {
  const found = await serverOf(project)
  process.env[variableOf(project)] = JSON.stringify(found)
  const { TEST_SERVERS: file } = process.env
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(found)}\n`)
  if (found.version === undefined) throw new Error([...Object.values(found.missing), CHOICES].join('\n'))
}

async function serverOf(project: Engine): Promise<ServerOfProject> {
  const { TEST_DATABASE_URL: named, TEST_SEED: seed } = process.env
  if (named) return { project, url: named, version: await namedVersion(named), missing: {} }
  const instead = seed === undefined ? [] : ENGINES.filter((engine) => engine !== project)
  const missing: Partial<Record<Engine, string>> = {}
  for (const engine of [project, ...instead]) {
    try {
      const { url } = await privateServer(engine)
      return { project, engine, url, version: await versionOf(url), missing }
    } catch (error) {
      missing[engine] = error instanceof Error ? error.message : String(error)
    }
  }
  return { project, missing }
}

async function privateServer(engine: Engine): Promise<MysqlServer> {
  const servers = (globalThis.testServers ??= new Map<Engine, MysqlServer>())
  const server = servers.get(engine) ?? (await startMysqlServer({ engine }))
  servers.set(engine, server)
  return server
}

async function versionOf(url: string): Promise<string> {
  const connection = await connectTo(url)
  const [rows] = await connection.query('SELECT VERSION() AS version').finally(() => connection.end())
  return (rows as { version: string }[])[0]?.version ?? ''
}

async function namedVersion(url: string): Promise<string> {
  try {
    return await versionOf(url)
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    throw new Error(`TEST_DATABASE_URL is set, but its server cannot be used (${reason}). ${CHOICES}`, {
      cause: error,
    })
  }
}
