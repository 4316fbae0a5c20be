/** Tables of very many keys, in which no single step takes long. */

/** How many keys a table should have: one that grows moves all its keys at once. */
const TABLE_KEYS = 4_000

/** A map that is spread over tables by a hash that clients cannot foresee. */
export class SpreadMap<V, K extends string = string> {
  readonly #tables: Map<K, V>[]

  /** For about `keys` keys; it takes any number. */
  constructor(keys: number) {
    this.#tables = Array.from({ length: Math.max(1, Math.ceil(keys / TABLE_KEYS)) }, () => new Map<K, V>())
  }

  get(key: K): V | undefined {
    return this.#tableOf(key).get(key)
  }

  set(key: K, value: V): void {
    this.#tableOf(key).set(key, value)
  }

  /** Returns whether the key was there. */
  delete(key: K): boolean {
    return this.#tableOf(key).delete(key)
  }

  /** The keys, table by table. They may be deleted meanwhile. */
  *keys(): Generator<Iterable<K>> {
    for (const table of this.#tables) yield table.keys()
  }

  #tableOf(key: K): Map<string, V> {
    return this.#tables[this.#tables.length === 1 ? 0 : hashOf(key) % this.#tables.length] as Map<K, V>
  }
}

const { imul } = Math

const SEED = Math.trunc(Math.random() * 2 ** 30) * 2 + 1

function hashOf(key: string): number {
  let hash = SEED
  for (let at = 0; at < key.length; at++) hash = imul(hash ^ key.charCodeAt(at), SEED)
  // The upper bits depend on every character.
  return (hash ^ (hash >>> 15)) >>> 0
}
