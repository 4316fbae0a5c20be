/** Detects the separator of CSV, and whether quotes enclose fields. */
import { SEPARATOR_NAMES } from './formats.ts'

const TAB = '\t'
const SEPARATORS = Object.keys(SEPARATOR_NAMES)
/** The share of the records that must have as many fields as the first one. */
const ALIKE = 0.9

/**
 * Returns whether quotes enclose fields. Spreadsheet programs quote fields also between tabs. Databases write tabs without
 * quoting, and quotes in their files are data.
 */
export const hasQuotes = (text: string, separator: string): boolean =>
  separator !== TAB || /(^|[\t\n])"[^"\t\n]*"(?=[\t\r\n]|$)/.test(text)

/** The separators that give the most fields, with nearly the same number in all records: usually one. */
export function separatorsOf(text: string): readonly string[] {
  const [header = new Map<string, number>(), ...others] = countsOf(text)
  const fitting = SEPARATORS.filter((one) => {
    const alike = others.filter((counts) => counts.get(one) === header.get(one))
    return header.has(one) && alike.length >= others.length * ALIKE
  })
  const counts = fitting.length > 0 ? fitting : SEPARATORS.filter((one) => header.has(one))
  const most = Math.max(...counts.map((one) => header.get(one) ?? 0))
  return counts.filter((one) => header.get(one) === most)
}

/** Counts each separator in each record, outside of quoted fields. The last record may be incomplete. */
function countsOf(text: string): ReadonlyMap<string, number>[] {
  const records: Map<string, number>[] = []
  let counts = new Map<string, number>()
  let from = 0
  for (const { 0: found, index } of text.matchAll(/(?<=^|[,;\t|\r\n]) *"(?:[^"]|"")*"|[,;\t|\r\n]/g)) {
    if (found === '\n' || found === '\r') {
      if (index > from) records.push(counts)
      counts = new Map()
      from = index + 1
    } else if (found.length === 1) counts.set(found, (counts.get(found) ?? 0) + 1)
  }
  return records.length === 0 ? [counts] : records
}
