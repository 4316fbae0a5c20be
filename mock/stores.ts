/** The stores of a mock: each has faults, a journal and, in a stateful mock, data of its own. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Store } from '../src/data/store/store.ts'
import type { Data, StoreData } from './data.ts'
import { storeThrough } from './exchangeable.ts'
import { FaultPlan } from './faults.ts'
import { Journal } from './journal.ts'
import type { Faults } from './types.ts'

/** How many stores a mock has at most, besides the one without a name. */
const MOST_STORES = 16

/** The name of the store that requests without a name use. */
const MAIN = ''

/** A store of a mock. */
export interface MockedStore {
  readonly faults: FaultPlan
  readonly journal: Journal
  /** None in a mock that keeps no data. */
  readonly data: StoreData | undefined
}

/** Creates stores at their first use. */
export class Stores {
  readonly #faults: Faults
  readonly #data: Data | undefined
  readonly #print: (line: string) => void
  /** By name, the least recently used first. */
  readonly #stores = new Map<string, MockedStore>()
  readonly #asked = new AsyncLocalStorage<MockedStore>()

  constructor(faults: Faults, data: Data | undefined, print: (line: string) => void) {
    this.#faults = faults
    this.#data = data
    this.#print = print
  }

  /** The store of the current request. */
  readonly current: Store = storeThrough(() => {
    const { data } = this.#asked.getStore() ?? this.named(MAIN)
    if (data === undefined) throw new Error('the mock keeps no data')
    return data.use
  })

  /** Runs work for a request to a store. */
  within(store: MockedStore, work: () => Promise<void>): Promise<void> {
    return this.#asked.run(store, work)
  }

  /** The store of a name. A mock that has too many drops the one that has not been used for the longest time. */
  named(name = MAIN): MockedStore {
    const store = this.#stores.get(name) ?? {
      faults: new FaultPlan(this.#faults),
      journal: new Journal(),
      data: this.#data?.open(),
    }
    this.#stores.delete(name)
    this.#stores.set(name, store)
    const [oldest] = [...this.#stores.keys()].filter((one) => one !== MAIN)
    if (oldest !== undefined && this.#stores.size > MOST_STORES + 1) {
      void this.#drop(oldest)
      this.#print(`The store '${oldest}' ends: there are more than ${String(MOST_STORES)}.`)
    }
    return store
  }

  /** Restores the data and the faults of the start, or the data of a snapshot, and empties the journal. */
  async reset({ data, faults, journal }: MockedStore, snapshot?: string): Promise<void> {
    await data?.reset(snapshot)
    faults.set(this.#faults)
    journal.clear()
  }

  /** Resets the store without a name, and drops all others. */
  async resetAll(): Promise<void> {
    await Promise.all(
      [...this.#stores.keys()].filter((name) => name !== MAIN).map((name) => this.#drop(name)),
    )
    await this.reset(this.named())
  }

  /** Ends all stores, and deletes their data. */
  async close(): Promise<void> {
    await Promise.all([...this.#stores.keys()].map((name) => this.#drop(name)))
    this.#data?.remove()
  }

  async #drop(name: string): Promise<void> {
    const store = this.#stores.get(name)
    this.#stores.delete(name)
    await store?.data?.close()
  }
}
