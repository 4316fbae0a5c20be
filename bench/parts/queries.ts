/** The ids of queries: Gloss over HTTP, the best SQL without HTTP, and a bare server that runs that SQL. */
import { queryText, SHAPES, type Shape } from '../shapes.ts'
import { CpuMeter, expectStatus, objectsPath, timed, type Patience, type Sides } from '../sides.ts'
import { interleaved, ratiosOf, spreadOf, type Spread } from '../statistics.ts'
import { idsWork } from '../works.ts'

/** The measurements of a shape; times in milliseconds. */
export interface QueryResult {
  readonly name: string
  readonly query: string
  readonly sql: string
  /** The number of objects it finds. */
  readonly found: number
  readonly gloss: Spread
  readonly byHand: Spread
  readonly bare: Spread
  /** Processor time per query, including that of the database. */
  readonly glossCpuMs: number
  readonly byHandCpuMs: number
  /** Gloss divided by SQL by hand, and by the bare server. */
  readonly ratio: Spread
  readonly ratioToBare: Spread
}

/** Measures shapes in a store; `tell` is called with each result. */
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
    const glossCpu = new CpuMeter([sides.gloss.pid, ...sides.databasePids])
    const byHandCpu = new CpuMeter([sides.byHand.pid, ...sides.databasePids])
    const { gloss, byHand, bare } = await interleaved(
      {
        gloss: () =>
          glossCpu.around(() =>
            timed(async () => {
              const octets = await sides.reader.drain(path)
              if (octets !== length) throw new Error(`${query} gave an answer of another length`)
            }),
          ),
        byHand: async () => {
          const reply = await byHandCpu.around(() => sides.byHand.ask('run', work))
          if (reply.count !== count)
            throw new Error(`by hand ${query} found ${reply.count} instead of ${count}`)
          return reply.ms
        },
        bare: () => timed(() => sides.bare.drain(bareIdsPath(work))),
      },
      rounds,
    )
    const result = {
      name,
      query,
      sql: form.join('; '),
      found: count,
      gloss: spreadOf(gloss),
      byHand: spreadOf(byHand),
      bare: spreadOf(bare),
      glossCpuMs: glossCpu.ms,
      byHandCpuMs: byHandCpu.ms,
      ratio: ratiosOf(gloss, byHand),
      ratioToBare: ratiosOf(gloss, bare),
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
