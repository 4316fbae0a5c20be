/** Finds what was there before a change. */
import { readValue, type Client } from '../../packages/client/index.ts'
import { foldPath } from '../../src/model/paths.ts'
import type { Address } from '../connection/addresses.ts'
import type { Attempt, Entry, Known, Reader } from './reading.ts'
import { isAddressable } from './reading.ts'
import { keyOf, stateOf, stateText, type ObjectChange, type State } from './states.ts'

/** The values that a change writes on an object, by the path of the tag; null for those that it deletes. */
export interface Write {
  readonly target: Address
  readonly values: ReadonlyMap<string, State>
}

/** What can be taken back of a change, and whether an about value is too long for that. */
export interface Before {
  readonly changes: readonly ObjectChange[]
  readonly isCut: boolean
}

/** Finds the states before a change. */
export class Keeper {
  readonly #client: Client
  readonly #reader: Reader
  readonly #attempt: Attempt

  constructor(client: Client, reader: Reader, attempt: Attempt) {
    this.#client = client
    this.#reader = reader
    this.#attempt = attempt
  }

  /** The states before these writes. Of several writes of one object, the later ones count. */
  async before(writes: readonly Write[]): Promise<Before> {
    const objects = merged(writes)
    const named = objects.filter(({ target }) => isAddressable(target))
    const tags = [...new Set(named.flatMap(({ values }) => [...values.keys()]))]
    const current = await this.#reader.read(
      named.map(({ target }) => target),
      tags,
    )
    const changes: ObjectChange[] = []
    for (const { target, values } of named) {
      const change = await this.changed(target, current.objects.get(keyOf(target)), values)
      if (Object.keys(change.values).length > 0) changes.push(change)
    }
    return { changes, isCut: named.length < objects.length }
  }

  /** The change of an object that the store has or does not have; without values that stay what they are. */
  async changed(target: Address, known: Known | undefined, values: Write['values']): Promise<ObjectChange> {
    const changed: Record<string, readonly [State, State]> = {}
    for (const [tag, after] of values) {
      if (this.#reader.unreadable.has(tag)) continue
      const entry = known?.values[tag]
      const before =
        known === undefined || entry === undefined ? null : await this.#stateOf(known.id, tag, entry)
      const text = stateText(before)
      if (text === undefined || text !== stateText(after)) changed[tag] = [before, after]
    }
    return { target, values: changed }
  }

  /** The state of a value in an answer: of an opaque value it reads the octets. */
  async #stateOf(id: string, tag: string, entry: Entry): Promise<State> {
    if ('value' in entry) return { value: entry.value }
    let state: State = null
    // A refusal means that somebody has just deleted the value.
    await this.#attempt(async () => {
      state = stateOf(await readValue(this.#client, { id, tag }))
    })
    return state
  }
}

/** One write for each object, with folded paths. */
function merged(writes: readonly Write[]): Write[] {
  const objects = new Map<string, { target: Address; values: Map<string, State> }>()
  for (const { target, values } of writes) {
    const key = keyOf(target)
    const object = objects.get(key) ?? { target, values: new Map<string, State>() }
    for (const [tag, state] of values) object.values.set(foldPath(tag), state)
    objects.set(key, object)
  }
  return [...objects.values()]
}
