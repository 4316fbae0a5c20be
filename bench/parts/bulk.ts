/**
 * Compares `/values` with hand-written SQL: it sets and deletes a value on many objects, and reads several tags of many.
 */
import { queryText } from '../shapes.ts'
import { expectStatus, timed, type Patience, type Sides } from '../sides.ts'
import { interleaved, ratiosOf, spreadOf, type Spread } from '../statistics.ts'
import { WRITTEN } from '../store.ts'
import { CHANGED, CHANGED_TO, READ_OF, READ_TAGS } from '../works.ts'

/** The measurements of a bulk operation; times in milliseconds. */
export interface BulkResult {
  readonly name: string
  /** The number of values in the operation. */
  readonly touched: number
  readonly gloss: Spread
  readonly byHand: Spread
  readonly ratio: Spread
}

const changed = encodeURIComponent(queryText(CHANGED))
const PUT = JSON.stringify({
  queries: [[queryText(CHANGED), { [WRITTEN.gloss]: { value: JSON.parse(CHANGED_TO) as unknown } }]],
})
const DELETE_PATH = `/values?query=${changed}&tag=${encodeURIComponent(WRITTEN.gloss)}`
const READ_PATH = `/values?query=${encodeURIComponent(queryText(READ_OF))}${READ_TAGS.map((tag) => `&tag=${encodeURIComponent(tag)}`).join('')}`
const COUNT_PATH = `/objects?query=${encodeURIComponent(`has ${WRITTEN.gloss}`)}`

export async function measureBulk(sides: Sides, { bulk: rounds, question }: Patience): Promise<BulkResult[]> {
  return [await measureRead(sides, question), ...(await measureChanges(sides, rounds))]
}

async function measureRead(sides: Sides, rounds: Patience['question']): Promise<BulkResult> {
  const { count } = await sides.choose('values')
  const answer = JSON.parse((await expectStatus(sides.reader, 200, 'GET', READ_PATH)).toString()) as {
    results: { id: Record<string, object> }
  }
  const objects = Object.values(answer.results.id)
  const values = objects.reduce((sum, tags) => sum + Object.keys(tags).length, 0)
  if (values !== count) throw new Error(`GET /values gave ${values} values, and by hand there are ${count}`)
  const { gloss, byHand } = await interleaved(
    {
      gloss: () => timed(() => sides.reader.drain(READ_PATH)),
      byHand: async () => (await sides.byHand.ask('run', 'values')).ms,
    },
    rounds,
  )
  const name = `GET /values, ${objects.length.toLocaleString('en')} objects x ${READ_TAGS.length} tags`
  return resultOf(name, count, gloss, byHand)
}

/** Sets new values, sets them again, and deletes them; each side does all three before the other one's turn. */
async function measureChanges(sides: Sides, rounds: Patience['bulk']): Promise<BulkResult[]> {
  await sides.choose('delete')
  await sides.choose('put')
  await expectStatus(
    sides.owner,
    204,
    'DELETE',
    `/values?query=has ${WRITTEN.gloss}&tag=${WRITTEN.gloss}`.replaceAll(' ', '%20'),
  )
  const steps = ['PUT /values, new', 'PUT /values, over others', 'DELETE /values'] as const
  const times = { gloss: steps.map((): number[] => []), byHand: steps.map((): number[] => []) }
  let touched = 0
  const glossTurn = async (): Promise<number> => {
    const put = (): Promise<number> => timed(() => expectStatus(sides.owner, 204, 'PUT', '/values', PUT))
    const took = [await put(), await put()]
    const { ids } = JSON.parse((await expectStatus(sides.owner, 200, 'GET', COUNT_PATH)).toString()) as {
      ids: string[]
    }
    touched = ids.length
    took.push(await timed(() => expectStatus(sides.owner, 204, 'DELETE', DELETE_PATH)))
    took.forEach((ms, step) => times.gloss[step]?.push(ms))
    return took[0] ?? 0
  }
  const byHandTurn = async (): Promise<number> => {
    const took = [
      await sides.byHand.ask('run', 'put'),
      await sides.byHand.ask('run', 'put'),
      await sides.byHand.ask('run', 'delete'),
    ]
    took.forEach(({ ms }, step) => times.byHand[step]?.push(ms))
    if (took[2]?.count !== touched && touched > 0)
      throw new Error(`by hand ${took[2]?.count} values were deleted instead of ${touched}`)
    return took[0]?.ms ?? 0
  }
  await interleaved({ gloss: glossTurn, byHand: byHandTurn }, rounds)
  // The first round was a warm-up.
  return steps.map((step, i) =>
    resultOf(
      `${step}, ${touched.toLocaleString('en')} objects`,
      touched,
      times.gloss[i]?.slice(1) ?? [],
      times.byHand[i]?.slice(1) ?? [],
    ),
  )
}

const resultOf = (name: string, touched: number, gloss: number[], byHand: number[]): BulkResult => ({
  name,
  touched,
  gloss: spreadOf(gloss),
  byHand: spreadOf(byHand),
  ratio: ratiosOf(gloss, byHand),
})
