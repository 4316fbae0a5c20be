/** `gloss login`: stores a service and a user, after the service has confirmed the password. */
import {
  askPassword,
  clientOf,
  givenPassword,
  serviceUrl,
  type ConnectionOptions,
} from '../connection/connect.ts'
import { DEFAULT_PROFILE, keepProfile, profilesFile } from '../connection/profiles.ts'
import { ask, tell } from '../terminal/terminal.ts'

export async function run([argument]: readonly string[], options: ConnectionOptions): Promise<undefined> {
  const url = serviceUrl(argument ?? options.url ?? process.env['GLOSS_URL'] ?? 'http://127.0.0.1:8080')
  const user =
    options.as ?? process.env['GLOSS_USER'] ?? (await ask('User: ', { instead: 'name the user by --as' }))
  const password = givenPassword(options.passwordFile) ?? (await askPassword(user))
  await clientOf({ url, user, password }, options).getUser({ username: user })
  const name = options.profile ?? DEFAULT_PROFILE
  keepProfile(name, { url, user, password })
  tell(`Signed in to ${url} as ${user}. The profile '${name}' is kept in ${profilesFile()}, for you alone.`)
  return undefined
}
