/** Reads JSON rows: the elements that a format names, or one per line. */
import { parseExact } from '../../packages/client/json.ts'
import { isObject, namesOf, textOfField, type Field, type Row } from './fields.ts'
import { flatFields } from './flattening.ts'
import type { Format } from './formats.ts'
import { elementsOf, LONGEST_ROW, type Element } from './json-elements.ts'

/**
 * The rows of a text. An object is a row; an array is one, too, and the first array has the names. Throws a `Failure` if
 * it cannot read the rest of the text.
 */
export async function* jsonRows(
  texts: AsyncIterable<string>,
  format: Exclude<Format, { name: 'csv' }>,
): AsyncGenerator<Row> {
  const isKeyed = format.name === 'json' && format.keyed === true
  let number = 0
  let names: readonly string[] | undefined
  for await (const element of format.name === 'json' ? elementsOf(texts, format) : linesOf(texts)) {
    const parsed = parsedOf(element, isKeyed)
    if (Array.isArray(parsed.value) && names === undefined && number === 0) {
      names = namesOf(parsed.value.map((one) => textOfField(one as Field)))
      continue
    }
    number += 1
    yield rowOf(number, parsed, names)
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<Element> {
  let rest = ''
  let isLong = false
  const lineOf = (text: string): Element =>
    isLong ? { text: '', flaw: 'it is longer than 16 MiB' } : { text }
  for await (const text of texts) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.trim() !== '' || isLong) yield lineOf(line)
      isLong = false
    }
    if (rest.length > LONGEST_ROW) {
      isLong = true
      rest = ''
    }
  }
  if (rest.trim() !== '' || isLong) yield lineOf(rest)
}

/** The value of an element, or the reason why it has none; of a member also its name. */
interface Parsed {
  readonly text: string
  readonly value?: unknown
  readonly key?: string
  readonly flaw?: string
}

function parsedOf({ text: untrimmed, flaw }: Element, isKeyed: boolean): Parsed {
  const text = untrimmed.trim()
  if (flaw !== undefined) return { text, flaw }
  try {
    if (!isKeyed) return { text, value: parseRow(text) }
    const [member = ['', undefined]] = Object.entries(parseRow(`{${text}}`) as object) as [string, unknown][]
    return { text, key: member[0], value: member[1] }
  } catch (error) {
    return { text, flaw: `it is no JSON: ${(error as Error).message}` }
  }
}

function rowOf(number: number, { text, value, key, flaw }: Parsed, names?: readonly string[]): Row {
  const none = { number, fields: new Map<string, Field>(), texts: [text] }
  if (flaw !== undefined) return { ...none, flaw }
  if (Array.isArray(value) && names !== undefined) {
    const isWide = value.length > names.length
    const wide = `it has ${value.length} elements, and the first array has ${names.length}`
    return isWide ? { ...none, flaw: wide } : { number, fields: new Map(named(names, value as Field[])) }
  }
  if (!isObject(value as Field)) return { ...none, flaw: 'it is no JSON object' }
  const fields = flatFields(value as object, key)
  if (typeof fields !== 'string') return { number, fields }
  return { ...none, flaw: `two of its fields would be called '${fields}'` }
}

const named = (names: readonly string[], fields: readonly Field[]): [string, Field][] =>
  fields.map((field, index) => [names[index] ?? '', field])

/**
 * Parses as `parseExact` does, but tries `JSON.parse` first: if its result has the same JSON, no digit is lost. That
 * holds for most files, because programs write them.
 */
function parseRow(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return JSON.stringify(value) === text ? value : parseExact(text)
}
