/** Writes CSV that `gloss import` reads back with the same values. */
import { csvText } from '../../common/csv-text.ts'
import { Failure } from '../../common/failure.ts'
import { typedField, typedHeading, type ColumnType } from '../../common/importing/typed-columns.ts'
import { cellText, typeOf, type Cell } from '../../common/values.ts'

/** The number of rows that determine the types of the columns. */
const LOOKED_AT = 1000

/** The columns that name the object, and have no type. */
const NAMING = ['id', 'about']

/** The byte order mark, by which spreadsheet programs recognise UTF-8. */
const MARK = '\ufeff'

/** Yields lines of CSV. `forExcel`: with a byte order mark, and without fields that a spreadsheet program calculates. */
export async function* typedCsv(
  columns: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  forExcel: boolean,
): AsyncGenerator<string> {
  const first: (readonly Cell[])[] = []
  let types: readonly (ColumnType | undefined)[] | undefined
  const line = (row: readonly Cell[]): string =>
    csvText([row.map((cell, index) => fieldOf(cell, types?.[index], forExcel))])
  const begin = (): string => {
    types = columns.map((name, index) => (NAMING.includes(name) ? undefined : columnType(first, index)))
    const heading = columns.map((name, index) => headingOf(name, types?.[index]))
    return `${forExcel ? MARK : ''}${csvText([heading])}${first.map(line).join('')}`
  }
  for await (const row of rows) {
    if (types !== undefined) yield line(row)
    else {
      first.push(row)
      if (first.length === LOOKED_AT) yield begin()
    }
  }
  if (types === undefined) yield begin()
}

const headingOf = (name: string, type: ColumnType | undefined): string =>
  type === undefined ? name : typedHeading(name, type)

const TYPES: Readonly<Record<string, ColumnType>> = {
  boolean: 'boolean',
  int: 'int',
  float: 'float',
  'list-of-strings': 'list',
}

/** The type of the first value in a column. */
function columnType(rows: readonly (readonly Cell[])[], index: number): ColumnType {
  const cells = rows.map((row) => row[index])
  const cell = cells.find((one) => one !== undefined && one !== null)
  return (cell !== undefined && TYPES[typeOf(cell)]) || 'string'
}

function fieldOf(cell: Cell, type: ColumnType | undefined, forExcel: boolean): string {
  if (type !== undefined) return typedField(cell, type, forExcel)
  const text = cellText(cell)
  if (!forExcel || !/^[\t\r+\-=@]/.test(text)) return text
  throw new Failure(
    `the about value ${JSON.stringify(text)} begins with a character by which spreadsheet programs recognise formulas`,
    'leave out --excel, or the column about',
  )
}
