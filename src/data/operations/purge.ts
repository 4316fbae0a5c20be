/** Frees the space of deleted values in small steps, while the service runs. */
import { ServiceError } from '../../model/errors.ts'
import { join, sql, raw, type Sql } from '../database/connection/sql.ts'
import type { Store } from '../store/store.ts'
import type { Caller, WriteTx } from '../store/views.ts'
import { returnFreePages } from './free-pages.ts'

const ROWS_AT_ONCE = 1000

/** Long values of a thousand objects have very many parts. */
const NEVER = new AbortController().signal

/** A writer that found the tag just before its deletion may still be about to write to it. */
const GRACE_MICROSECONDS = 60 * 60 * 1_000_000

/**
 * Deletes the remaining rows of deleted tags, and returns free pages to the disk, in short transactions. Says meanwhile how
 * many free pages are `left`.
 */
export async function purge(store: Store, caller: Caller, left?: (pages: number) => void): Promise<void> {
  const tags = await store.read(caller, (tx) =>
    tx.table('tag_purges').select('tag_id', 'deleted_at').orderBy('tag_id'),
  )
  for (const { tag_id: tagId, deleted_at: deletedAt } of tags) {
    for (const table of ['terms', 'value_parts', 'tag_values'] as const) {
      while (await store.write(caller, (tx) => purgeSome(tx, table, tagId), NEVER));
    }
    await store.write(caller, async (tx) => {
      // A time of deletion in the future comes from a wrong clock.
      if (Math.abs(tx.now - deletedAt) < GRACE_MICROSECONDS) return
      await tx.table('tag_purges').where('tag_id', tagId).del()
    })
  }
  await returnFreePages(store, caller, left)
}

/** The columns that order a tag's rows, the object last. */
const KEYS = {
  terms: ['term', 'object_id'],
  value_parts: ['object_id'],
  tag_values: ['object_id'],
} as const

/** Deletes a tag's first rows by key ranges: a LIMIT would read the rows already deleted again. */
async function purgeSome<V>(tx: WriteTx<V>, table: keyof typeof KEYS, tagId: number): Promise<boolean> {
  const [from, columns] = [raw(table), KEYS[table]]
  const key = raw(columns.join(', '))
  const next = await tx.one<Record<string, Buffer>>(sql`
    SELECT ${key} FROM ${from} WHERE tag_id = ${tagId} ORDER BY ${key} LIMIT 1 OFFSET ${raw(String(ROWS_AT_ONCE))}`)
  const ranges = next === undefined ? [raw('')] : rangesBefore(columns, next)
  for (const range of ranges) await tx.run(sql`DELETE FROM ${from} WHERE tag_id = ${tagId} ${range}`)
  return next !== undefined
}

/** Conditions that together hold for all keys before this one: each is a range of the index. */
function rangesBefore(columns: readonly string[], key: Readonly<Record<string, Buffer>>): Sql[] {
  return columns.map((column, i) => {
    const same = columns.slice(0, i).map((one) => sql`AND ${raw(one)} = ${key[one] ?? null}`)
    return sql`${join(same, ' ')} AND ${raw(column)} < ${key[column] ?? null}`
  })
}

/** How many deleted tags still have remaining rows, or may soon get some. Throws as `readRow`. */
export async function purgeBacklog(store: Pick<Store, 'readRow'>): Promise<number> {
  const row = await store.readRow<{ tags: number }>(sql`SELECT COUNT(*) AS tags FROM tag_purges`)
  return row?.tags ?? 0
}

const INTERVAL_MS = 60_000

/** Purges every minute until `stop` is called. Faults go to `report`; the next round tries again. */
export function startPurging(
  store: Store,
  caller: Caller,
  report: (error: unknown) => void,
): { stop: () => void } {
  let running = false
  const round = async (): Promise<void> => {
    if (running) return
    running = true
    try {
      await purge(store, caller)
    } catch (error) {
      // Another process may be deleting the same rows, or the database may be unavailable for a moment.
      if (!(error instanceof ServiceError)) report(error)
    } finally {
      running = false
    }
  }
  const timer = setInterval(() => void round(), INTERVAL_MS)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
    },
  }
}
