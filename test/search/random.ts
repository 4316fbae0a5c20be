/** Random values, queries and choices, from a seed that a failing test prints. */
import { listOf, numberOf, stringOf, type Value } from './model.ts'

/** A source of random choices. The same seed gives the same choices; the environment variable `SEED` sets it. */
export class Random {
  readonly seed: number
  #state: number

  constructor(seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)) {
    this.seed = seed
    this.#state = seed
  }

  /** A number from 0 to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** An integer from 0 to `below`, exclusive. */
  below(below: number): number {
    return Math.floor(this.next() * below)
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  /** `count` picks. */
  picks<T>(from: readonly T[], count: number): T[] {
    return Array.from({ length: count }, () => this.pick(from))
  }

  /** All of them, in an order by chance. */
  shuffled<T>(of: readonly T[]): T[] {
    const left = [...of]
    return of.map(() => left.splice(this.below(left.length), 1)[0] as T)
  }

  /** A further source, whose choices do not depend on how many are made of this one. */
  fork(): Random {
    return new Random(this.below(2 ** 31))
  }

  /** A UUID, sometimes an extreme one. */
  uuid(): string {
    if (this.chance(0.02)) return this.pick(['00000000', 'ffffffff']).concat('-0000-0000-0000-000000000000')
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
}

/** Numbers at which doubles stop distinguishing integers, at which 64 bits end, and some harmless ones. */
export const NUMBERS: readonly string[] = [
  ...[-2n, -1n, 0n, 1n, 2n, 3n],
  ...[-2n, -1n, 0n, 1n, 2n, 3n].flatMap((step) => [2n ** 53n + step, -(2n ** 53n) + step]),
  ...[1n, 2n, 511n, 512n, 513n, 1024n, 1025n].map((step) => 2n ** 63n - step),
  ...[0n, 1n, 511n, 512n, 513n, 1024n].map((step) => -(2n ** 63n) + step),
]
  .map(String)
  .concat(
    [
      '0.0',
      '-0.0',
      '0.5',
      '-0.5',
      '1.0',
      '1e0',
      '2.0',
      '2.5',
      '0.1',
      '5e-324',
      '-5e-324',
      '2.2250738585072014e-308',
    ],
    [
      '9007199254740991.0',
      '9007199254740992.0',
      '9007199254740994.0',
      '-9007199254740992.0',
      '9007199254740996e0',
    ],
    ['9223372036854774784.0', '9223372036854775807.0', '9223372036854775808.0', '9223372036854777856.0'],
    ['-9223372036854775808.0', '-9223372036854777856.0', '1e19', '-1e19', '1e300', '-1.7976931348623157e308'],
  )

const LONG_WORD = 'pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(2)

const WORDS = [
  ...[
    'a',
    'ab',
    'abc',
    'The',
    'the',
    'quick',
    'brown',
    'fox',
    'foxes',
    'foo_bar',
    'foo',
    'the:fox',
    'a.ab',
    'ab·abc',
    'a_1',
    "can't",
    'e.g.',
    '3.14',
    '日本',
  ],
  ...['Straße', 'STRASSE', 'Łódź', 'ﬁne', 'fine', 'café', 'cafe\u0301', '😀', '…', ''],
  ...[LONG_WORD, `${LONG_WORD}x`, `${LONG_WORD}y`, `${LONG_WORD.slice(0, 40)}z`, LONG_WORD.slice(0, 64)],
  ...['é'.repeat(32), 'é'.repeat(33), `x${'é'.repeat(16)}`, `x${'é'.repeat(40)}`],
]

const SHARED = 'these are 24 octets of u'

const STRINGS = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000',
    'A',
    'á',
    'a ',
    '\uffff',
    '😀',
    '\ufffd',
    '"',
    '\\',
    '\\"',
    'a\nb',
    '\ud7ff',
  ],
  ...[SHARED, `${SHARED}s`, `${SHARED}S`, `${SHARED}sed`, `${SHARED}\u0000`, `${SHARED}é`, `${SHARED}😀`],
  ...[SHARED.slice(0, 23), `${SHARED.slice(0, 23)}é`, `${SHARED.slice(0, 23)}éa`, `${SHARED.slice(0, 22)}😀`],
  ...[`${SHARED.slice(0, 23)}ê`, `${SHARED.slice(0, 23)}😀`, `${SHARED} ${'long '.repeat(120)}`],
  ...[
    `${SHARED} ${'long '.repeat(120)}longer`,
    'x'.repeat(509),
    'x'.repeat(510),
    'x'.repeat(511),
    'x'.repeat(512),
  ],
  ...['2024-01-01', '2024-01-01T00:00:00Z', '2023-12-31', 'true', 'null', '5', '5.0'],
]

/** A string, often one that another value has as well. */
export function randomString(random: Random): string {
  if (random.chance(0.4)) return random.pick(STRINGS)
  return random.picks(WORDS, random.below(6)).join(random.pick([' ', ' ', ', ', '-', '\n']))
}

/** A list of strings, sometimes a long one. */
function randomList(random: Random): readonly string[] {
  const most = random.chance(0.05) ? 60 : 4
  return Array.from({ length: random.below(most + 1) }, () => randomString(random))
}

/** A value of any type. */
export function randomValue(random: Random): Value {
  switch (random.below(12)) {
    case 0:
      return { type: 'null', value: null, text: 'null' }
    case 1: {
      const value = random.chance(0.5)
      return { type: 'boolean', value, text: String(value) }
    }
    case 2:
    case 3:
    case 4:
      return numberOf(random.pick(NUMBERS))
    case 5:
    case 6:
    case 7:
      return listOf(randomList(random))
    case 8:
      return { type: 'opaque', text: random.chance(0.1) ? 'o'.repeat(1000) : randomString(random) }
    default:
      return stringOf(randomString(random))
  }
}

/** A string as it is written in a query. */
export const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** What random queries are made from. */
export interface QueryParts {
  readonly paths: readonly string[]
  /** The paths on which `matches` is allowed. */
  readonly indexed: readonly string[]
  readonly objects: readonly string[]
  /** Complete conditions. */
  readonly further: readonly string[]
}

/** A randomly nested query with some operators. */
export function randomQuery(random: Random, parts: QueryParts, depth = 4): string {
  if (depth === 0 || random.chance(0.3)) {
    return random.chance(0.2) ? conditionsOnOneTag(random, parts) : randomCondition(random, parts)
  }
  const operator = random.pick(['and', 'or', 'except', 'AND', 'Or', 'eXcept'])
  const [left, right] = [randomQuery(random, parts, depth - 1), randomQuery(random, parts, depth - 1)]
  const query = `${left} ${operator} ${right}`
  return random.chance(0.6) ? `(${query})` : query
}

/** A few conditions on one tag, which the service may answer together. */
function conditionsOnOneTag(random: Random, parts: QueryParts): string {
  const path = random.pick(parts.paths)
  const indexed = parts.indexed.filter((one) => one === path)
  const conditions = Array.from({ length: 2 + random.below(5) }, () =>
    randomCondition(random, { ...parts, paths: [path], indexed }),
  )
  const operators = random.pick([['or'], ['and'], ['except'], ['and', 'except'], ['or', 'and', 'except']])
  const [first = '', ...rest] = conditions
  return `(${rest.reduce((left, right) => `${left} ${random.pick(operators)} ${right}`, first)})`
}

function randomCondition(random: Random, parts: QueryParts): string {
  const path = random.pick(parts.paths)
  const string = (): string => quoted(randomString(random))
  switch (random.below(11)) {
    case 10:
      return random.pick(parts.further)
    case 0:
      return `service/id = "${random.pick(parts.objects)}"`
    case 1:
    case 2:
      return `has ${path}`
    case 3:
      return `${path} contains ${string()}`
    case 4:
    case 5:
      if (parts.indexed.length === 0) return `has ${path}`
      return `${random.pick(parts.indexed)} matches ${quoted(randomPhrase(random))}`
    case 6: {
      const operand = random.pick(['null', 'true', 'false', 'NULL', random.pick(NUMBERS), string()])
      return `${path} ${random.pick(['=', '!='])} ${operand}`
    }
    default: {
      const operand = random.chance(0.5) ? random.pick(NUMBERS) : string()
      return `${path} ${random.pick(['=', '!=', '<', '<=', '>', '>='])} ${operand}`
    }
  }
}

function randomPhrase(random: Random): string {
  const words = random.picks(WORDS, random.pick([0, 1, 1, 1, 2, 2, 3]))
  return words
    .map((word) => (random.chance(0.3) ? `${[...word].slice(0, 1 + random.below(40)).join('')}*` : word))
    .join(' ')
}
