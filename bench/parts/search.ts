/**
 * Measures `/search` and its subpaths: compares pages with a plain server, and counts and facets with hand-written SQL;
 * measures suggestions and checks alone.
 */
import { isDeepStrictEqual } from 'node:util'
import { besideOf, glossSide, handSide, inTurn, type Beside } from '../beside.ts'
import { facetsPath, FACETS, pagesIn, searchPath, type FacetShape, type PageShape } from '../searches.ts'
import { queryText, SHAPES, type Shape } from '../shapes.ts'
import { expectStatus, timed, type Patience, type Sides } from '../sides.ts'
import { median, spreadOf, type Rounds, type Spread } from '../statistics.ts'
import { COUNTED, exactWork, facetWork } from '../works.ts'
import { tagPath } from '../catalogue.ts'

/** The measurements of a request; `matches` is the number of objects that its query matches. */
export interface SearchResult extends Beside {
  readonly name: string
  readonly matches: number
}

/** The measurements of a request without a comparison; times in milliseconds. */
export interface LookupResult {
  readonly name: string
  readonly gloss: Spread
  readonly glossCpuMs: number
}

/** The measurements of searches in a run. */
export interface SearchResults {
  /** Compared with the plain server. */
  readonly pages: readonly SearchResult[]
  /** Compared with hand-written SQL. */
  readonly counts: readonly SearchResult[]
  readonly facets: readonly SearchResult[]
  readonly lookups: readonly LookupResult[]
}

/** Measures all of it on one store. */
export async function measureSearch(sides: Sides, { question: rounds }: Patience): Promise<SearchResults> {
  const pages: SearchResult[] = []
  for (const page of pagesIn(sides.values)) pages.push(await measurePage(sides, page, rounds))
  const counts: SearchResult[] = []
  for (const shape of COUNTED) counts.push(await measureCount(sides, shape, rounds))
  const facets: SearchResult[] = []
  for (const shape of FACETS) facets.push(await measureFacets(sides, shape, rounds))
  return { pages, counts, facets, lookups: await measureLookups(sides, rounds) }
}

interface Page {
  readonly results: readonly unknown[]
  readonly next?: string
  readonly count?: number
}

const getJson = async (sides: Sides, path: string): Promise<unknown> =>
  JSON.parse((await expectStatus(sides.reader, 200, 'GET', path)).toString())

/** The number of requests in one measurement of a page, or of a smaller answer. */
const IN_A_ROW = 10

async function measurePage(sides: Sides, shape: PageShape, rounds: Rounds): Promise<SearchResult> {
  const path = await pathOfPage(sides, shape)
  const barePath = `/page/${encodeURIComponent(shape.name)}`
  await sides.byHand.turnTo(shape)
  const bare: unknown = JSON.parse((await expectStatus(sides.bare, 200, 'GET', barePath)).toString())
  expectSame(shape.name, await getJson(sides, path), bare)
  const { gloss, other } = await inTurn(
    {
      gloss: glossSide(sides, () => timed(() => sides.reader.drain(path))),
      other: handSide(sides, () => timed(() => sides.bare.drain(barePath))),
    },
    rounds,
    IN_A_ROW,
  )
  const counted = (await getJson(sides, searchPath(shape, { count: 'exact' }))) as Page
  return { name: shape.name, matches: counted.count ?? NaN, ...besideOf(gloss, other) }
}

/** The path and query string of a page, which it finds by following `next` from the first one. */
export async function pathOfPage(sides: Sides, shape: PageShape): Promise<string> {
  let path = searchPath(shape)
  for (let page = 1; page < shape.page; page++) {
    const { next } = (await getJson(sides, path)) as Page
    if (next === undefined) throw new Error(`${shape.name}: there are not so many pages`)
    path = searchPath(shape, { cursor: next })
  }
  return path
}

async function measureCount(sides: Sides, { name, question }: Shape, rounds: Rounds): Promise<SearchResult> {
  const query = queryText(question)
  const path = `/search?${new URLSearchParams({ query, limit: '1', count: 'exact' }).toString()}`
  const { count } = await sides.choose(exactWork(name))
  const page = (await getJson(sides, path)) as Page
  if (page.count !== count) throw new Error(`${query} matches ${page.count} objects, and by hand ${count}`)
  const { gloss, other } = await inTurn(
    {
      gloss: glossSide(sides, () => timed(() => sides.reader.drain(path))),
      other: handSide(sides, async () => (await sides.byHand.ask('run', exactWork(name))).ms),
    },
    rounds,
  )
  return { name: `count=exact of ${name}`, matches: count, ...besideOf(gloss, other) }
}

async function measureFacets(sides: Sides, shape: FacetShape, rounds: Rounds): Promise<SearchResult> {
  const path = facetsPath(shape)
  const work = facetWork(shape.name)
  const { answer } = await sides.choose(work)
  const facets = (await getJson(sides, path)) as { count: number }
  expectSame(shape.name, facets, answer)
  const { gloss, other } = await inTurn(
    {
      gloss: glossSide(sides, () => timed(() => sides.reader.drain(path))),
      other: handSide(sides, async () => (await sides.byHand.ask('run', work)).ms),
    },
    rounds,
  )
  return { name: shape.name, matches: facets.count, ...besideOf(gloss, other) }
}

function expectSame(what: string, gloss: unknown, byHand: unknown): void {
  if (isDeepStrictEqual(gloss, byHand)) return
  const [one, other] = [gloss, byHand].map((answer) => JSON.stringify(answer).slice(0, 2_000))
  throw new Error(`${what}: the answers differ:\n${one}\n${other}`)
}

/** Suggestions of paths, and of values. */
export const SUGGEST_PATHS = '/search/suggest?text=lib'
const SUGGEST_VALUES = `/search/suggest?tag=${encodeURIComponent(tagPath('author'))}&text=C`

async function measureLookups(sides: Sides, rounds: Rounds): Promise<LookupResult[]> {
  return [
    await measureLookup(sides, 'suggestions of paths', rounds, () => suggestedPaths(sides)),
    await measureLookup(sides, 'suggestions of values that begin with a letter', rounds, () =>
      suggestedValues(sides),
    ),
    await measureLookup(sides, 'check of a query of four conditions', rounds, () => checkedQuery(sides)),
  ]
}

async function measureLookup(
  sides: Sides,
  name: string,
  rounds: Rounds,
  work: () => Promise<unknown>,
): Promise<LookupResult> {
  const { gloss } = await inTurn({ gloss: glossSide(sides, () => timed(work)) }, rounds, IN_A_ROW)
  return { name, gloss: spreadOf(gloss.ms), glossCpuMs: median(gloss.cpuMs) }
}

interface Suggested {
  readonly suggestions: readonly { readonly path?: string; readonly value?: string }[]
}

async function suggestedPaths(sides: Sides): Promise<void> {
  const { suggestions } = (await getJson(sides, SUGGEST_PATHS)) as Suggested
  const wrong = suggestions.find(({ path }) => path?.includes('lib') !== true)
  if (suggestions.length === 0 || wrong !== undefined) throw new Error('other paths were suggested')
}

async function suggestedValues(sides: Sides): Promise<void> {
  const { suggestions } = (await getJson(sides, SUGGEST_VALUES)) as Suggested
  const wrong = suggestions.find(({ value }) => value?.startsWith('C') !== true)
  if (suggestions.length === 0 || wrong !== undefined) throw new Error('other values were suggested')
}

/** The shape of four conditions. */
const CHECKED = queryText(
  (SHAPES.find(({ name }) => name === 'nested: (= or =) and range except has') as Shape).question,
)

interface Checked {
  readonly valid: boolean
  readonly nodes: readonly { readonly path?: string; readonly count?: number }[]
}

async function checkedQuery(sides: Sides): Promise<void> {
  const body = JSON.stringify({ query: CHECKED })
  const answer = await expectStatus(sides.reader, 200, 'POST', '/search/check', body)
  const { valid, nodes } = JSON.parse(answer.toString()) as Checked
  // In a large store a combination of conditions may match more objects than the service counts.
  const uncounted = nodes.find(({ path, count }) => path !== undefined && count === undefined)
  if (!valid || uncounted !== undefined) throw new Error('a condition was not counted')
}
