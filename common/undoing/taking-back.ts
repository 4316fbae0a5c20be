/** Takes changes back, value by value. A value that is not what the change wrote stays as it is. */
import type { Client } from '../../packages/client/index.ts'
import { partsOf, takeBackParts, type Pair } from './conditional-writes.ts'
import type { Attempt, Current, Entry, Reader } from './reading.ts'
import { takeBackSingle } from './single-values.ts'
import { isQueryable, keyOf, stateText, type ObjectChange, type State } from './states.ts'
import type { Fate, Tally } from './tally.ts'

/** How often values are read and written again when somebody changes some of them in between. */
const ROUNDS = 5
/** The number of concurrent requests for single values. */
const AT_ONCE = 8

/** The functions and options with which changes are taken back. */
export interface How {
  readonly client: Client
  readonly reader: Reader
  readonly attempt: Attempt
  readonly tally: Tally
  /** Whether to change nothing, and only to count. */
  readonly isDry: boolean
}

/**
 * Takes changes of different objects back. If a change wrote values of an object several times, the later ones are taken
 * back first. It can be repeated after an interruption. Throws errors that concern all values.
 */
export async function takeBack(changes: readonly ObjectChange[], how: How): Promise<void> {
  let open = changes
  for (let round = 0; round < ROUNDS && open.length > 0; round++) {
    const targets = open.map(({ target }) => target)
    const tags = [...new Set(open.flatMap(({ values }) => Object.keys(values)))]
    const current = await how.reader.read(targets, tags)
    if (round === 0) await takeBackSingles(changes, current, how)
    const pairs = open.map((change) => openPairs(change, current, how, round))
    if (how.isDry) return
    const parts = open.flatMap(({ target }, index) => partsOf(target, pairs[index] ?? []))
    await takeBackParts(how.client, how.attempt, parts)
    open = stillOpen(open, pairs)
  }
  for (const { target, values } of open)
    for (const tag of Object.keys(values)) how.tally.note(keyIn(target, tag), 'left')
}

/** The objects and values that have just been taken back: the next round sees whether their conditions held. */
const stillOpen = (changes: readonly ObjectChange[], pairs: readonly (readonly Pair[])[]): ObjectChange[] =>
  changes.flatMap(({ target }, index) => {
    const values = (pairs[index] ?? []).map(({ tag, before, after }) => [tag, [before, after]] as const)
    return values.length === 0 ? [] : [{ target, values: Object.fromEntries(values) }]
  })

const keyIn = (target: ObjectChange['target'], tag: string): string => `${tag} ${keyOf(target)}`

/** Whether the value can be taken back together with others. */
const isPair = (tag: string, [before, after]: readonly [State, State], { missing }: Current): boolean =>
  isQueryable(before) && isQueryable(after) && !(after === null && missing.has(tag))

/** The text of a stored value, with an empty text for no value; undefined for an opaque value. */
function storedText(entry: Entry | undefined): string | undefined {
  if (entry === undefined) return ''
  return 'value' in entry ? stateText(entry) : undefined
}

/** The values of an object that still are what the change wrote. Notes the fates of all values. */
function openPairs(change: ObjectChange, current: Current, { tally, isDry }: How, round: number): Pair[] {
  const { target, values } = change
  const known = current.objects.get(keyOf(target))
  const open: Pair[] = []
  for (const [tag, states] of Object.entries(values)) {
    if (!isPair(tag, states, current)) continue
    const [before, after] = states as readonly [Pair['before'], Pair['after']]
    const key = keyIn(target, tag)
    const done = before === null ? 'removed' : 'back'
    const now = tally.foreseen(key) ?? storedText(known?.values[tag])
    if (now === stateText(before)) {
      // In the first round nothing has been taken back yet.
      tally.note(key, round === 0 ? 'same' : done)
    } else if (now === stateText(after)) {
      tally.note(key, done, isDry ? stateText(before) : undefined)
      open.push({ tag, before, after })
    } else tally.note(key, 'left')
  }
  return open
}

/** Takes back the values that no query can test. */
async function takeBackSingles(changes: readonly ObjectChange[], current: Current, how: How): Promise<void> {
  const waiting = changes.flatMap(({ target, values }) =>
    Object.entries(values)
      .filter(([tag, states]) => !isPair(tag, states, current))
      .map(([tag, [before, after]]) => ({ target, tag, before, after })),
  )
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { target, tag } = next
      const id = 'id' in target ? target.id : current.objects.get(keyOf(target))?.id
      const fate: Fate =
        id === undefined ? 'same' : await takeBackSingle(how.client, how.attempt, { ...next, id }, how.isDry)
      how.tally.note(keyIn(target, tag), fate)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
