/** Reading rows and guessing what they become, without a browser. */
import { expect, test } from '@jest/globals'
import { firstChoices, mappingOf, placeIn, plansOf } from '../../console/src/import/choices.ts'
import { formatOf } from '../../common/importing/detection.ts'
import { readRows } from '../../common/importing/rows.ts'
import { talliesOf, type Sample } from '../../common/importing/sampling.ts'

async function* pieces(text: string, length: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length)
}

async function sampleOf(text: string): Promise<Sample> {
  const detected = formatOf(undefined, text)
  const { heading, rows } = await readRows(pieces(text, 100), detected.format)
  const read = await Array.fromAsync(rows)
  return {
    ...detected,
    encoding: 'utf-8',
    tallies: talliesOf(heading, read, {}),
    rows: read,
    isWhole: true,
  }
}

test.each([
  ['the column that is called so', 'name,id\na,1\na,2\n', { about: 'my-file:{id}' }],
  ['one that ends so', 'name,geoname_id\na,1\nb,2\n', { about: 'my-file:{geoname_id}' }],
  ['the first that differs', 'kind,name\na,x\na,y\n', { about: 'my-file:{name}' }],
  ['an about value', 'id,about\n1,x\n', { about: '{about}' }],
  ['an id', 'id,n\n019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4,1\n', { id: 'id' }],
])('the object is named by %s', async (_what, text, object) => {
  expect(firstChoices(await sampleOf(text), 'my file.csv.gz', 'alice').object).toEqual(object)
})

test('columns become tags with types that they have', async () => {
  const sample = await sampleOf('id,Lat,lng,alice/old/n,!,mixed\n1,1.5,x,1,a,7\n2,2,,2,b,none\n')
  const choices = firstChoices(sample, 'towns.csv', 'alice')
  const plans = plansOf(sample, choices, 'alice')
  expect(
    plans.map(({ column, type, tag, flaw }) => [
      column,
      type,
      type === 'skip' ? '' : tag,
      flaw !== undefined,
    ]),
  ).toEqual([
    ['id', 'skip', '', false],
    ['Lat', 'float', 'alice/towns/Lat', false],
    ['lng', 'string', 'alice/towns/lng', false],
    ['alice/old/n', 'int', 'alice/old/n', false],
    ['!', 'string', 'alice/towns/', true],
    ['mixed', 'string', 'alice/towns/mixed', false],
  ])
  expect(plans.at(-1)?.notes).toEqual(['mixed: "7" and "none"', '1 of 2 is not a number'])
  expect(plans[2]?.notes).toEqual(['1 empty'])
  const columns = new Map([['!', { type: 'skip' as const }]])
  const mapping = mappingOf(sample, choices, plansOf(sample, { ...choices, columns }, 'alice'))
  expect(mapping.columns).toContainEqual({ column: '!', skip: true })
  expect(placeIn(mapping)).toEqual({ lat: 'alice/towns/Lat', lon: 'alice/towns/lng' })
})
