/** Rows of JSON: the elements of an array, or an object a line. */
import { parseExact } from '../../packages/client/json.ts'
import { Failure } from '../failure.ts'
import { isObject, type Field, type Row } from './fields.ts'
import { elementsOf, LONGEST_ROW } from './json-elements.ts'

/** The rows of a text. Throws a `Failure` where nothing after can be read. */
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

/** As `parseExact` does. Text that JSON writes in the same way has nothing to lose, and most files are written by programs. */
function parseRow(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return JSON.stringify(value) === text ? value : parseExact(text)
}
