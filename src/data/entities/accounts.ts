/** Accounts: the names and passwords that users sign in with. */
import { findUsername } from '../../model/paths.ts'
import { sql } from '../database/connection/sql.ts'
import type { Store } from '../store/store.ts'
import type { Caller, Role } from '../store/views.ts'
import { SERVICE } from './users.ts'

/** A user who can sign in. */
export interface Account {
  readonly caller: Caller
  readonly passwordHash: string
}

/** The account of that name; undefined if there is no such user, or the user has no password. */
export async function findAccount(store: Store, username: string): Promise<Account | undefined> {
  const name = findUsername(username)
  const row =
    name === undefined
      ? undefined
      : await store.readRow<{ id: number; role: Buffer; password_hash: Buffer | null }>(
          sql`SELECT id, role, password_hash FROM users WHERE username = ${name}`,
        )
  if (name === undefined || row?.password_hash == null) return undefined
  const caller = { userId: row.id, username: name, role: row.role.toString() as Role }
  return { caller, passwordHash: row.password_hash.toString() }
}

/**
 * Replaces the hash of a password by a hash of the same password with other parameters, and returns the account with it;
 * undefined if the password was changed or the user deleted after the account was looked up.
 */
export async function renewHash(
  store: Store,
  { caller, passwordHash }: Account,
  renewed: string,
): Promise<Account | undefined> {
  const rows = await store.write(SERVICE, (tx) =>
    tx
      .table('users')
      .where('id', caller.userId)
      .where('password_hash', passwordHash)
      .update({ password_hash: renewed }),
  )
  return rows === 1 ? { caller, passwordHash: renewed } : undefined
}
