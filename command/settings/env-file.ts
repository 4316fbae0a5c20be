/** The file `.env` of the current folder, as `gloss init` writes it. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { Failure } from '../../common/failure.ts'
import { tell } from '../terminal/terminal.ts'

export const ENV_FILE = '.env'

/** Tells worker processes that their environment already contains the variables of the file. */
const READ = 'GLOSS_ENV_READ'

/** The file and the variables from it. */
export interface EnvFile {
  readonly file: string
  /** The variables that come from the file because the environment lacks them. */
  readonly names: ReadonlySet<string>
}

/**
 * Adds the variables of the file to the environment of this process, which takes precedence, and returns the file.
 * Returns undefined if there is none. Throws a `Failure` if it cannot read the file.
 */
export function readEnvFile(): EnvFile | undefined {
  const file = resolve(ENV_FILE)
  if (process.env[READ] === file || !existsSync(file)) return undefined
  const given = Object.entries(contentOf(file)).filter(([name]) => !(name in process.env))
  for (const [name, value] of given) process.env[name] = value ?? ''
  process.env[READ] = file
  tell(`Settings are also read from ${file}`)
  return { file, names: new Set(given.map(([name]) => name)) }
}

function contentOf(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Failure(`'${file}' cannot be read: ${(error as Error).message}`, 'mend it, or delete it', 1, {
      cause: error,
    })
  }
}

/** The text of such a file. Throws a `Failure` for a value that cannot be quoted. */
export const envText = (variables: Readonly<Partial<Record<string, string>>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value ?? '')}\n`)
    .join('')

/** Node knows only the escape \n in double quotes, so the value must not contain its own quotes. */
function quoted(value: string): string {
  if (/^[\w./:@%?&=,+-]*$/.test(value)) return value
  const quote = ["'", '`'].find((one) => !value.includes(one))
  if (quote === undefined) {
    throw new Failure(`a value with both ' and \` cannot stand in ${ENV_FILE}`, 'percent-encode one of them')
  }
  return `${quote}${value}${quote}`
}
