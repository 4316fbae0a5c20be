/** Reads JSON rows: the elements of an array, or one object per line. */
import { parseExact } from '../../packages/client/json.ts'
import { Failure } from '../failure.ts'
import { isObject, type Field, type Row } from './fields.ts'
import { elementsOf, LONGEST_ROW } from './json-elements.ts'

/** The rows of a text. Throws a `Failure` if it cannot read the rest of the text. */
export async function* jsonRows(
  texts: AsyncIterable<string>,
  format: 'json' | 'ndjson',
): AsyncGenerator<Row> {
  let number = 0
  for await (const element of format === 'json' ? elementsOf(texts) : linesOf(texts)) {
    number += 1
    yield rowOf(number, element.trim())
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of texts) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_ROW) {
      throw new Failure('a line is longer than 16 MiB', 'write an object a line, or an array of objects')
    }
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

function rowOf(number: number, text: string): Row {
  const none = { number, fields: new Map<string, Field>(), texts: [text] }
  try {
    const value = parseRow(text) as Field
    if (isObject(value)) return { number, fields: new Map(Object.entries(value as object)) }
    return { ...none, flaw: 'it is no JSON object' }
  } catch (error) {
    return { ...none, flaw: `it is no JSON: ${(error as Error).message}` }
  }
}

/**
 * Parses as `parseExact` does, but tries `JSON.parse` first: if its result has the same JSON, no digit is lost. That
 * holds for most files, because programs write them.
 */
function parseRow(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return JSON.stringify(value) === text ? value : parseExact(text)
}
