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
  return ENGINES[octetOf(file, seed) % ENGINES.length] as Engine
}

/** Whether a case is one of the tenth that runs with this seed where a tenth is enough. */
export const isOfTenth = (name: string, seed: string): boolean => octetOf(name, seed) < 0x100 / 10

/** A number below 256 that looks like chance, the same for the same text and seed. */
function octetOf(text: string, seed: string): number {
  const [octet = 0] = createHash('sha256').update(`${seed} ${text}`).digest()
  return octet
}
