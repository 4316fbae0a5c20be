/** A store in whose place another one can be put while it is used. */
import type { Store } from '../src/data/store/store.ts'

export interface Exchangeable {
  /** Whichever store is in place. */
  readonly store: Store
  /** Closes the store in place, once nobody uses it, and then opens the next one, for which whoever comes now waits. */
  readonly exchange: (open: () => Store) => Promise<void>
}

/** Begins with a store that is open. */
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
      glance: (statement) => use((store) => store.glance(statement)),
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
