/** Cutting a JSON array into its elements, wherever its text is cut into pieces. */
import { expect, test } from '@jest/globals'
import { elementsOf } from '../../common/importing/json-elements.ts'

async function cut(pieces: readonly string[]): Promise<string[]> {
  async function* texts(): AsyncGenerator<string> {
    yield* pieces
  }
  const elements: string[] = []
  for await (const element of elementsOf(texts())) elements.push(element)
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

test.each(['[1,2', '[1]]', '[1] [2]', '[1] x', ''])('%s is no array', async (text) => {
  await expect(cut([text])).rejects.toThrow('the JSON')
})
