/** The rules that a run checks, by name; it must check each at least once. */
export const RULES = [
  'what is read was written and not lost',
  '/values are written whole or not at all',
  'a condition that fails is refused',
  'a closed value is not shown',
  'an about value has one object',
  'nothing is in a namespace that is not there',
  'of two lists of exceptions one counts',
  'a deleted tag has no values',
  'a new password is right',
  'an old password is wrong',
  'a user is known',
  'a deleted user is not known',
] as const
export type Rule = (typeof RULES)[number]

/** The namespace of everything that the clients write. */
export const NAMESPACE = 'service/chaos'
