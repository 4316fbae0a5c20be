/** Rows of a result as a few large buffers, which pass between threads without being copied row by row. */

/** A cell: what SQLite gives for numbers, bytes and NULL. */
type Cell = number | Buffer | string | null

/** Rows by column. Transferable: each buffer has its memory to itself. */
export interface PackedRows {
  readonly columns: readonly string[]
  readonly count: number
  /** Row by row a number for each cell: the number itself, or of bytes how many they are. */
  readonly numbers: Float64Array<ArrayBuffer>
  /** Row by row what each cell is. */
  readonly kinds: Uint8Array<ArrayBuffer>
  /** The bytes of all cells that have any, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

const NUMBER = 0
const BYTES = 1
const NULL = 2

/** Packs rows that all have the same columns. */
export function packRows(rows: readonly Readonly<Record<string, Cell>>[]): PackedRows {
  const columns = Object.keys(rows[0] ?? {})
  const numbers = new Float64Array(rows.length * columns.length)
  const kinds = new Uint8Array(numbers.length)
  const contents: Buffer[] = []
  let at = 0
  let size = 0
  for (const row of rows) {
    for (const column of columns) {
      const cell = row[column] ?? null
      if (typeof cell === 'number') {
        numbers[at] = cell
      } else if (cell === null) {
        kinds[at] = NULL
      } else {
        const content = typeof cell === 'string' ? Buffer.from(cell) : cell
        kinds[at] = BYTES
        numbers[at] = content.length
        size += content.length
        contents.push(content)
      }
      at++
    }
  }
  return { columns, count: rows.length, numbers, kinds, bytes: joined(contents, size) }
}

function joined(contents: readonly Buffer[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let end = 0
  for (const content of contents) {
    bytes.set(content, end)
    end += content.length
  }
  return bytes
}

/** The rows again. Their bytes are views of one buffer. */
export function unpackRows({ columns, count, numbers, kinds, bytes }: PackedRows): Record<string, Cell>[] {
  const content = Buffer.from(bytes.buffer)
  const rows: Record<string, Cell>[] = []
  let at = 0
  let start = 0
  for (let i = 0; i < count; i++) {
    const row: Record<string, Cell> = {}
    for (const column of columns) {
      const number = numbers[at] ?? 0
      switch (kinds[at]) {
        case NUMBER:
          row[column] = number
          break
        case BYTES:
          row[column] = content.subarray(start, start + number)
          start += number
          break
        default:
          row[column] = null
      }
      at++
    }
    rows.push(row)
  }
  return rows
}
