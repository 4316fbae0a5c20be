/** The servers on which tests about a store run, beside SQLite, and which versions of them. */
import { createHash } from 'node:crypto'

export const ENGINES = ['mariadb', 'mysql'] as const
export type Engine = (typeof ENGINES)[number]

/** MySQL's versions with long-term support: the others have none after three months. */
const MYSQL_LTS = ['9.7', '8.4']

export const ENGINE_NAMES: Readonly<Record<Engine, string>> = {
  mariadb: 'MariaDB',
  mysql: `MySQL LTS (${MYSQL_LTS.join(' or ')})`,
}

/** The long-term version that this is, such as `9.7` of `9.7.4-2`; undefined if it is none. */
export const ltsOf = (version: string): string | undefined =>
  MYSQL_LTS.find((lts) => version.startsWith(`${lts}.`))

/** The server that runs a test file in a run of this seed. `file` begins at the project's root. */
export function engineOf(file: string, seed: string): Engine {
  const [octet = 0] = createHash('sha256').update(`${seed} ${file}`).digest()
  return ENGINES[octet % ENGINES.length] as Engine
}
