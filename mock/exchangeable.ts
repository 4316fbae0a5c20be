/** A store that a caller can replace while requests use it. */
import type { Store } from '../src/data/store/store.ts'

export interface Exchangeable {
  /** The current store. */
  readonly store: Store
  /**
   * Waits until all users of the current store have finished, closes it, and opens the next one. New requests wait for
   * the next store.
   */
  readonly exchange: (open: () => Store) => Promise<void>
}

/** `first` is an open store. */
export function exchangeable(first: Store): Exchangeable {
  let current = Promise.resolve(first)
  const used = new Set<Promise<unknown>>()
  async function use<T>(work: (store: Store) => Promise<T>): Promise<T> {
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
  return {
    store: {
      readRow: (statement) => use((store) => store.readRow(statement)),
      read: (caller, work) => use((store) => store.read(caller, work)),
      scan: (caller, signal, work) => use((store) => store.scan(caller, signal, work)),
      look: (caller, signal, work) => use((store) => store.look(caller, signal, work)),
      write: (caller, work, signal) => use((store) => store.write(caller, work, signal)),
      writeRow: (statement, newOf) => use((store) => store.writeRow(statement, newOf)),
      migrate: () => use((store) => store.migrate()),
      close: () => use((store) => store.close()),
    },
    exchange: async (open) => {
      current = current.then(async (store) => {
        await Promise.allSettled(used)
        await store.close()
        return open()
      })
      await current
    },
  }
}
