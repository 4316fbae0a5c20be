/** Packs values and rows into a few large buffers: passing thousands of small ones between threads would take long. */

/** A cell: the types that SQLite uses for numbers, bytes and NULL. */
type Cell = number | Uint8Array | string | null

/** Cells one after the other. Transferable: each buffer has its own memory. */
export interface PackedCells {
  /** For each cell, the number itself, or the length of its bytes. */
  readonly numbers: Float64Array<ArrayBuffer>
  /** The kind of each cell. */
  readonly kinds: Uint8Array<ArrayBuffer>
  /** The bytes of all cells that have some, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Rows: their cells, row by row. */
export interface PackedRows {
  readonly columns: readonly string[]
  readonly count: number
  readonly cells: PackedCells
}

const NUMBER = 0
const BYTES = 1
const NULL = 2
/** The value is the same as in the cell above. */
const SAME = 3

/**
 * Packs cells; text becomes its bytes. In rows of `width` columns, a cell that holds the very same object as the cell above
 * is not repeated: rows in the order of a key share many values.
 */
export function packCells(cells: readonly Cell[], width = cells.length): PackedCells {
  const numbers = new Float64Array(cells.length)
  const kinds = new Uint8Array(cells.length)
  let size = 0
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] as Cell
    if (typeof cell === 'number') {
      numbers[at] = cell
    } else if (cell === null) {
      kinds[at] = NULL
    } else if (at >= width && cell === cells[at - width]) {
      kinds[at] = SAME
    } else {
      const length = typeof cell === 'string' ? Buffer.byteLength(cell) : cell.length
      kinds[at] = BYTES
      numbers[at] = length
      size += length
    }
  }
  return { numbers, kinds, bytes: joined(cells, kinds, size) }
}

function joined(
  cells: readonly Cell[],
  kinds: Uint8Array<ArrayBuffer>,
  size: number,
): Uint8Array<ArrayBuffer> {
  // A separate buffer, so that it can be transferred.
  const bytes = Buffer.from(new ArrayBuffer(size))
  let end = 0
  for (let at = 0; at < cells.length; at++) {
    if (kinds[at] !== BYTES) continue
    const cell = cells[at] as string | Uint8Array
    if (typeof cell === 'string') {
      end += bytes.write(cell, end)
    } else {
      bytes.set(cell, end)
      end += cell.length
    }
  }
  return bytes
}

/** Unpacks cells of rows of `width` columns. Their bytes are views of one buffer. */
export function unpackCells(
  { numbers, kinds, bytes }: PackedCells,
  width = kinds.length,
): (number | Buffer | null)[] {
  const content = Buffer.from(bytes.buffer)
  const cells = new Array<number | Buffer | null>(kinds.length)
  let start = 0
  for (let at = 0; at < kinds.length; at++) {
    const number = numbers[at] ?? 0
    switch (kinds[at]) {
      case NUMBER:
        cells[at] = number
        break
      case BYTES:
        cells[at] = content.subarray(start, start + number)
        start += number
        break
      case SAME:
        cells[at] = cells[at - width] as Buffer
        break
      default:
        cells[at] = null
    }
  }
  return cells
}

/** Packs rows, which must all have the same columns. */
export function packRows(rows: readonly Readonly<Record<string, Cell>>[]): PackedRows {
  const columns = Object.keys(rows[0] ?? {})
  const cells: Cell[] = []
  for (const row of rows) for (const column of columns) cells.push(row[column] ?? null)
  return { columns, count: rows.length, cells: packCells(cells, columns.length) }
}

/** Unpacks rows; cells are as in `unpackCells`. */
export function unpackRows({ columns, count, cells }: PackedRows): Record<string, number | Buffer | null>[] {
  const unpacked = unpackCells(cells, columns.length)
  let at = 0
  return Array.from({ length: count }, () => {
    const row: Record<string, number | Buffer | null> = {}
    for (const column of columns) row[column] = unpacked[at++] as number | Buffer | null
    return row
  })
}
