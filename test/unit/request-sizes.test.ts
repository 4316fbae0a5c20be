/** Whatever sends many values keeps each request within what a service takes by default, counted in octets of UTF-8. */
import { expect, test } from '@jest/globals'
import { ValueWriter } from '../../command/archive/value-writer.ts'
import { parseJson } from '../../src/model/json.ts'
import type { Converter, Ready } from '../../common/importing/converting.ts'
import type { Row } from '../../common/importing/fields.ts'
import { BEGINNING, Transfer } from '../../common/importing/transfer.ts'

const MAX_JSON_BYTES = 2 * 1024 * 1024

/** Checks that a service takes these bodies, and returns their elements. */
function elementsIn(bodies: readonly string[]): readonly (readonly [query: string, values: object])[] {
  expect(bodies.length).toBeGreaterThan(1)
  return bodies.flatMap((body) => {
    expect(Buffer.byteLength(body)).toBeLessThan(MAX_JSON_BYTES)
    const { queries } = parseJson(body, 10).value as { queries: (readonly [string, object])[] }
    return queries
  })
}

test.each([
  ['text that is not ASCII', '漢'.repeat(1000)],
  ['lists of empty texts', Array.from({ length: 400 }, () => '')],
])('an import of %s', async (_what, value) => {
  const bodies: string[] = []
  const send = (rows: readonly Ready[]): Promise<[]> => {
    bodies.push(`{"queries":[${rows.map(({ element }) => element).join()}]}`)
    return Promise.resolve([])
  }
  const destination = {
    sender: { send },
    journal: { keep: () => undefined },
    refusedRows: { add: () => 0 },
    progressed: () => undefined,
  }
  const elementOf = ({ number }: Row): string =>
    JSON.stringify([`service/about = "${String(number)}"`, { 'alice/text': { value } }])
  const converter = {
    convert: (row: Row) => ({ row, target: { about: String(row.number) }, element: elementOf(row) }),
  } as unknown as Converter
  const rows = async function* (): AsyncGenerator<Row> {
    await Promise.resolve()
    for (let number = 1; number <= 1900; number++) yield { number } as Row
  }
  const { written } = await new Transfer(destination, BEGINNING).run(
    rows(),
    converter,
    new AbortController().signal,
  )
  expect(written).toBe(1900)
  expect(elementsIn(bodies)).toHaveLength(1900)
})

test('an object of an archive with more short values than a request may have', async () => {
  const bodies: string[] = []
  const client = {
    PUT: (_path: string, { body }: { body: unknown }) => Promise.resolve(bodies.push(JSON.stringify(body))),
  }
  const values = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`alice/t${String(i)}`, '漢'.repeat(10_000 + i)]),
  )
  const writer = new ValueWriter({ client } as never, false)
  const work = writer.add({ object: { about: 'large' }, values }) ?? writer.rest()
  await work()
  const elements = elementsIn(bodies)
  expect(new Set(elements.map(([query]) => query)).size).toBe(1)
  const written = Object.assign({}, ...elements.map(([, some]) => some)) as object
  expect(written).toEqual(Object.fromEntries(Object.entries(values).map(([tag, value]) => [tag, { value }])))
})
