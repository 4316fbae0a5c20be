/** Detects the format of a file of rows: a kind of CSV, a JSON array, or one JSON object per line. */

/** The format of a file of rows. */
export type Format =
  | {
      readonly name: 'csv'
      /** The text between two fields. */
      readonly separator: string
      /** Whether double quotes may enclose a field. */
      readonly quotes: boolean
    }
  | { readonly name: 'json' }
  | { readonly name: 'ndjson' }

/** The names of the separators. */
export const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}

/** Describes a format in words. */
export const formatName = (format: Format): string => {
  if (format.name !== 'csv') return format.name === 'json' ? 'a JSON array' : 'JSON, an object a line'
  return `fields between ${SEPARATOR_NAMES[format.separator] ?? `'${format.separator}'`}`
}

const TAB = '\t'
const SEPARATORS = Object.keys(SEPARATOR_NAMES)
/** The number of characters that the detection of the separator reads. */
const LOOKED_AT = 64 * 1024
/** The share of the records that must have as many fields as the first one. */
const ALIKE = 0.9

/** Detects the format of a text with the beginning `head`. The extension of the file takes precedence. */
export function formatOf(file: string | undefined, head: string): Format {
  const [, suffix = ''] = /\.(\w+)(?:\.gz)?$/i.exec(file ?? '') ?? []
  const first = head.trimStart()[0]
  if (!/^[ct]sv$/i.test(suffix)) {
    if (first === '[') return { name: 'json' }
    if (first === '{' || /^(nd)?json|jsonl$/i.test(suffix)) return { name: 'ndjson' }
  }
  const text = head.slice(0, LOOKED_AT)
  const separator = /^tsv$/i.test(suffix) ? TAB : separatorOf(text)
  return { name: 'csv', separator, quotes: separator !== TAB || hasQuoted(text) }
}

/**
 * Spreadsheet programs quote fields also between tabs. Databases write tabs without quoting, and quotes in their files
 * are data.
 */
const hasQuoted = (text: string): boolean => /(^|[\t\n])"[^"\t\n]*"(?=[\t\r\n]|$)/.test(text)

/** The separator that gives the most fields, with nearly the same number in all records. */
function separatorOf(text: string): string {
  const [header = new Map<string, number>(), ...others] = countsOf(text)
  const fitting = SEPARATORS.filter((one) => {
    const alike = others.filter((counts) => counts.get(one) === header.get(one))
    return header.has(one) && alike.length >= others.length * ALIKE
  })
  const most = (some: readonly string[]): string | undefined =>
    some.toSorted((one, other) => (header.get(other) ?? 0) - (header.get(one) ?? 0))[0]
  return most(fitting) ?? most(SEPARATORS.filter((one) => header.has(one))) ?? ','
}

/** Counts each separator in each record, outside of quoted fields. The last record may be incomplete. */
function countsOf(text: string): ReadonlyMap<string, number>[] {
  const records: Map<string, number>[] = []
  let counts = new Map<string, number>()
  let from = 0
  for (const { 0: found, index } of text.matchAll(/(?<=^|[,;\t|\n])"(?:[^"]|"")*"|[,;\t|\n]/g)) {
    if (found === '\n') {
      if (index > from) records.push(counts)
      counts = new Map()
      from = index + 1
    } else if (found.length === 1) counts.set(found, (counts.get(found) ?? 0) + 1)
  }
  return records.length === 0 ? [counts] : records
}
