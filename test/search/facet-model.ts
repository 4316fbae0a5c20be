/** Facets by the plainest counting, in exact numbers, and what is wrong with others. */
import type { Value } from './model.ts'

/** Facets as they are answered; each number in values and bins is its literal, after a `#`. */
export interface AnsweredFacet {
  readonly objects: number
  readonly types: Readonly<Record<string, number>>
  readonly top: readonly Counted[]
  readonly items?: readonly Counted[]
  readonly numbers?: {
    readonly smallest: string
    readonly largest: string
    readonly bins?: readonly { readonly from: string; readonly to: string; readonly count: number }[]
  }
}

export interface AnsweredFacets {
  readonly count: number
  readonly facets: Readonly<Record<string, AnsweredFacet>>
}

/** A value or the beginning of one, and how many objects have it. */
type Counted = { readonly count: number } & ({ readonly value: unknown } | { readonly beginning: string })

export interface Asked {
  readonly top: number
  readonly bins: number
  readonly scale: 'linear' | 'logarithmic'
}

const COUNTS = new Set([
  'count',
  'objects',
  'null',
  'boolean',
  'int',
  'float',
  'string',
  'list-of-strings',
  'opaque',
])

/** Reads an answer, keeping the literals of all numbers but counts. */
export const readFacets = (text: string): AnsweredFacets =>
  JSON.parse(text, (name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && !COUNTS.has(name) ? `#${context?.source ?? ''}` : value,
  ) as AnsweredFacets

/** A value with how many objects have it. `order` decides between equally frequent ones. */
interface Expected {
  readonly shown: { readonly value: unknown } | { readonly beginning: string }
  readonly order: readonly [kind: number, value: bigint | number | string]
  readonly text: string | undefined
  count: number
}

/** What is wrong with a facet of values; undefined if nothing is. */
export function flawOf(facet: AnsweredFacet, values: readonly Value[], asked: Asked): string | undefined {
  const types = Object.fromEntries(
    [...Map.groupBy(values, (value) => value.type)].map(([type, some]) => [type, some.length]),
  )
  const lists = values.flatMap((value) => (value.type === 'list-of-strings' ? [value.value] : []))
  const singles = countedBy(
    values.filter((value) => value.type !== 'list-of-strings' && value.type !== 'opaque'),
  )
  const items = countedBy(lists.flatMap((list) => [...new Set(list)]).map(stringValue))
  return (
    differs('objects', facet.objects, values.length) ??
    differs('types', sorted(facet.types), sorted(types)) ??
    flawOfTop(facet.top, singles, asked.top, 24) ??
    (lists.length === 0
      ? differs('items', facet.items, undefined)
      : flawOfTop(facet.items ?? [{ value: 'none', count: 0 }], items, asked.top, 32)) ??
    flawOfNumbers(facet.numbers, singles, asked)
  )
}

const stringValue = (value: string): Value => ({ type: 'string', value, text: '' })

const sorted = (types: object): object => Object.fromEntries(Object.entries(types).sort())

const differs = (what: string, answered: unknown, expected: unknown): string | undefined =>
  JSON.stringify(answered) === JSON.stringify(expected)
    ? undefined
    : `${what}: ${JSON.stringify(answered)} instead of ${JSON.stringify(expected)}`

/** Equal values once, the most frequent first. */
function countedBy(values: readonly Value[]): Expected[] {
  const counted = new Map<string, Expected>()
  for (const value of values) {
    const one = expectedOf(value)
    const name = JSON.stringify(one.order, (_, part: unknown) =>
      typeof part === 'bigint' ? String(part) : part,
    )
    const known = counted.get(name)
    const isInt = value.type === 'int'
    counted.set(name, { ...(known === undefined || isInt ? one : known), count: 1 + (known?.count ?? 0) })
  }
  return [...counted.values()].sort((a, b) => b.count - a.count || compare(a, b))
}

function expectedOf(value: Value): Expected {
  const base = { count: 0, text: undefined }
  switch (value.type) {
    case 'null':
      return { ...base, shown: { value: null }, order: [0, 0] }
    case 'boolean':
      return { ...base, shown: { value: value.value }, order: [1, Number(value.value)] }
    case 'int':
      return { ...base, shown: { value: `#${String(value.value)}` }, order: [2, value.value] }
    case 'float':
      return { ...base, shown: { value: `#${floatText(value.value)}` }, order: [2, exact(value.value)] }
    case 'string':
      return { count: 0, text: value.value, shown: shownText(value.value), order: [3, value.value] }
    default:
      throw new Error(`${value.type} is not counted by value`)
  }
}

const exact = (value: number): bigint | number => (Number.isInteger(value) ? BigInt(value) : value)

function floatText(value: number): string {
  const text = String(value + 0)
  return /[.e]/.test(text) ? text : `${text}.0`
}

const jsonOctets = (text: string): number => Buffer.byteLength(JSON.stringify(text))

function shownText(text: string): Expected['shown'] {
  if (jsonOctets(text) <= 512) return { value: text }
  let beginning = ''
  for (const character of text) {
    // Without the closing quotation mark.
    if (jsonOctets(beginning + character) - 1 > 512) break
    beginning += character
  }
  return { beginning }
}

function compare(a: Expected, b: Expected): number {
  const [[kind, left], [otherKind, right]] = [a.order, b.order]
  if (kind !== otherKind) return kind - otherKind
  if (typeof left === 'string' && typeof right === 'string')
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * Values are shown in their order. Of equally frequent ones that do not all fit, those may be missing that have as many
 * octets in common as `shared` says.
 */
function flawOfTop(
  answered: readonly Counted[],
  counted: readonly Expected[],
  top: number,
  shared: number,
): string | undefined {
  const expected = counted.slice(0, top)
  const exactly = differs(
    'top',
    answered,
    expected.map(({ shown, count }) => ({ ...shown, count })),
  )
  const last = expected.at(-1)
  if (exactly === undefined || last === undefined) return exactly
  const tied = counted.filter(({ count }) => count === last.count)
  const beginnings = tied.flatMap(({ text = '' }) =>
    Buffer.byteLength(text) > shared ? [Buffer.from(text).toString('latin1', 0, shared)] : [],
  )
  if (new Set(beginnings).size === beginnings.length) return exactly
  const names = answered.map((one) => JSON.stringify(one))
  const known = counted.map(({ shown, count }) => JSON.stringify({ ...shown, count }))
  const places = names.map((name) => known.indexOf(name))
  const inOrder = places.every((place, i) => place >= 0 && place >= (places[i - 1] ?? 0))
  return inOrder &&
    answered.length === expected.length &&
    answered.every(({ count }, i) => count === expected[i]?.count)
    ? undefined
    : exactly
}

function flawOfNumbers(
  answered: AnsweredFacet['numbers'],
  singles: readonly Expected[],
  { bins, scale }: Asked,
): string | undefined {
  const numbers = singles.filter(({ order: [kind] }) => kind === 2).sort(compare)
  const [smallest, largest] = [numbers[0], numbers.at(-1)]
  if (answered === undefined || smallest === undefined || largest === undefined) {
    return differs('numbers', answered, smallest)
  }
  const ends = [smallest, largest].map(({ shown }) => ('value' in shown ? shown.value : ''))
  const flaw = differs('ends', [answered.smallest, answered.largest], ends)
  if (flaw !== undefined || answered.bins === undefined) {
    return flaw ?? (bins === 0 ? undefined : 'there are no bins')
  }
  return flawOfBins(answered.bins, { numbers, ends, bins, scale })
}

type Bins = NonNullable<NonNullable<AnsweredFacet['numbers']>['bins']>

interface Binned {
  readonly numbers: readonly Expected[]
  readonly ends: readonly unknown[]
  readonly bins: number
  readonly scale: Asked['scale']
}

function flawOfBins(answered: Bins, { numbers, ends, bins, scale }: Binned): string | undefined {
  const hasOwn = scale === 'logarithmic' && Number(numbers[0]?.order[1] ?? 0) <= 0
  if (answered.length > bins + Number(hasOwn)) return `${String(answered.length)} bins`
  const places = [...answered.map(({ from }) => from), answered.at(-1)?.to]
  const flaw =
    differs('ends of bins', [places[0], places.at(-1)], ends) ??
    differs(
      'edges',
      answered.map(({ to }) => to),
      places.slice(1),
    )
  if (flaw !== undefined) return flaw
  const counts = answered.map(({ from, to }, i) => {
    const isIn = (value: bigint | number): boolean =>
      value >= literal(from) && (value < literal(to) || (i === answered.length - 1 && value === literal(to)))
    return numbers.reduce(
      (sum, { order: [, value], count }) => sum + (typeof value !== 'string' && isIn(value) ? count : 0),
      0,
    )
  })
  return (
    differs(
      'counts of bins',
      answered.map(({ count }) => count),
      counts,
    ) ??
    differs(
      'sum of bins',
      counts.reduce((a, b) => a + b, 0),
      numbers.reduce((sum, { count }) => sum + count, 0),
    ) ??
    flawOfWidths(answered, hasOwn, scale)
  )
}

/** The value of a literal after a `#`. */
function literal(text: string): bigint | number {
  const digits = text.slice(1)
  return /[.e]/.test(digits) ? exact(Number(digits)) : BigInt(digits)
}

/** Bins are alike, as far as doubles are; if there is no room for that, some are missing, and others wider. */
function flawOfWidths(answered: Bins, hasOwn: boolean, scale: Asked['scale']): string | undefined {
  const shown = hasOwn ? answered.slice(1) : answered
  const measure = (text: string): number => {
    const value = Number(literal(text))
    return scale === 'linear' ? value : Math.log(value)
  }
  const widths = shown.map(({ from, to }) => measure(to) - measure(from))
  const size = Math.max(...shown.flatMap(({ from, to }) => [Math.abs(measure(from)), Math.abs(measure(to))]))
  const [least, most] = [Math.min(...widths), Math.max(...widths)]
  const isNarrow = most < size * 1e-9 || !Number.isFinite(most)
  return shown.length < 2 || isNarrow || most - least <= most * 1e-3
    ? undefined
    : `widths from ${String(least)} to ${String(most)}`
}
