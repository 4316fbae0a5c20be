/** Asking for a password that is to be set. */
import { ask, warn } from '../terminal/terminal.ts'

/** Asks twice, until both are the same. Throws a `Failure` if nobody is there, `instead` being what to do then. */
export async function askNewPassword(user: string, instead: string): Promise<string> {
  for (;;) {
    const password = await ask(`New password of ${user}: `, { hidden: true, instead })
    const again = await ask('The same again: ', { hidden: true, instead })
    if (password === again && password !== '') return password
    warn(password === '' ? 'It must not be empty.' : 'These were not the same.')
  }
}
