/** `gloss logout`: deletes a profile with its password. */
import { DEFAULT_PROFILE, forgetProfile } from '../connection/profiles.ts'
import { misuse } from '../../common/failure.ts'
import { tell } from '../terminal/terminal.ts'

export async function run([name = DEFAULT_PROFILE]: readonly string[]): Promise<undefined> {
  if (!forgetProfile(name)) throw misuse(`there is no profile '${name}'`, 'gloss login makes one')
  tell(`The profile '${name}' is forgotten.`)
  return undefined
}
