/** Entity tags, and a request's conditions on what is there now (RFC 9110, 13). */
import { createHash } from 'node:crypto'
import type { ValueHead } from '../../data/values/reading.ts'
import { ServiceError } from '../../model/errors.ts'

/** The conditions of a write: lists of entity tags as sent. */
export interface Preconditions {
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** What a PUT can change of a thing, and what tells the thing from another in its place. */
export type State = readonly (string | boolean | null)[]

/** The entity tag of a stored value. Every write changes it, and so does a move of another tag to the path. */
export const entityTag = ({ updatedAt, type, sizeBytes, tagId }: ValueHead): string =>
  `"${updatedAt.toString(36)}-${type}-${sizeBytes.toString(36)}-${tagId.toString(36)}"`

/**
 * The entity tag of an answer that shows a state: the same in every process, and wherever the state is the same. What the answer
 * shows besides is behind a dot; a write does not compare it.
 */
export const stateTag = (state: State, besides: object = {}): string =>
  Object.keys(besides).length === 0 ? `"${digestOf(state)}"` : `"${digestOf(state)}.${digestOf(besides)}"`

const digestOf = (parts: object): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, DIGEST_CHARACTERS)

/** 96 bits: nobody finds two states with the same digest by chance. */
const DIGEST_CHARACTERS = 16

/**
 * A function that throws `TPreconditionFailed` if the current value, or its absence, does not meet the conditions of a write.
 * Undefined if there are none.
 */
export function checkOf(conditions: Preconditions): ((current: ValueHead | undefined) => void) | undefined {
  if (!areThere(conditions)) return undefined
  return (current) => {
    requireTag(conditions, current === undefined ? undefined : entityTag(current))
  }
}

/**
 * Checks the conditions of a write, if there are any, on a state that no other writer changes until this one commits. There is
 * none for a caller who may not read it: the result would tell what it is. Throws `TPreconditionFailed`.
 */
export async function requireState(
  conditions: Preconditions,
  read: () => Promise<State | undefined>,
): Promise<void> {
  if (!areThere(conditions)) return
  const state = await read()
  if (state === undefined) return
  const { ifMatch, ifNoneMatch } = conditions
  requireTag({ ifMatch: ofState(ifMatch), ifNoneMatch: ofState(ifNoneMatch) }, stateTag(state))
}

/** A condition without what tags have behind a dot. */
const ofState = (condition: string | undefined): string | undefined =>
  condition?.replaceAll(/\.[\w-]*"/g, '"')

const areThere = ({ ifMatch, ifNoneMatch }: Preconditions): boolean =>
  ifMatch !== undefined || ifNoneMatch !== undefined

function requireTag({ ifMatch, ifNoneMatch }: Preconditions, tag: string | undefined): void {
  const failed =
    (ifMatch !== undefined && !lists(ifMatch, tag, 'strong')) ||
    (ifNoneMatch !== undefined && lists(ifNoneMatch, tag, 'weak'))
  if (failed) throw new ServiceError('TPreconditionFailed')
}

/** Whether `If-None-Match` says that the client already has what a tag identifies. */
export const isKnown = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined && lists(ifNoneMatch, tag, 'weak')

/**
 * Whether a condition lists the tag of what is there now, if anything is. A weak tag never matches in a strong comparison.
 */
function lists(condition: string, tag: string | undefined, comparison: 'strong' | 'weak'): boolean {
  if (tag === undefined) return false
  const listed = condition.split(',').map((one) => one.trim())
  return listed.some((one) => one === '*' || one === tag || (comparison === 'weak' && one === `W/${tag}`))
}
