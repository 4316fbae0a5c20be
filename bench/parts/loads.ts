/**
 * Loads: compares `PUT /values` of the demo's cities, each with its own values, with hand-written SQL that makes the same
 * rows.
 */
import { createHash } from 'node:crypto'
import { besideOf, inTurn, type Beside } from '../beside.ts'
import { basic, HttpClient } from '../http.ts'
import { ADMIN_PASSWORD, startGloss, startLoadByHand } from '../processes.ts'
import { rowsOf } from '../rows.ts'
import { expectStatus, timed, type Patience } from '../sides.ts'
import { spreadOf, type Spread } from '../statistics.ts'
import type { Stores } from '../store.ts'
import { spaceOf, type Space } from '../space.ts'
import { cities, elementOf, OWNER, type Element } from '../../demo/cities.ts'
import { literal } from '../sql-forms.ts'
import { SYSTEM_TAGS } from '../../src/data/store/tables.ts'

/** The measurements of a load; times are per request, in milliseconds. */
export interface LoadResult extends Beside {
  readonly name: string
  /** The average number of values on an object, including its about value. */
  readonly valuesEach: number
  /** Objects per second. */
  readonly perSecond: { readonly gloss: Spread; readonly byHand: Spread }
  /** The size of the loaded store. */
  readonly space: Space
}

const AT_ONCE = 1_000
/** The most requests; each has other cities. */
const MOST = 100
const USER = { username: OWNER, password: 'many streets and squares' }

/** Measures on two stores that contain only one object, which creates the tags. */
export async function measureLoads(
  stores: Stores,
  { bulk: { forMs, least } }: Patience,
): Promise<LoadResult[]> {
  const urls = { gloss: await stores.empty(), byHand: await stores.empty('by_hand') }
  await begin(urls.byHand)
  await begin(urls.gloss)
  const byHand = await startLoadByHand(urls.byHand)
  const gloss = await startGloss(urls.gloss)
  const client = new HttpClient(gloss.port, basic(USER.username, USER.password))
  // Each side goes through the cities separately, in the same steps.
  const next = { gloss: 0, byHand: 0 }
  const take = (side: keyof typeof next): number => (next[side] += AT_ONCE) - AT_ONCE
  let body = ''
  try {
    const { gloss: one, byHand: other } = await inTurn(
      {
        gloss: {
          pids: [gloss.pid, ...stores.pids],
          prepare: async () => {
            body = bodyOf(some(take('gloss')).map(elementOf))
          },
          once: () => timed(() => expectStatus(client, 204, 'PUT', '/values', body)),
        },
        byHand: {
          pids: [byHand.pid, ...stores.pids],
          prepare: () => byHand.prepare(take('byHand'), AT_ONCE),
          once: () => byHand.store(),
        },
      },
      { forMs, least, most: MOST },
    )
    client.close()
    await Promise.all([gloss.stop(), byHand.stop()])
    const values = await expectSameRows(urls)
    const perSecond = (took: readonly number[]): Spread => spreadOf(took.map((ms) => (AT_ONCE / ms) * 1000))
    return [
      {
        name: `PUT /values, ${AT_ONCE.toLocaleString('en')} cities with values of their own`,
        valuesEach: values / (next.gloss + 1),
        perSecond: { gloss: perSecond(one.ms), byHand: perSecond(other.ms) },
        space: await spaceOf(urls.gloss),
        ...besideOf(one, other),
      },
    ]
  } finally {
    await Promise.all([gloss.kill(), byHand.stop()])
  }
}

const some = (from: number): typeof cities => cities.slice(from, from + AT_ONCE)

const bodyOf = (queries: readonly Element[]): string => JSON.stringify({ queries })

/** An artificial city with every tag that any city has. */
function everyTag(): Element {
  const values: Element[1] = {}
  for (const city of cities) Object.assign(values, elementOf(city)[1])
  return ['service/about = "geonames:0"', values]
}

/** Creates the user and the tags. */
async function begin(databaseUrl: string): Promise<void> {
  const gloss = await startGloss(databaseUrl)
  const admin = new HttpClient(gloss.port, basic('service', ADMIN_PASSWORD))
  const client = new HttpClient(gloss.port, basic(USER.username, USER.password))
  await expectStatus(admin, 201, 'POST', '/users', JSON.stringify(USER))
  await expectStatus(client, 204, 'PUT', '/values', bodyOf([everyTag()]))
  for (const each of [admin, client]) each.close()
  await gloss.stop()
}

/** Returns whether an object is a city, by its about value: `;` follows `:`. */
const IS_CITY = `a.tag_id = ${SYSTEM_TAGS.about.id}
  AND a.content > ${literal(Buffer.from('"geonames:'))} AND a.content < ${literal(Buffer.from('"geonames;'))}`

/** The content of a store's rows about cities, without ids and times, which differ. */
const SAID = [
  `SELECT t.path, a.content AS about, v.type, v.sort_key, v.content, v.size, v.user_id FROM tag_values v
  JOIN tags t ON t.id = v.tag_id JOIN tag_values a ON a.object_id = v.object_id AND ${IS_CITY}`,
  `SELECT t.path, e.term, count(*) AS n FROM terms e JOIN tags t ON t.id = e.tag_id
  JOIN tag_values a ON a.object_id = e.object_id AND ${IS_CITY} GROUP BY t.path, e.term`,
  'SELECT count(*) FROM about_values',
]

/** Throws if the two stores have different content; returns the number of the cities' values. */
async function expectSameRows(urls: { readonly gloss: string; readonly byHand: string }): Promise<number> {
  let values = 0
  for (const [i, statement] of SAID.entries()) {
    const said = []
    for (const url of [urls.gloss, urls.byHand]) {
      const rows = (await rowsOf(url, statement)).map((row) =>
        Object.values(row)
          .map((cell) => (Buffer.isBuffer(cell) ? cell.toString('hex') : String(cell)))
          .join(),
      )
      if (rows.length === 0) throw new Error(`nothing was loaded: ${statement}`)
      if (i === 0) values = rows.length
      said.push(createHash('sha256').update(rows.sort().join('\n')).digest('hex'))
    }
    if (said[0] !== said[1]) throw new Error(`PUT /values made other rows than SQL by hand: ${statement}`)
  }
  return values
}
