/** JSON that `JSON.stringify` cannot produce: lists of a million ids, results of any size, numbers that stay exact. */
import type { components } from '../../generated/openapi.d.ts'
import { idsAsJson, jsonLength } from '../data/database/ids-as-json.ts'
import type { IdSet } from '../data/database/id-sets.ts'
import type { CountedValue } from '../data/operations/facet-values.ts'
import type { NumberBin } from '../data/operations/facet-bins.ts'
import type { Facet, Facets, NumberSpread } from '../data/operations/facets.ts'
import type { CheckedNode } from '../data/operations/check-query.ts'
import type { ValueSuggestion } from '../data/operations/frequent-values.ts'
import type { RecentValue } from '../data/operations/recent.ts'
import type { FoundObject } from '../data/values/object-reading.ts'
import type { Found } from '../data/operations/suggestions.ts'
import type { ListedValue, ObjectValues } from '../data/values/reading.ts'
import type { ServiceError } from '../errors.ts'
import { Spool } from '../spool.ts'
import type { Pieces, TurningBytes } from '../turning-bytes.ts'
import { frameOf, jsonText, listText, mapText, objectText, type JsonText } from './json-text.ts'

type Schemas = components['schemas']

/**
 * The JSON of a `T`, in pieces of UTF-8. Only the functions below create one, each from the data that it represents.
 */
class RawJson<T> {
  /** The total length of the pieces, in octets. */
  readonly length: number
  /** How much of it, or of what it is made from, is in memory, in octets. */
  readonly held: number
  readonly pieces: Pieces
  /** Frees the memory or file behind the pieces, if nobody is going to read them. */
  readonly discard: () => Promise<void>
  // Only for the compiler: JSON of one schema cannot be used as JSON of another, in either direction.
  declare protected readonly represented: (json: T) => T

  constructor(
    { length, held }: { readonly length: number; readonly held: number },
    pieces: Pieces,
    discard: () => Promise<void>,
  ) {
    this.length = length
    this.held = held
    this.pieces = pieces
    this.discard = discard
  }
}

export type { RawJson }

/** Whether a reply's JSON is already text. */
export const isRawJson = (json: unknown): json is RawJson<unknown> => json instanceof RawJson

const IDS = frameOf({ ids: [] } satisfies Schemas['FoundObjects'])
const [BEFORE_IDS, AFTER_IDS] = [Buffer.from(IDS.before), Buffer.from(IDS.after)]

/** The objects that a query matches. It takes over the set, and frees the memory once the last id is sent. */
export function idList(ids: IdSet): RawJson<Schemas['FoundObjects']> {
  const length = BEFORE_IDS.length + jsonLength(ids) + AFTER_IDS.length
  const discard = async (): Promise<void> => {
    ids.release()
  }
  return new RawJson({ length, held: ids.bytes.length }, idListPieces(ids), discard)
}

function* idListPieces(ids: IdSet): Generator<TurningBytes> {
  try {
    yield BEFORE_IDS
    yield* idsAsJson(ids)
  } finally {
    ids.release()
  }
  yield AFTER_IDS
}

type Results = RawJson<Schemas['ValuesResult']>

const RESULTS = frameOf({ results: { id: {} } } satisfies Schemas['ValuesResult'])

/**
 * The values of the objects that `find` gives to `represent`. `find` may start again; if it fails, nothing is left behind.
 */
export const valueResults = (
  find: (represent: (objects: AsyncIterable<ObjectValues>) => Promise<Results>) => Promise<Results>,
): Promise<Results> => spooled(writeResults, find)

/** A page of what a query matches. */
export interface SearchPage {
  readonly counted: { readonly count: number; readonly exact: boolean } | undefined
  readonly objects: AsyncIterable<FoundObject>
  /** The cursor of the following page. */
  readonly next: string | undefined
}

type Pages = RawJson<Schemas['SearchResult']>

/** The page that `find` gives to `represent`; as for `valueResults`. */
export const searchResults = (
  find: (represent: (page: SearchPage) => Promise<Pages>) => Promise<Pages>,
): Promise<Pages> => spooled(writePage, find)

/** JSON that `write` writes of what `find` finds, at the speed of the database, so that a slow reader holds up nothing. */
async function spooled<Content, T>(
  write: (spool: Spool, content: Content) => Promise<void>,
  find: (represent: (content: Content) => Promise<RawJson<T>>) => Promise<RawJson<T>>,
): Promise<RawJson<T>> {
  const spool = new Spool()
  try {
    return await find(async (content) => {
      await spool.clear()
      await write(spool, content)
      return new RawJson<T>(spool, spool.read(), () => spool.clear())
    })
  } catch (error) {
    await spool.clear()
    throw error
  }
}

async function writeResults(spool: Spool, objects: AsyncIterable<ObjectValues>): Promise<void> {
  let separator = ''
  await spool.write(RESULTS.before)
  for await (const { object, values } of objects) {
    await spool.write(`${separator}"${object}":${entriesOf(values)}`)
    separator = ','
  }
  await spool.write(RESULTS.after)
}

/** The values of an object, by path. */
const entriesOf = (values: readonly ListedValue[]): JsonText<Record<string, Schemas['ValueEntry']>> =>
  `{${values.map((value) => `${jsonText(value.path)}:${valueEntry(value)}`).join(',')}}` as JsonText<
    Record<string, Schemas['ValueEntry']>
  >

async function writePage(spool: Spool, { counted, objects, next }: SearchPage): Promise<void> {
  let separator = ''
  await spool.write(counted === undefined ? '{"results":[' : `${jsonText(counted).slice(0, -1)},"results":[`)
  for await (const { object, about, values } of objects) {
    const found = objectText<Schemas['FoundObject']>({
      id: jsonText<string>(object),
      about: (about?.toString() ?? 'null') as JsonText<string | null>,
      values: entriesOf(values),
    })
    await spool.write(separator + found)
    separator = ','
  }
  await spool.write(next === undefined ? ']}' : `],"next":${jsonText(next)}}`)
}

function valueEntry(value: ListedValue): JsonText<Schemas['ValueEntry']> {
  return value.json === undefined
    ? objectText<Schemas['OpaqueValueEntry']>(opaqueMembers(value))
    : objectText<Schemas['PrimitiveValueEntry']>(primitiveMembers(value, value.json))
}

/** The latest values, in the given order. */
export const recentList = (values: readonly RecentValue[]): RawJson<Schemas['RecentValues']> =>
  inMemory(listText(values.map(recentEntry)))

/** Values to complete a text to, in the given order. */
export const valueSuggestions = ({
  suggestions,
  complete,
}: Found<ValueSuggestion>): RawJson<Schemas['Suggestions']> =>
  inMemory(
    objectText<Schemas['Suggestions']>({
      suggestions: listText<Schemas['Suggestion']>(suggestions.map(valueSuggestion)),
      complete: jsonText(complete),
    }),
  )

const valueSuggestion = ({ json, count, exact }: ValueSuggestion): JsonText<Schemas['ValueSuggestion']> =>
  objectText<Schemas['ValueSuggestion']>({
    kind: jsonText('value'),
    value: json.toString() as JsonText<Schemas['PrimitiveValue']>,
    count: jsonText(count),
    exact: jsonText(exact),
  })

/** A text that is a query, with its nodes in the given order. */
export const checkedQuery = (nodes: readonly CheckedNode[]): RawJson<Schemas['CheckedQuery']> =>
  inMemory(
    objectText<Schemas['CheckedQuery']>({
      valid: jsonText(nodes.every(({ error }) => error === undefined)),
      nodes: listText<Schemas['CheckedNode']>(nodes.map(checkedNode)),
    }),
  )

function checkedNode(node: CheckedNode): JsonText<Schemas['CheckedNode']> {
  const { start, end, counted } = node
  const part = {
    start: jsonText(start),
    end: jsonText(end),
    ...(counted && { count: jsonText(counted.count), exact: jsonText(counted.exact) }),
  }
  return node.kind === 'combination'
    ? objectText<Schemas['CheckedCombination']>({
        kind: jsonText(node.kind),
        operator: jsonText(node.operator),
        left: jsonText(node.left),
        right: jsonText(node.right),
        ...part,
      })
    : objectText<Schemas['CheckedCondition']>({
        kind: jsonText(node.kind),
        operator: jsonText(node.operator),
        path: jsonText(node.path),
        ...(node.operand !== undefined && { operand: node.operand as JsonText<Schemas['PrimitiveValue']> }),
        ...part,
        ...(node.error && { error: jsonText(queryFault(node.error)) }),
      })
}

const queryFault = ({ errorClass, sentence, facts: { path } }: ServiceError): Schemas['QueryFault'] => ({
  class: errorClass,
  message: sentence,
  ...(path !== undefined && { path }),
})

function inMemory<T>(json: JsonText<T>): RawJson<T> {
  const bytes = Buffer.from(json)
  return new RawJson({ length: bytes.length, held: bytes.length }, [bytes], () => Promise.resolve())
}

/** What values tags have on the objects that a query matches. */
export const facetList = ({ count, facets }: Facets): RawJson<Schemas['Facets']> =>
  inMemory(
    objectText<Schemas['Facets']>({
      count: jsonText(count),
      facets: mapText(facets.map((facet) => [facet.path, facetText(facet)])),
    }),
  )

function facetText({ objects, types, top, items, numbers }: Facet): JsonText<Schemas['Facet']> {
  return objectText<Schemas['Facet']>({
    objects: jsonText(objects),
    types: jsonText(Object.fromEntries(types)),
    top: listText(top.map(countedText)),
    ...(items && { items: listText(items.map(countedText)) }),
    ...(numbers && { numbers: spreadText(numbers) }),
  })
}

function countedText(counted: CountedValue): JsonText<Schemas['CountedValue']> {
  const count = jsonText(counted.count)
  return 'json' in counted
    ? objectText<Schemas['CountedWholeValue']>({
        value: counted.json as JsonText<Schemas['PrimitiveValue']>,
        count,
      })
    : objectText<Schemas['CountedLongText']>({ beginning: jsonText(counted.beginning), count })
}

const spreadText = ({ smallest, largest, bins }: NumberSpread): JsonText<Schemas['NumberSpread']> =>
  objectText<Schemas['NumberSpread']>({
    smallest: smallest as JsonText<number>,
    largest: largest as JsonText<number>,
    ...(bins && { bins: listText(bins.map(binText)) }),
  })

const binText = ({ from, to, count }: NumberBin): JsonText<Schemas['NumberBin']> =>
  objectText<Schemas['NumberBin']>({
    from: from as JsonText<number>,
    to: to as JsonText<number>,
    count: jsonText(count),
  })

function recentEntry(value: RecentValue): JsonText<Schemas['RecentValue']> {
  const context = {
    id: jsonText<string>(value.object),
    about: jsonText(value.about ?? null),
    tag: jsonText(value.path),
    username: jsonText(value.username ?? null),
  }
  return value.json === undefined
    ? objectText<Schemas['RecentOpaqueValue']>({ ...context, ...opaqueMembers(value) })
    : objectText<Schemas['RecentPrimitiveValue']>({ ...context, ...primitiveMembers(value, value.json) })
}

const primitiveMembers = ({ updatedAt }: ListedValue, json: Buffer) => ({
  // A primitive is stored as its canonical JSON.
  value: json.toString() as JsonText<Schemas['PrimitiveValue']>,
  'updated-at': timestamp(updatedAt),
})

const opaqueMembers = ({ contentType, sizeBytes, updatedAt }: ListedValue) => ({
  'value-type': jsonText(contentType ?? ''),
  size: jsonText(sizeBytes),
  'updated-at': timestamp(updatedAt),
})

/** Microseconds since 1970 in the format of RFC 3339, in UTC and with all digits. */
function timestamp(microseconds: number): JsonText<Schemas['UpdatedAt']> {
  const milliseconds = Math.floor(microseconds / 1000)
  const rest = String(microseconds % 1000).padStart(3, '0')
  return `"${new Date(milliseconds).toISOString().replace('Z', `${rest}Z`)}"` as JsonText<string>
}
