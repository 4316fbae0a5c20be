/** Stores that a caller can replace while requests use them. */
import type { Store } from '../src/data/store/store.ts'

/** Runs work on a store. */
export type Use = <T>(work: (store: Store) => Promise<T>) => Promise<T>

export interface Exchangeable {
  readonly use: Use
  /**
   * Waits until all users of the current store have finished, closes it, and opens the next one. New requests wait for
   * the next store.
   */
  readonly exchange: (open: () => Store) => Promise<void>
  /** Waits until all users have finished, and closes the store. */
  readonly close: () => Promise<void>
}

/** `first` is an open store. */
export function exchangeable(first: Store): Exchangeable {
  let current = Promise.resolve(first)
  const used = new Set<Promise<unknown>>()
  const use: Use = async (work) => {
    const inPlace = current
    const store = await inPlace
    if (inPlace !== current) return use(work)
    const using = work(store)
    used.add(using)
    try {
      return await using
    } finally {
      used.delete(using)
    }
  }
  const closed = async (store: Store): Promise<void> => {
    await Promise.allSettled(used)
    await store.close()
  }
  return {
    use,
    exchange: async (open) => {
      current = current.then(async (store) => {
        await closed(store)
        return open()
      })
      await current
    },
    close: async () => closed(await current),
  }
}

/** A store that runs each call on the store that `find` returns at that moment. */
export const storeThrough = (find: () => Use): Store => ({
  readRow: (statement) => find()((store) => store.readRow(statement)),
  read: (caller, work) => find()((store) => store.read(caller, work)),
  scan: (caller, signal, work) => find()((store) => store.scan(caller, signal, work)),
  look: (caller, signal, work) => find()((store) => store.look(caller, signal, work)),
  write: (caller, work, signal) => find()((store) => store.write(caller, work, signal)),
  writeRow: (statement, newOf) => find()((store) => store.writeRow(statement, newOf)),
  migrate: () => find()((store) => store.migrate()),
  close: () => find()((store) => store.close()),
})
