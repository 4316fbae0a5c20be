/** Asks for a new password. */
import { ask, warn } from '../terminal/terminal.ts'

/**
 * Asks twice, until both inputs are equal. Throws a `Failure` with the remedy `instead` if standard input is not a
 * terminal.
 */
export async function askNewPassword(user: string, instead: string): Promise<string> {
  for (;;) {
    const password = await ask(`New password of ${user}: `, { hidden: true, instead })
    const again = await ask('The same again: ', { hidden: true, instead })
    if (password === again && password !== '') return password
    warn(password === '' ? 'It must not be empty.' : 'These were not the same.')
  }
}
