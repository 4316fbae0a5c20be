/** Reports at the end of a test run which database servers it used. */
import { ENGINE_NAMES, ENGINES, type Engine } from '../test/support/engines.ts'
import type { ServerOfProject } from '../test/support/server-of-project.ts'

/** The server of each project, from the notes of `provideServer`; a note is a line of JSON. */
export const readServers = (notes: string): ServerOfProject[] =>
  notes
    .split('\n')
    .filter(Boolean)
    .map((note) => JSON.parse(note) as ServerOfProject)

/** Returns whether one of the servers was missing, which fails a run with `CI` set. */
export const missedIn = (servers: readonly ServerOfProject[]): boolean =>
  servers.some(({ missing }) => Object.keys(missing).length > 0)

const NAMES: Readonly<Record<Engine, string>> = { mariadb: 'MariaDB', mysql: 'MySQL' }

function serverName({ engine, version = '' }: ServerOfProject): string {
  return engine === undefined
    ? `${version}, which TEST_DATABASE_URL names`
    : `${NAMES[engine]} ${version.replace(/-.*/, '')}`
}

/** Lists the servers that the run used, and the missing ones. */
export function describeServers(servers: readonly ServerOfProject[], seed: string | undefined): string[] {
  const used = new Set(servers.filter(({ version }) => version !== undefined).map(serverName))
  const by = seed === undefined ? '' : ` (TEST_SEED=${seed})`
  return [
    ...(used.size === 0 ? [] : [`The tests about stores ran on ${[...used].sort().join(' and ')}${by}.`]),
    ...servers.flatMap((server) =>
      ENGINES.flatMap((engine) => {
        const reason = server.missing[engine]?.split('\n')[0]?.replace(/\.?$/, '.')
        const instead = server.version === undefined ? '' : ` Its test files ran on ${serverName(server)}.`
        return reason === undefined ? [] : [`NOT TESTED on ${ENGINE_NAMES[engine]}: ${reason}${instead}`]
      }),
    ),
  ]
}
