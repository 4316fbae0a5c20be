/** Reads the settings of a service, and explains why a service cannot start or open its store. */
import { readConfig, type Config } from '../../src/settings/config.ts'
import { startTrouble } from '../../src/process/start-failure.ts'
import { Failure } from '../../common/failure.ts'
import { readEnvFile } from './env-file.ts'

/** Reads `.env` and the environment. Throws a `Failure` that lists all faults in them. */
export function readSettings(): Config {
  readEnvFile()
  try {
    return readConfig(process.env)
  } catch (error) {
    throw new Failure((error as Error).message, 'gloss config print shows each setting, and where it is from')
  }
}

/** Converts an error of the store or the system to a `Failure`, with the text of a failed start. */
export function startingFailure(error: unknown, config: Pick<Config, 'databaseUrl'>): Failure {
  if (error instanceof Failure) return error
  const { what, remedy } = startTrouble(error, config)
  return new Failure(what, remedy, 1, { cause: error })
}
