/** Cutting a JSON array into its elements, wherever its text is cut into pieces. */
import { expect, test } from '@jest/globals'
import type { JsonFormat } from '../../common/importing/formats.ts'
import { elementsOf } from '../../common/importing/json-elements.ts'

async function cut(pieces: readonly string[], format: Omit<JsonFormat, 'name'> = {}): Promise<string[]> {
  async function* texts(): AsyncGenerator<string> {
    yield* pieces
  }
  const elements: string[] = []
  for await (const { text, flaw } of elementsOf(texts(), { name: 'json', ...format }))
    elements.push(flaw ?? text)
  return elements
}

const ARRAY = String.raw` [{"a":"],[\"\\"},[1,[2]],"\\\"," , 5] `
const ELEMENTS = [String.raw`{"a":"],[\"\\"}`, '[1,[2]]', String.raw`"\\\"," `, ' 5']

test('the pieces do not matter', async () => {
  for (let from = 0; from <= ARRAY.length; from++) {
    for (let to = from; to <= ARRAY.length; to++) {
      const pieces = [ARRAY.slice(0, from), ARRAY.slice(from, to), ARRAY.slice(to)]
      expect(await cut(pieces)).toEqual(ELEMENTS)
    }
  }
})

test('an empty array has no elements', async () => {
  expect(await cut(['[ ', '\n]'])).toEqual([])
})

test.each<[string, string[]]>([
  ['[1,2', ['1', 'it is no JSON: the file ends before it does']],
  ['[1]]', ['1', ']']],
  ['[1] [2]', ['1', '2']],
  ['[1] x', ['1', ' x']],
  ['{"a":1}\n{"b":{}} {"c":[2]}', ['{"a":1}', '{"b":{}}', '{"c":[2]}']],
  ['', []],
])('the values in %j', async (text, elements) => {
  for (const pieces of [[text], [...text]]) expect(await cut(pieces)).toEqual(elements)
})

const NESTED = String.raw`{"m":{"x":[1,{"r":3}]},"r":{"\"i":[{"a":1},{"b":[2]}]},"z":[1],"k":{"x":{"a":1},"y":{}}}`

test.each<[Omit<JsonFormat, 'name'>, string[]]>([
  [{ rows: 'r."i' }, ['{"a":1}', '{"b":[2]}']],
  [{ rows: 'k', keyed: true }, ['"x":{"a":1}', '"y":{}']],
  [{ rows: 'k' }, ['{"x":{"a":1},"y":{}}']],
])('the elements at %j', async (format, elements) => {
  for (const pieces of [[NESTED], [...NESTED]]) expect(await cut(pieces, format)).toEqual(elements)
})

test('a path that leads nowhere is an error', async () => {
  await expect(cut([NESTED], { rows: 'm.y' })).rejects.toThrow("there is no list 'm.y' in the JSON")
})

test('an element of more than 16 MiB is refused, and those after it are not', async () => {
  const long = 'x'.repeat(1024 * 1024)
  const pieces = ['[1,"', ...Array.from({ length: 17 }, () => long), '",2]']
  expect(await cut(pieces)).toEqual(['1', 'it is longer than 16 MiB', '2'])
})
