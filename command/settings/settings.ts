/** The settings of a service, and what to say when it cannot be started or its store not be opened. */
import { readConfig, type Config } from '../../src/settings/config.ts'
import { startTrouble } from '../../src/process/start-failure.ts'
import { Failure } from '../../shared/failure.ts'
import { readEnvFile } from './env-file.ts'

/** Reads `.env` and the environment. Throws a `Failure` that lists everything wrong with them. */
export function readSettings(): Config {
  readEnvFile()
  try {
    return readConfig(process.env)
  } catch (error) {
    throw new Failure((error as Error).message, 'gloss config print shows each setting, and where it is from')
  }
}

/** An error of the store or the system as a `Failure`, in the words of a start that fails. */
export function startingFailure(error: unknown, config: Pick<Config, 'databaseUrl'>): Failure {
  if (error instanceof Failure) return error
  const { what, remedy } = startTrouble(error, config)
  return new Failure(what, remedy, 1, { cause: error })
}
