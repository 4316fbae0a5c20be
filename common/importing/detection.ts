/** Detects how a file of rows is to be read. */
import { foreignIn } from './foreign-files.ts'
import { encodingOf, namedEncoding } from './encodings.ts'
import { SEPARATOR_NAMES, type Format } from './formats.ts'
import { shapeOf } from './json-shapes.ts'
import { hasQuotes, separatorsOf } from './separators.ts'

/** What the user has said about a file. */
export interface Given {
  /** A label of the Encoding Standard. */
  readonly encoding?: string | undefined
  readonly format?: Format | undefined
  readonly separator?: string | undefined
  /** The line of the heading, from 1; false if there is none. */
  readonly heading?: number | false | undefined
  /** The path of the rows in JSON. */
  readonly rows?: string | undefined
}

/** How a file is read. */
export interface Detected {
  readonly format: Format
  readonly encoding: string
  /** What the user should know about it, without capitals and full stops. */
  readonly notes: readonly string[]
  /** The separators, if several are possible. */
  readonly separators: readonly string[]
}

/** The number of characters that the detection of the separator reads. */
const LOOKED_AT = 64 * 1024

/**
 * Detects what the user has not said, from the first octets of a file and its extension. Throws a `Failure` if the file
 * cannot be one of rows.
 */
export function detect(head: Uint8Array, file: string | undefined, given: Given): Detected {
  const foreign = foreignIn(head)
  if (foreign !== undefined) throw foreign
  const found =
    given.encoding === undefined
      ? encodingOf(head)
      : { encoding: namedEncoding(given.encoding), note: undefined }
  const notes = found.note === undefined ? [] : [found.note]
  const { encoding } = found
  if (given.format !== undefined) return { format: given.format, encoding, notes, separators: [] }
  const format = formatOf(file, new TextDecoder(encoding).decode(head), given)
  return { ...format, encoding, notes: [...notes, ...format.notes] }
}

/** Detects the format of a text with the beginning `head`. The extension of the file takes precedence. */
export function formatOf(
  file: string | undefined,
  head: string,
  given: Given = {},
): Omit<Detected, 'encoding'> {
  const [, suffix = ''] = /\.(\w+)(?:\.gz)?$/i.exec(file ?? '') ?? []
  if (given.rows !== undefined || isJson(head, suffix, given))
    return jsonIn(head, given.rows, /^(ndjson|jsonl)$/i.test(suffix))
  return csvIn(head, given, /^tsv$/i.test(suffix) ? '\t' : undefined)
}

function isJson(head: string, suffix: string, { separator, heading }: Given): boolean {
  if (separator !== undefined || heading !== undefined || /^[ct]sv$/i.test(suffix)) return false
  return /^[[{]/.test(head.trimStart()) || /^((nd)?json|jsonl|geojson)$/i.test(suffix)
}

function jsonIn(head: string, rows: string | undefined, isLined: boolean): Omit<Detected, 'encoding'> {
  const lines = head.split('\n', 10).filter((line) => line.trim() !== '')
  const objects = lines.filter(isRow)
  const areLines = isLined
    ? objects.length > 0 || lines.length === 0
    : lines.length > 1 && isRow(lines[0] ?? '')
  if (rows === undefined && areLines) return { format: { name: 'ndjson' }, notes: [], separators: [] }
  return { ...shapeOf(head, rows), separators: [] }
}

/** Returns whether a line is a row of NDJSON. */
function isRow(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}

function csvIn(head: string, given: Given, usual: string | undefined): Omit<Detected, 'encoding'> {
  // Excel takes the separator from such a line.
  const marked = /^sep=(.)(?=[\n\r])/i.exec(head)?.[1]
  const heading = headingOf(given, marked === undefined ? 1 : 2)
  const text = fromLine(head, heading).slice(0, LOOKED_AT)
  const separators = [given.separator ?? marked ?? usual ?? separatorsOf(text)].flat()
  const [separator = ','] = separators
  const csv = { name: 'csv', separator, quotes: hasQuotes(text, separator) } as const
  const names = separators.map((one) => SEPARATOR_NAMES[one] ?? one)
  return {
    format: heading === 1 ? csv : { ...csv, heading },
    notes: separators.length > 1 ? [`the fields may be between ${names.join(' or ')}`] : [],
    separators,
  }
}

const headingOf = ({ heading }: Given, usual: number): number => (heading === false ? 0 : (heading ?? usual))

/** A text from one of its lines on. */
function fromLine(text: string, line: number): string {
  const ends = text.matchAll(/\r\n?|\n/g)
  let from = 0
  for (let at = 1; at < line; at++) {
    const end = ends.next().value
    from = end === undefined ? text.length : end.index + end[0].length
  }
  return text.slice(from)
}
