/** Values as a command line writes them: TAG=VALUE, with a type that is given or guessed. */
import { float } from '../../packages/client/index.ts'
import { textOf, typeOf, visible, type Cell } from '../manners/cells.ts'
import { misuse } from '../manners/failure.ts'
import { tell } from '../manners/terminal.ts'

/** A primitive value to write. */
export type Written = Exclude<Cell, undefined>

/** A tag, and the text that stands for its value. */
export interface Pair {
  readonly tag: string
  /** Undefined if there is no `=`. */
  readonly text: string | undefined
}

export interface Assignment {
  readonly tag: string
  readonly value: Written
}

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** How a text is read as a value of each type; undefined for what is none. */
const READERS: Readonly<Record<Type, (text: string) => Written | undefined>> = {
  int: (text) => (/^-?\d+$/.test(text) && isOf64Bits(BigInt(text)) ? BigInt(text) : undefined),
  float: (text) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? float(Number(text)) : undefined),
  string: (text) => text,
  bool: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  null: (text) => (text === '' || text === 'null' ? null : undefined),
  list: (text) => (text.startsWith('[') ? listOf(text) : text === '' ? [] : text.split(',')),
}

const isOf64Bits = (int: bigint): boolean => BigInt.asIntN(64, int) === int

/** What texts are taken for if no type is asked for; others are strings, such as 04109. */
const GUESSES: readonly (readonly [RegExp, Type])[] = [
  [/^-?(0|[1-9]\d*)$/, 'int'],
  [/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i, 'float'],
  [/^(true|false)$/, 'bool'],
  [/^null$/, 'null'],
  [/^\[/, 'list'],
]

type Type = 'int' | 'float' | 'string' | 'bool' | 'null' | 'list'

/** The types that are asked for. */
export type TypeOptions = Readonly<Partial<Record<Type, true>>>

const TYPES = Object.keys(READERS) as Type[]

/** What a value of each type looks like. */
const LOOKS: Readonly<Record<Type, string>> = {
  int: 'an int is digits, and has 64 bits: 9, -3',
  float: 'a float is a number: 7.5, 9, 1e-3',
  string: '',
  bool: 'a boolean is true or false',
  null: 'null stands alone: TAG, or TAG=null',
  list: 'a list is words between commas, or JSON: a,b or ["a","b, c"]',
}

/** Parts `TAG=VALUE` at the first `=`, which no path holds. Throws a `Failure` for a tag that is named twice. */
export function pairsOf(words: readonly string[]): Pair[] {
  const pairs = words.map((word) => {
    const cut = word.indexOf('=')
    return cut < 0 ? { tag: word, text: undefined } : { tag: word.slice(0, cut), text: word.slice(cut + 1) }
  })
  const twice = pairs.find(({ tag }, index) => pairs.findIndex((one) => one.tag === tag) < index)
  if (twice !== undefined) throw misuse(`${twice.tag} is there twice`, 'a tag has one value on an object')
  return pairs
}

/** The type that is asked for, if any. Throws a `Failure` for several. */
export function askedType(options: TypeOptions): Type | undefined {
  const [type, ...others] = TYPES.filter((one) => options[one])
  if (others.length === 0) return type
  throw misuse('several types are asked for', 'all values of a line have one: use a line for each')
}

/** The values that the words of a command line write, of the type that is asked for. Throws a `Failure` for no such. */
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

/** The value that a text looks like; a string if it cannot be that, such as an int of more than 64 bits. */
function guess(text: string): Written {
  const type = GUESSES.find(([pattern]) => pattern.test(text))?.[1] ?? 'string'
  const value = READERS[type](text)
  return value === undefined ? text : value
}

/** A list of strings in JSON; undefined for any other text. */
function listOf(json: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

/** The members of a body of PUT `/values`. */
export const entriesOf = (assignments: readonly Assignment[]): Record<string, { value: Written }> =>
  Object.fromEntries(assignments.map(({ tag, value }) => [tag, { value }]))

const LONGEST = 60

/** `alice/books/rating = 9 (int)`. */
export function describe({ tag, value }: Assignment): string {
  const text = [...visible(textOf(value))]
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST).join('')}…` : text.join('')
  return `${tag} = ${shown} (${typeOf(value)})`
}

export const tellAll = (assignments: readonly Assignment[]): void => {
  for (const one of assignments) tell(describe(one))
}
