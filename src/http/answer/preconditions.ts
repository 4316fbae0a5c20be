/** Entity tags, and a request's conditions on the current value (RFC 9110, 13). */
import type { ValueHead } from '../../data/values/reading.ts'
import { ServiceError } from '../../model/errors.ts'

/** The conditions of a write: lists of entity tags as sent. */
export interface Preconditions {
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** The entity tag of a stored value; every write changes it. */
export const entityTag = (value: ValueHead): string =>
  `"${value.updatedAt.toString(36)}-${value.type}-${value.sizeBytes.toString(36)}"`

/**
 * A function that throws `TPreconditionFailed` if the current value, or its absence, does not meet the conditions of a write.
 * Undefined if there are none.
 */
export function checkOf({
  ifMatch,
  ifNoneMatch,
}: Preconditions): ((current: ValueHead | undefined) => void) | undefined {
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined
  return (current) => {
    const tag = current === undefined ? undefined : entityTag(current)
    const failed =
      (ifMatch !== undefined && !lists(ifMatch, tag, 'strong')) ||
      (ifNoneMatch !== undefined && lists(ifNoneMatch, tag, 'weak'))
    if (failed) throw new ServiceError('TPreconditionFailed')
  }
}

/** Whether `If-None-Match` says that the client already has what a tag identifies. */
export const isKnown = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined && lists(ifNoneMatch, tag, 'weak')

/**
 * Whether a condition lists the tag of the current value, if there is one. A weak tag never matches in a strong
 * comparison.
 */
function lists(condition: string, tag: string | undefined, comparison: 'strong' | 'weak'): boolean {
  if (tag === undefined) return false
  const listed = condition.split(',').map((one) => one.trim())
  return listed.some((one) => one === '*' || one === tag || (comparison === 'weak' && one === `W/${tag}`))
}
