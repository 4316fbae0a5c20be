/** `gloss user reset`: sets a password in the store itself, for a superuser's password that is lost. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { SERVICE, updateUser } from '../../src/data/entities/users.ts'
import { permitUserChange } from '../../src/data/permissions/user-rights.ts'
import type { Store } from '../../src/data/store/store.ts'
import { hashPassword } from '../../src/http/credentials/passwords.ts'
import { openLog } from '../../src/observing/log.ts'
import type { Config } from '../../src/settings/config.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { givenPassword } from '../connection/connect.ts'
import { tell, warn } from '../terminal/terminal.ts'
import { onStore, print } from './kept-store.ts'

interface Options {
  readonly newPasswordFile?: string
}

export async function run([username = '']: readonly string[], options: Options): Promise<number> {
  const given = givenPassword(options.newPasswordFile, 'GLOSS_NEW_PASSWORD')
  return onStore(async (store, { config }) => {
    if (given !== undefined && [...given].length < config.minPasswordLength)
      throw misuse(
        `the password must have at least ${String(config.minPasswordLength)} characters`,
        'choose a longer one',
      )
    const password = given ?? randomBytes(16).toString('base64url')
    await reset(store, username, password)
    tell(`The password of ${username} is set.${given === undefined ? ' It is shown this once:' : ''}`)
    if (given === undefined) print(password)
    await note(config, username).catch((error: unknown) => {
      warn(`The log does not have this change: ${(error as Error).message}`)
    })
    return STATUS.done
  })
}

async function reset(store: Store, username: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  try {
    await store.write(SERVICE, async (tx) => {
      await updateUser(tx, await permitUserChange(tx, 'update', username), { passwordHash })
    })
  } catch (error) {
    const { errorClass = '' } = error as { readonly errorClass?: string }
    const what = REFUSALS[errorClass]
    throw what === undefined ? error : new Failure(`'${username}' ${what}`, '')
  }
}

const REFUSALS: Readonly<Partial<Record<string, string>>> = {
  TNoSuchUser: 'is no user of this store',
  TInvalidUsername: 'stands for requests without credentials, and has no password',
}

/** Adds the change to the log of the service, if that is a file: this process would make the file its own. */
async function note(config: Config, username: string): Promise<void> {
  if (config.logFile === undefined || !existsSync(config.logFile)) return
  const log = openLog(config)
  log.note({ event: 'password changed', username, by: SERVICE.username })
  await log.finish()
}
