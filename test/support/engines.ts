/** Selects the servers, and their versions, on which tests of stores run in addition to SQLite. */
import { createHash } from 'node:crypto'

export const ENGINES = ['mariadb', 'mysql'] as const
export type Engine = (typeof ENGINES)[number]

/** The versions of MySQL with long-term support. Support for other versions ends after three months. */
const MYSQL_LTS = ['9.7', '8.4']

export const ENGINE_NAMES: Readonly<Record<Engine, string>> = {
  mariadb: 'MariaDB',
  mysql: `MySQL LTS (${MYSQL_LTS.join(' or ')})`,
}

/** The long-term version, such as `9.7` for `9.7.4-2`; undefined for other versions. */
export const ltsOf = (version: string): string | undefined =>
  MYSQL_LTS.find((lts) => version.startsWith(`${lts}.`))

/** The server for a test file in a run with this seed. `file` is relative to the root of the project. */
export function engineOf(file: string, seed: string): Engine {
  return ENGINES[octetOf(file, seed) % ENGINES.length] as Engine
}

/** Returns whether a case belongs to the tenth that runs with this seed. */
export const isOfTenth = (name: string, seed: string): boolean => octetOf(name, seed) < 0x100 / 10

/** A pseudorandom number below 256, determined by the text and the seed. */
function octetOf(text: string, seed: string): number {
  const [octet = 0] = createHash('sha256').update(`${seed} ${text}`).digest()
  return octet
}
