/** JSON that `JSON.stringify` cannot produce: lists of a million ids, results of any size, numbers that stay exact. */
import type { components } from '../../../generated/openapi.d.ts'
import { idsAsJson, jsonLength } from '../../data/database/ids/ids-as-json.ts'
import type { IdSet } from '../../data/database/ids/id-sets.ts'
import type { RecentValue } from '../../data/operations/recent.ts'
import type { FoundObject } from '../../data/values/object-reading.ts'
import type { ListedValue, ObjectValues } from '../../data/values/reading.ts'
import type { Spool } from './spool.ts'
import type { BorrowedBytes } from '../../model/borrowed-bytes.ts'
import { frameOf, jsonText, listText, objectText, type JsonText } from './json-text.ts'
import { inMemory, inPieces, spooled, type RawJson } from './raw-json.ts'

type Schemas = components['schemas']

const IDS = frameOf({ ids: [] } satisfies Schemas['FoundObjects'])
const [BEFORE_IDS, AFTER_IDS] = [Buffer.from(IDS.before), Buffer.from(IDS.after)]

/** The objects that a query matches. It takes over the set, and frees the memory once the last id is sent. */
export function idList(ids: IdSet): RawJson<Schemas['FoundObjects']> {
  const length = BEFORE_IDS.length + jsonLength(ids) + AFTER_IDS.length
  const discard = async (): Promise<void> => {
    ids.release()
  }
  return inPieces({ length, held: ids.bytes.length }, idListPieces(ids), discard)
}

function* idListPieces(ids: IdSet): Generator<BorrowedBytes> {
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

async function writeResults(spool: Spool, objects: AsyncIterable<ObjectValues>): Promise<void> {
  let separator = ''
  const names = new Names()
  await spool.write(RESULTS.before)
  for await (const { object, values } of objects) {
    await spool.write(`${separator}"${object}":${entriesOf(values, names)}`)
    separator = ','
  }
  await spool.write(RESULTS.after)
}

/** The JSON of paths, each made once: many objects have values of the same tags. */
class Names {
  readonly #made = new Map<string, string>()

  of(path: string): string {
    let name = this.#made.get(path)
    if (name === undefined) this.#made.set(path, (name = jsonText(path)))
    return name
  }
}

/** The values of an object, by path. */
function entriesOf(
  values: readonly ListedValue[],
  names: Names,
): JsonText<Record<string, Schemas['ValueEntry']>> {
  let entries = ''
  for (const value of values) {
    entries += `${entries === '' ? '' : ','}${names.of(value.path)}:${valueEntry(value)}`
  }
  return `{${entries}}` as JsonText<Record<string, Schemas['ValueEntry']>>
}

async function writePage(spool: Spool, { counted, objects, next }: SearchPage): Promise<void> {
  let separator = ''
  const names = new Names()
  await spool.write(counted === undefined ? '{"results":[' : `${jsonText(counted).slice(0, -1)},"results":[`)
  for await (const { object, about, values } of objects) {
    const found = objectText<Schemas['FoundObject']>({
      id: jsonText<string>(object),
      about: (about?.toString() ?? 'null') as JsonText<string | null>,
      values: entriesOf(values, names),
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
  const seconds = Math.floor(microseconds / 1e6)
  const text = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length)
  const fraction = String(microseconds - seconds * 1e6).padStart(6, '0')
  return `"${text}.${fraction}Z"` as JsonText<string>
}
