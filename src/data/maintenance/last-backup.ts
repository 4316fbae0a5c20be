/** What a store knows of its last backup. A restored store knows of none. */
import { sql } from '../database/connection/sql.ts'
import type { Store } from '../store/store.ts'
import { SERVICE } from '../entities/users.ts'

/** When a backup began, in milliseconds since 1970, and its size in octets. */
export interface LastBackup {
  readonly takenAt: number
  readonly octets: number
}

/** Remembers a backup in the store that was backed up. Rejects if the store does not let this account write. */
export const noteBackup = (store: Store, { takenAt, octets }: LastBackup): Promise<void> =>
  store.write(SERVICE, async (tx) => {
    await tx.run(sql`
      INSERT INTO last_backup (id, taken_at, octets) VALUES (1, ${takenAt}, ${octets})
      ${tx.dialect.overwrite(['id'], ['taken_at', 'octets'])}`)
  })

/** The last backup; zeros if the store knows of none. Rejects as `readRow`. */
export async function lastBackup(store: Pick<Store, 'readRow'>): Promise<LastBackup> {
  const row = await store.readRow<{ taken_at: number; octets: number }>(
    sql`SELECT taken_at, octets FROM last_backup WHERE id = 1`,
  )
  return { takenAt: row?.taken_at ?? 0, octets: row?.octets ?? 0 }
}
