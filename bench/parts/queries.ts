/**
 * The ids of queries: compares Gloss over HTTP with the best SQL without HTTP, and with a plain server that runs that
 * SQL.
 */
import { glossSide, handSide, inTurn } from '../beside.ts'
import { queryText, SHAPES, type Shape } from '../shapes.ts'
import { expectStatus, objectsPath, timed, type Patience, type Sides } from '../sides.ts'
import { median, ratiosOf, spreadOf, type Spread } from '../statistics.ts'
import { idsWork } from '../works.ts'

/** The measurements of a shape; times in milliseconds. */
export interface QueryResult {
  readonly name: string
  readonly query: string
  readonly sql: string
  /** The number of objects that it finds. */
  readonly found: number
  readonly gloss: Spread
  readonly byHand: Spread
  readonly bare: Spread
  /** Processor time per query, including that of the database. */
  readonly glossCpuMs: number
  readonly byHandCpuMs: number
  /** The ratios of Gloss to hand-written SQL, and to the plain server. */
  readonly ratio: Spread
  readonly ratioToBare: Spread
  /**
   * The ratio of the processor times of Gloss and the plain server; missing in results of older versions of the
   * benchmark.
   */
  readonly cpuRatioToBare?: Spread
}

/** A query that finds no more objects than this takes little more time than its request. */
export const FEW = 1_000
/** The number of such requests in one measurement. */
const IN_A_ROW = 10

/** Measures shapes in a store; calls `tell` with each result. */
export async function measureQueries(
  sides: Sides,
  { question: rounds }: Patience,
  tell: (result: QueryResult) => void,
  shapes: readonly Shape[] = SHAPES,
): Promise<QueryResult[]> {
  const results: QueryResult[] = []
  for (const { name, question } of shapes) {
    const query = queryText(question)
    const path = objectsPath(query)
    const work = idsWork(name)
    const { form, count, sum } = await sides.choose(work)
    const found = await expectStatus(sides.reader, 200, 'GET', path)
    const foundBare = await expectStatus(sides.bare, 200, 'GET', bareIdsPath(work))
    if (sumOfJson(found) !== sum || sumOfJson(foundBare) !== sum) {
      throw new Error(`${query} gives other ids over HTTP than by hand (${count})`)
    }
    const length = found.length
    const { gloss, byHand, bare } = await inTurn(
      {
        gloss: glossSide(sides, () =>
          timed(async () => {
            const octets = await sides.reader.drain(path)
            if (octets !== length) throw new Error(`${query} gave an answer of another length`)
          }),
        ),
        byHand: handSide(sides, async () => {
          const reply = await sides.byHand.ask('run', work)
          if (reply.count !== count)
            throw new Error(`by hand ${query} found ${reply.count} instead of ${count}`)
          return reply.ms
        }),
        bare: handSide(sides, () => timed(() => sides.bare.drain(bareIdsPath(work)))),
      },
      rounds,
      count <= FEW ? IN_A_ROW : 1,
    )
    const result = {
      name,
      query,
      sql: form.join('; '),
      found: count,
      gloss: spreadOf(gloss.ms),
      byHand: spreadOf(byHand.ms),
      bare: spreadOf(bare.ms),
      glossCpuMs: median(gloss.cpuMs),
      byHandCpuMs: median(byHand.cpuMs),
      ratio: ratiosOf(gloss.ms, byHand.ms),
      ratioToBare: ratiosOf(gloss.ms, bare.ms),
      cpuRatioToBare: ratiosOf(gloss.cpuMs, bare.cpuMs),
    }
    tell(result)
    results.push(result)
  }
  return results
}

const bareIdsPath = (work: string): string => `/ids/${encodeURIComponent(work)}`

/** The sum of the ids in an answer, computed as in by-hand.ts. */
function sumOfJson(json: Buffer): string {
  const { ids } = JSON.parse(json.toString()) as { ids: string[] }
  const sums = new Uint32Array(4)
  for (const id of ids) {
    const hex = id.replaceAll('-', '')
    for (let lane = 0; lane < 4; lane++) {
      sums[lane] = (sums[lane] ?? 0) + Number.parseInt(hex.slice(lane * 8, lane * 8 + 8), 16)
    }
  }
  return Buffer.from(sums.buffer).toString('hex')
}
