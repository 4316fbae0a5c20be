/** What people write who know other query languages, and what this one has instead. */

const EQUAL = 'equality is a single ='
const UNEQUAL = 'inequality is !='
const MATCHES = 'find words with matches "word", or with matches "beginning*"'
const CONDITION = 'a query is a condition alone, such as alice/rating > 5'

const INSTEAD: Readonly<Record<string, string>> = {
  '==': EQUAL,
  '===': EQUAL,
  '<>': UNEQUAL,
  '!==': UNEQUAL,
  '=<': 'write <=',
  '=>': 'write >=',
  '&&': 'write and',
  '||': 'write or',
  not: 'leave objects out with except, as in has alice/read except has alice/lent',
  like: MATCHES,
  ilike: MATCHES,
  in: 'compare with each value, and join the comparisons with or',
  is: 'compare with = null, or leave objects with any value out with except has',
  between: 'join two comparisons with and, one with >= and one with <=',
  select: CONDITION,
  where: CONDITION,
}

/** Operators of other languages; no query holds them outside of strings. */
export const FOREIGN_OPERATORS = Object.keys(INSTEAD).filter((text) => /^\W/.test(text))

/** What to write instead of a word or an operator of another language; undefined for any other text. */
export const insteadOf = (text: string): string | undefined =>
  Object.hasOwn(INSTEAD, text.toLowerCase()) ? INSTEAD[text.toLowerCase()] : undefined
