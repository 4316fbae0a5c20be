/** Words and operators of other query languages, and what to write in this one instead. */

const EQUAL = 'use = for equality'
const UNEQUAL = 'use != for inequality'
const MATCHES = 'use matches "word" or matches "beginning*"'
const CONDITION = 'a query is just a condition, such as alice/rating > 5'

const INSTEAD: Readonly<Record<string, string>> = {
  '==': EQUAL,
  '===': EQUAL,
  '<>': UNEQUAL,
  '!==': UNEQUAL,
  '=<': 'use <=',
  '=>': 'use >=',
  '&&': 'use and',
  '||': 'use or',
  not: 'use except, as in has alice/read except has alice/lent',
  like: MATCHES,
  ilike: MATCHES,
  in: 'compare with each value and join the comparisons with or',
  is: 'use = null for a null value, and except has for none at all',
  between: 'use >= and <= on either side of and',
  select: CONDITION,
  where: CONDITION,
}

/** Operators of other languages; no query holds them outside of strings. */
export const FOREIGN_OPERATORS = Object.keys(INSTEAD).filter((text) => /^\W/.test(text))

/** The advice for a word or an operator of another language; undefined for any other text. */
export const insteadOf = (text: string): string | undefined =>
  Object.hasOwn(INSTEAD, text.toLowerCase()) ? INSTEAD[text.toLowerCase()] : undefined
