/** Refusals of queries that match too many objects: compares a 413 over HTTP with the count that proves it. */
import { queryText, REFUSALS } from '../shapes.ts'
import { expectStatus, objectsPath, timed, type Patience, type Sides } from '../sides.ts'
import { interleaved, ratiosOf, spreadOf, type Spread } from '../statistics.ts'
import { countWork } from '../works.ts'

/** The measurements of a refusal; times in milliseconds. */
export interface RefusalResult {
  readonly name: string
  readonly query: string
  readonly sql: string
  readonly gloss: Spread
  readonly byHand: Spread
  readonly ratio: Spread
}

const MOST = 1_000_000

/** Measures the refusals, which need a store of the full size. */
export async function measureRefusals(
  sides: Sides,
  { question: rounds }: Patience,
): Promise<RefusalResult[]> {
  const results: RefusalResult[] = []
  for (const { name, question } of REFUSALS) {
    const query = queryText(question)
    const work = countWork(name)
    const { form, count } = await sides.choose(work)
    if (count <= MOST) throw new Error(`${query} is nothing to refuse: it finds ${count}`)
    const { gloss, byHand } = await interleaved(
      {
        gloss: () => timed(() => expectStatus(sides.reader, 413, 'GET', objectsPath(query))),
        byHand: async () => (await sides.byHand.ask('run', work)).ms,
      },
      rounds,
    )
    const spreads = { gloss: spreadOf(gloss), byHand: spreadOf(byHand), ratio: ratiosOf(gloss, byHand) }
    results.push({ name, query, sql: form.join('; '), ...spreads })
  }
  return results
}
