/** Takes back one value after another: lists, opaque values, and texts that are too long for queries. */
import { readValue, writeValue, type Client, type Stored } from '../../packages/client/index.ts'
import { ServiceError } from '../../packages/client/service-error.ts'
import { Failure } from '../failure.ts'
import type { Attempt } from './reading.ts'
import { areSame, stateOf, valueOf, type State } from './states.ts'
import type { Fate } from './tally.ts'

/** A value that a change has written. */
export interface Single {
  /** The id of its object. */
  readonly id: string
  readonly tag: string
  readonly before: State
  readonly after: State
}

/** How often a value is read again when somebody has changed it between reading and writing. */
const ROUNDS = 3

/** The classes of errors that mean that there is no value. */
const ABSENT = ['TNoInstanceOnObject', 'TNonexistentTag', 'NoSuchObject']

/** Takes back a value, on the condition that it is still what the change wrote. With `isDry`, it only tells its fate. */
export async function takeBackSingle(
  client: Client,
  attempt: Attempt,
  single: Single,
  isDry: boolean,
): Promise<Fate> {
  const { before, after } = single
  const done = before === null ? 'removed' : 'back'
  for (let round = 0; round < ROUNDS; round++) {
    const stored = await read(client, attempt, single)
    const now = stored === undefined ? null : stateOf(stored)
    if (await areSame(now, before)) return round === 0 ? 'same' : done
    if (!(await areSame(now, after))) return 'left'
    if (isDry || (await isWritten(client, attempt, single, stored?.etag))) return done
  }
  return 'left'
}

async function read(client: Client, attempt: Attempt, { id, tag }: Single): Promise<Stored | undefined> {
  let stored: Stored | undefined
  const reason = await attempt(async () => {
    try {
      stored = await readValue(client, { id, tag })
    } catch (error) {
      if (!(error instanceof ServiceError) || !ABSENT.includes(error.errorClass ?? '')) throw error
    }
  })
  if (reason !== undefined) throw new Failure(reason, 'run it again')
  return stored
}

/** Writes the state before, or deletes the value. Returns false if the value has changed meanwhile. */
async function isWritten(
  client: Client,
  attempt: Attempt,
  { id, tag, before }: Single,
  etag: string | undefined,
): Promise<boolean> {
  const condition = etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag }
  let isDone = true
  const reason = await attempt(async () => {
    try {
      if (before === null) await client.deleteValue({ object_id: id, tag_path: tag }, condition)
      else if (!('sha256' in before)) await writeValue(client, { id, tag }, valueOf(before), condition)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.errorClass !== 'TPreconditionFailed') throw error
      isDone = false
    }
  })
  if (reason !== undefined) throw new Failure(reason, 'run it again, or take the value back by hand')
  return isDone
}
