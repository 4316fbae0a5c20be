/** The superuser's first password: set at the first start, and stored nowhere in clear text. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../settings/config.ts'
import { permitUserChange } from '../data/permissions/user-rights.ts'
import type { Store } from '../data/store/store.ts'
import { findAccount } from '../data/entities/accounts.ts'
import { initializePassword, SERVICE } from '../data/entities/users.ts'
import { hashPassword, verifyPassword } from '../http/credentials/passwords.ts'

/**
 * Sets the superuser's password if there is none: the configured one, or a generated one, which `print` shows once. Prints a
 * line if the configured one differs from the one in the store. Throws as `write`, and if the configured one is needed and
 * cannot be read.
 */
export async function setFirstPassword(
  store: Store,
  { adminPassword, adminPasswordFault }: Config,
  print: (line: string) => void,
): Promise<void> {
  // Hashing leaves 20 MB of garbage, so it is done for new stores only.
  if (!(await findAccount(store, SERVICE.username))) {
    if (adminPasswordFault !== undefined) throw new Error(adminPasswordFault)
    const password = adminPassword ?? randomBytes(16).toString('base64url')
    const passwordHash = await hashPassword(password)
    const set = await store.write(SERVICE, async (tx) =>
      initializePassword(tx, await permitUserChange(tx, 'update', SERVICE.username), passwordHash),
    )
    if (set && adminPassword === undefined) {
      print(`The password of the superuser 'service' is ${password} (shown this once).`)
    }
    if (set) return
  }
  if (adminPassword !== undefined && !(await isPasswordOf(store, SERVICE.username, adminPassword))) {
    print(`ADMIN_PASSWORD is ignored: the superuser 'service' of this store has another password.`)
  }
}

async function isPasswordOf(store: Store, username: string, password: string): Promise<boolean> {
  const account = await findAccount(store, username)
  return account !== undefined && (await verifyPassword(password, account.passwordHash))
}
