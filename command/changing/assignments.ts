/** Parses values on a command line, TAG=VALUE, with a given or guessed type. */
import type { PrimitiveState, State } from '../../common/undoing/states.ts'
import { cellText, typeOf, visible } from '../../common/values.ts'
import { misuse } from '../../common/failure.ts'
import { tell } from '../terminal/terminal.ts'
import { LOOKS, READERS, TYPES, type Type, type Written } from '../../common/changing/written-values.ts'

/** A tag, and the text of its value. */
export interface Pair {
  readonly tag: string
  /** Undefined if there is no `=`. */
  readonly text: string | undefined
}

export interface Assignment {
  readonly tag: string
  readonly value: Written
}

/** The types that the command guesses from a text without a given type. Other texts, such as 04109, are strings. */
const GUESSES: readonly (readonly [RegExp, Type])[] = [
  [/^-?(0|[1-9]\d*)$/, 'int'],
  [/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i, 'float'],
  [/^(true|false)$/i, 'bool'],
  [/^null$/, 'null'],
  [/^\[/, 'list'],
]

/** The options that give a type. */
export type TypeOptions = Readonly<Partial<Record<Type, true>>>

/** Splits words at the first `=`, which no path contains. Throws a `Failure` if two words name the same tag. */
export function pairsOf(words: readonly string[]): Pair[] {
  const pairs = words.map((word) => {
    const cut = word.indexOf('=')
    return cut < 0 ? { tag: word, text: undefined } : { tag: word.slice(0, cut), text: word.slice(cut + 1) }
  })
  const twice = pairs.find(({ tag }, index) => pairs.findIndex((one) => one.tag === tag) < index)
  if (twice !== undefined) throw misuse(`${twice.tag} is there twice`, 'a tag has one value on an object')
  return pairs
}

/** The type that the options give, if any. Throws a `Failure` for several types. */
export function askedType(options: TypeOptions): Type | undefined {
  const [type, ...others] = TYPES.filter((one) => options[one])
  if (others.length === 0) return type
  throw misuse('several types are asked for', 'all values of a line have one: use a line for each')
}

/**
 * The values on a command line, with the type that the options give. Throws a `Failure` for a text that the type does not
 * allow.
 */
export function assignmentsOf(words: readonly string[], options: TypeOptions): Assignment[] {
  const type = askedType(options)
  return pairsOf(words).map(({ tag, text }) => ({ tag, value: valueOf(tag, text, type) }))
}

function valueOf(tag: string, text: string | undefined, type: Type | undefined): Written {
  if (text === undefined && type !== 'null') {
    throw misuse(`${tag} has no value`, `write ${tag}=VALUE, or --null for a tag that says nothing more`)
  }
  const read = type === undefined ? guess : READERS[type]
  const value = read(text ?? '')
  if (value !== undefined) return value
  const [name, looks] = type === undefined ? ['value', ''] : [type, LOOKS[type]]
  throw misuse(`'${text ?? ''}' is no ${name}`, looks)
}

/** The value of the type that the text seems to have, or else a string, for example for an int of more than 64 bits. */
function guess(text: string): Written {
  const type = GUESSES.find(([pattern]) => pattern.test(text))?.[1] ?? 'string'
  const value = READERS[type](text)
  return value === undefined ? text : value
}

/** The states that assignments make. */
export const statesOf = (assignments: readonly Assignment[]): ReadonlyMap<string, State> =>
  new Map(assignments.map(({ tag, value }) => [tag, { value } as PrimitiveState]))

/** The members of a body of PUT `/values`. */
export const entriesOf = (assignments: readonly Assignment[]): Record<string, { value: Written }> =>
  Object.fromEntries(assignments.map(({ tag, value }) => [tag, { value }]))

/** The values by tag. */
export const valuesOf = (assignments: readonly Assignment[]): Record<string, Written> =>
  Object.fromEntries(assignments.map(({ tag, value }) => [tag, value]))

const LONGEST = 60

/** `alice/books/rating = 9 (int)`. */
export function describe({ tag, value }: Assignment): string {
  const text = [...visible(cellText(value))]
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST).join('')}…` : text.join('')
  return `${tag} = ${shown} (${typeOf(value)})`
}

export const tellAll = (assignments: readonly Assignment[]): void => {
  for (const one of assignments) tell(describe(one))
}
