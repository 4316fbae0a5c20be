/** The formats of files of rows. */

/** CSV. */
export interface CsvFormat {
  readonly name: 'csv'
  /** The text between two fields. */
  readonly separator: string
  /** Whether double quotes may enclose a field. */
  readonly quotes: boolean
  /** The line of the heading, from 1, if it is not the first one; 0 if there is none. */
  readonly heading?: number
}

/** JSON values that follow each other, or an array of rows. */
export interface JsonFormat {
  readonly name: 'json'
  /** The path of the array (or object) with the rows, such as `data.rows`, if it is not at the top. */
  readonly rows?: string
  /** Whether the members of an object are the rows. */
  readonly keyed?: true
}

/** The format of a file of rows. */
export type Format = CsvFormat | JsonFormat | { readonly name: 'ndjson' }

/** The names of the separators. */
export const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}

/** Describes a format in words. */
export const formatName = (format: Format): string => {
  if (format.name === 'ndjson') return 'JSON, an object a line'
  if (format.name === 'json') return 'JSON'
  return `fields between ${SEPARATOR_NAMES[format.separator] ?? `'${format.separator}'`}`
}
