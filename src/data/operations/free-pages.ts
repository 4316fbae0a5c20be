/** Returns the room of deleted values to the disk: SQLite keeps it as free pages in its file. */
import { raw, sql } from '../database/connection/sql.ts'
import type { Store } from '../store/store.ts'
import type { Caller, ReadTx } from '../store/views.ts'

/** A transaction of so many pages takes a few milliseconds, for which other writers wait. */
const PAGES_AT_ONCE = 200

/** The driver runs no more than the first step of this statement, which is one page. */
const MOVE_ONE = raw('PRAGMA incremental_vacuum(1)')

/**
 * Moves the last pages of the file into its free pages and cuts the file off, in short transactions, until it has no free
 * pages. `progress` gets how many are left after each. Does nothing on MySQL, which reuses the room within a table.
 */
export async function returnFreePages(
  store: Store,
  caller: Caller,
  progress: (pages: number) => void = () => undefined,
): Promise<void> {
  let pages = await store.read(caller, freePages)
  while (pages > 0) {
    pages = await store.write(caller, async (tx) => {
      await Promise.all(Array.from({ length: PAGES_AT_ONCE }, () => tx.run(MOVE_ONE)))
      return freePages(tx)
    })
    progress(pages)
  }
}

/** How many free pages a file of SQLite has that can be returned. */
async function freePages<V>(tx: ReadTx<V>): Promise<number> {
  if (tx.dialect.name !== 'sqlite') return 0
  // Mode 2 is INCREMENTAL. A file that was made in another one keeps its pages.
  const row = await tx.one<{ pages: number }>(
    sql`SELECT freelist_count AS pages FROM pragma_freelist_count, pragma_auto_vacuum WHERE auto_vacuum = 2`,
  )
  return row?.pages ?? 0
}

/**
 * Cuts off SQLite's write-ahead log, and the file at its new end; returns false if a reader, such as a backup, still needs
 * the log.
 */
export async function emptyLog(store: Pick<Store, 'readRow'>): Promise<boolean> {
  const row = await store.readRow<{ busy: number }>(raw('PRAGMA wal_checkpoint(TRUNCATE)'))
  return row?.busy === 0
}
