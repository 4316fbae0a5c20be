/** Sends rows in batches, two at a time, and records its position. */
import type { Converter, Ready } from './converting.ts'
import type { Row } from './fields.ts'
import { addressKey } from './objects.ts'
import { Refusal, type RefusedRow } from './refusals.ts'

/** The position of an import: all rows up to `rows` are done. */
export interface Position {
  /** The number of the last row that is done, and how many of these rows the service wrote and refused. */
  readonly rows: number
  readonly written: number
  readonly refused: number
  /** The size of the file of refused rows, in octets. */
  readonly refusedOctets: number
}

export const BEGINNING: Position = { rows: 0, written: 0, refused: 0, refusedOctets: 0 }

/**
 * The limits of a batch; a single larger row has a batch of its own. Larger batches would save hardly any time, and other
 * writers would wait longer. By default, services accept 2 MiB and 250,000 JSON values; each value has at least three
 * octets.
 */
const ROWS = 2000
const OCTETS = 512 * 1024
/**
 * The number of concurrent batches: the service writes one while the import reads and converts the next. A store has one
 * writer, or few.
 */
const AT_ONCE = 2

/** Consecutive rows. */
interface Batch {
  /** The number of the last row, and the number of rows. */
  readonly last: number
  readonly rows: number
  readonly ready: readonly Ready[]
  readonly refused: readonly RefusedRow[]
  /** The objects of its rows. */
  readonly objects: ReadonlySet<string>
}

/** Divides the rows after `position` into batches. */
async function* batchesOf(
  rows: AsyncIterable<Row>,
  converter: Converter,
  position: Position,
): AsyncGenerator<Batch> {
  let ready: Ready[] = []
  let refused: RefusedRow[] = []
  let octets = 0
  let last = position.rows
  const batch = (): Batch => {
    const objects = new Set(ready.map(({ target }) => addressKey(target)))
    const rows = ready.reduce((sum, { row }) => sum + rowsIn(row).length, refused.length)
    const made = { last, rows, ready, refused, objects }
    ready = []
    refused = []
    octets = 0
    return made
  }
  for await (const row of rows) {
    if (row.number <= position.rows) continue
    const result = converter.convert(row)
    const length = result instanceof Refusal ? lengthOf(row) : octetsOf(result.element)
    if (ready.length + refused.length > 0 && octets + length > OCTETS) yield batch()
    if (result instanceof Refusal) refused.push(...refusedRows({ row, reason: result.reason }))
    else ready.push(result)
    octets += length
    last = row.number
    if (ready.length + refused.length >= ROWS) yield batch()
  }
  if (ready.length + refused.length > 0) yield batch()
}

const ENCODER = new TextEncoder()

/** The rows of the file that a row stands for. */
const rowsIn = (row: Row): readonly Row[] => row.rows ?? [row]

const refusedRows = ({ row, reason }: RefusedRow): RefusedRow[] =>
  rowsIn(row).map((one) => ({ row: one, reason }))

/** The length of a text in UTF-8, in octets. */
const octetsOf = (text: string): number => ENCODER.encode(text).length

/** The approximate memory of a row that the import does not send, in octets. */
const lengthOf = ({ texts = [] }: Row): number => texts.reduce((sum, { length }) => sum + length, 0)

const meet = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].some((one) => others.has(one))

/** The destination of rows. */
export interface Destination {
  /** Writes these rows, and returns the rows that the service refuses. */
  readonly sender: { readonly send: (rows: readonly Ready[]) => Promise<readonly RefusedRow[]> }
  /** Records a position from which an import can resume. */
  readonly journal: { readonly keep: (position: Position) => void }
  /** Stores refused rows, and returns the size of their file in octets. */
  readonly refusedRows: { readonly add: (rows: readonly RefusedRow[]) => number }
  /** Receives each recorded position. */
  readonly progressed: (position: Position) => void
}

/** Sends rows from a position on, and records its position in the order of the rows. */
export class Transfer {
  readonly #destination: Destination
  readonly #running = new Map<Batch, Promise<void>>()
  /** Batches that the service has written, but that wait for an earlier batch. */
  readonly #written = new Map<number, { batch: Batch; refused: readonly RefusedRow[] }>()
  #position: Position
  #begun = 0
  #kept = 0
  #error: { readonly error: unknown } | undefined

  constructor(destination: Destination, position: Position) {
    this.#destination = destination
    this.#position = position
  }

  /** The position up to which all batches are done. */
  get position(): Position {
    return this.#position
  }

  /**
   * Sends all rows, or stops when the signal aborts. Returns the position. It waits for requests in progress, also before
   * it throws an error of a batch or of the rows.
   */
  async run(rows: AsyncIterable<Row>, converter: Converter, signal: AbortSignal): Promise<Position> {
    this.#destination.journal.keep(this.#position)
    try {
      for await (const batch of batchesOf(rows, converter, this.#position)) {
        await this.#roomFor(batch)
        if (signal.aborted || this.#error !== undefined) break
        this.#start(batch)
      }
    } finally {
      await Promise.all(this.#running.values())
    }
    if (this.#error !== undefined && !signal.aborted) throw this.#error.error
    return this.#position
  }

  /**
   * Waits until a batch may begin. It may not begin while another batch writes values of the same object, because their
   * order matters.
   */
  async #roomFor({ objects }: Batch): Promise<void> {
    const mustWait = (): boolean =>
      this.#running.size >= AT_ONCE || [...this.#running.keys()].some((other) => meet(objects, other.objects))
    while (mustWait()) await Promise.race(this.#running.values())
  }

  #start(batch: Batch): void {
    const number = this.#begun
    this.#begun += 1
    const work = async (): Promise<void> => {
      try {
        const refused = await this.#destination.sender.send(batch.ready)
        this.#written.set(number, { batch, refused: [...batch.refused, ...refused.flatMap(refusedRows)] })
        this.#keep()
      } catch (error) {
        this.#error ??= { error }
      } finally {
        this.#running.delete(batch)
      }
    }
    this.#running.set(batch, work())
  }

  /** Records finished batches, as far as no earlier batch is missing. */
  #keep(): void {
    for (;;) {
      const next = this.#written.get(this.#kept)
      if (next === undefined) return
      this.#written.delete(this.#kept)
      this.#kept += 1
      const { batch, refused } = next
      const refusedOctets = this.#destination.refusedRows.add(
        refused.toSorted((one, other) => one.row.number - other.row.number),
      )
      this.#position = {
        rows: batch.last,
        written: this.#position.written + batch.rows - refused.length,
        refused: this.#position.refused + refused.length,
        refusedOctets,
      }
      this.#destination.journal.keep(this.#position)
      this.#destination.progressed(this.#position)
    }
  }
}

/** Counts the rows that an import would write and refuse, and passes on the refusals. Writes nothing. */
export async function rehearse(
  rows: AsyncIterable<Row>,
  converter: Converter,
  onRefused: (refused: RefusedRow) => void,
): Promise<Position> {
  let { rows: count, refused } = BEGINNING
  for await (const row of rows) {
    count += rowsIn(row).length
    const result = converter.convert(row)
    if (!(result instanceof Refusal)) continue
    for (const one of refusedRows({ row, reason: result.reason })) {
      refused += 1
      onRefused(one)
    }
  }
  return { ...BEGINNING, rows: count, refused, written: count - refused }
}
