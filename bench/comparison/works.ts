/** The works for the comparison of two versions of the service: requests that both understand. */
import { aboutCount, aboutOf, booksWith, catalogueTags, OWNER, READER, tagPath } from '../catalogue.ts'
import { basic, HttpClient } from '../http.ts'
import { load, requestBytes } from '../load.ts'
import type { Gloss } from '../processes.ts'
import { queryText, SHAPES } from '../shapes.ts'
import { expectStatus, objectsPath, timed } from '../sides.ts'
import { WRITTEN } from '../store.ts'
import { CHANGED, CHANGED_TO, READ_OF, READ_TAGS } from '../works.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'

/** The parts of the benchmark. */
export type Part = 'single' | 'queries' | 'bulk'

/** A work that a service repeats. */
export interface ComparedWork {
  readonly part: Part
  readonly name: string
  /** Does the work for one turn; returns the milliseconds of a single time. */
  readonly turn: (gloss: Gloss) => Promise<number>
}

/**
 * The duration of a turn for works that need many requests, in milliseconds: long enough that rare events of a process,
 * such as a full garbage collection, occur in most turns.
 */
const TURN_MS = 2_000

const OWNER_HEADERS = basic(OWNER.username, OWNER.password)
const READER_HEADERS = basic(READER.username, READER.password)
const JSON_HEADERS = { ...OWNER_HEADERS, 'Content-Type': 'application/json' }

/** All works, on a catalogue of this many values. */
export function comparedWorks(values: number): ComparedWork[] {
  return [...singleWorks(values), ...queryWorks(), ...bulkWorks()]
}

/** The expected status of the requests, by default 200, the number of connections, by default one, and the part. */
interface Requests {
  readonly status?: number
  readonly connections?: number
  readonly part?: Part
}

/** A work of many requests, which `next` returns. */
const manyRequests = (
  name: string,
  next: () => Buffer,
  { status = 200, connections = 1, part = 'single' }: Requests = {},
): ComparedWork => ({
  part,
  name,
  turn: async ({ port }) => {
    const { ms, latencies } = await load(port, next, status, { connections, forMs: TURN_MS })
    return ms / latencies.length
  },
})

const valuesPath = (query: string, tags: readonly string[]): string =>
  `/values?query=${encodeURIComponent(query)}${tags.map((tag) => `&tag=${encodeURIComponent(tag)}`).join('')}`

const STEP = 7_919
/** The number of books with a value that the work writes repeatedly, and its tag. */
const [REWRITTEN, REPLACED] = [4_000, tagPath('written/again')]

function singleWorks(values: number): ComparedWork[] {
  const title = tagPath('title')
  const titled = catalogueTags(values)
    .filter(({ path }) => path === title)
    .flatMap((tag) => [...booksWith(tag, values)])
    .filter((book) => book < aboutCount(values))
  let count = 0
  let written = 0
  // In large steps, not in the order of a key.
  const at = (place: number, books = titled.length): string =>
    encodeURIComponent(aboutOf(titled[(place * STEP) % books] ?? 0))
  const book = (): string => at(++count)
  const get = (path: () => string) => (): Buffer => requestBytes('GET', path(), READER_HEADERS)
  const post = (path: string, body: () => object) => (): Buffer =>
    requestBytes('POST', path, JSON_HEADERS, JSON.stringify(body()))
  const value = { ...OWNER_HEADERS, 'Content-Type': PRIMITIVE_MEDIA_TYPE }
  const put = (path: () => string) => (): Buffer =>
    requestBytes('PUT', path(), value, String(count % 100_000))
  const read = get(() => `/about/${book()}/${title}`)
  const replace = put(() => `/about/${at(++count, Math.min(REWRITTEN, titled.length))}/${REPLACED}`)
  // The sequence visits all books before it repeats one; then it uses another tag.
  const write = put(() => {
    const round = Math.floor(written / titled.length)
    return `/about/${at(written++)}/${tagPath(`written/new${round}`)}`
  })
  return [
    ...[1, 16].flatMap((connections) => [
      manyRequests(`read of one value, ${connections} at a time`, read, { connections }),
      manyRequests(`write of one value, ${connections} at a time`, replace, { connections, status: 204 }),
      manyRequests(`write of a new value, ${connections} at a time`, write, { connections, status: 204 }),
    ]),
    manyRequests(
      'object by its about value',
      get(() => `/about/${book()}`),
    ),
    manyRequests(
      'user',
      get(() => `/users/${OWNER.username}`),
    ),
    manyRequests(
      'one value by /values',
      get(() => valuesPath(`service/about = "${aboutOf(4_321)}"`, [title])),
    ),
    manyRequests(
      'new object',
      post('/objects', () => ({ about: `new:${++count}` })),
      { status: 201 },
    ),
    manyRequests(
      'new tag',
      post(`/tags/${OWNER.username}`, () => ({ name: `new${++count}`, description: '', indexed: false })),
      { status: 201 },
    ),
  ]
}

const queryWorks = (): ComparedWork[] =>
  SHAPES.map(({ name, question }) => {
    const request = requestBytes('GET', objectsPath(queryText(question)), READER_HEADERS)
    return manyRequests(`ids: ${name}`, () => request, { part: 'queries' })
  })

/** The number of objects that a load creates. */
const LOADED = 1_000

/** The number of times that a turn writes many values. */
const TIMES = 3

/**
 * Loads, reads and changes many values. A first write replaces nothing, and a delete needs existing values, so both are
 * one measurement: during one of them, always the same one, SQLite copies its log into the database.
 */
function bulkWorks(): ComparedWork[] {
  const body = JSON.stringify({
    queries: [[queryText(CHANGED), { [WRITTEN.gloss]: { value: JSON.parse(CHANGED_TO) as unknown } }]],
  })
  const put = (client: HttpClient): Promise<unknown> => expectStatus(client, 204, 'PUT', '/values', body)
  const remove = (client: HttpClient): Promise<unknown> =>
    expectStatus(client, 204, 'DELETE', valuesPath(queryText(CHANGED), [WRITTEN.gloss]))
  let made = 0
  const load = (): string => {
    const values = { [tagPath('year')]: { value: 1999 }, [tagPath('title')]: { value: 'A book like others' } }
    const queries = Array.from({ length: LOADED }, () => [`service/about = "made:${++made}"`, values])
    return JSON.stringify({ queries })
  }
  return [
    asOwner(`PUT /values, ${LOADED.toLocaleString('en')} new objects`, async (client) => {
      const objects = load()
      return timed(() => expectStatus(client, 204, 'PUT', '/values', objects))
    }),
    asOwner('GET /values', (client) => timed(() => client.drain(valuesPath(queryText(READ_OF), READ_TAGS)))),
    asOwner('PUT /values, new, and DELETE', async (client) => {
      await remove(client)
      return timed(async () => {
        await put(client)
        await remove(client)
      })
    }),
    asOwner('PUT /values, over others', async (client) => {
      await put(client)
      return timed(() => put(client))
    }),
  ]
}

const asOwner = (name: string, once: (client: HttpClient) => Promise<number>): ComparedWork => ({
  part: 'bulk',
  name,
  turn: async ({ port }) => {
    const client = new HttpClient(port, OWNER_HEADERS)
    let ms = 0
    try {
      for (let time = 0; time < TIMES; time++) ms += await once(client)
      return ms / TIMES
    } finally {
      client.close()
    }
  },
})
