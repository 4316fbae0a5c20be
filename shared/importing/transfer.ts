/** Sending rows in batches, two at a time, and keeping how far they are. */
import type { Address } from '../connection/addresses.ts'
import { Refusal, type Converter, type Ready } from './converting.ts'
import type { Row } from './fields.ts'
import type { RefusedRow } from './refusals.ts'

/** Where an import stands: all rows up to one are done. */
export interface Position {
  /** The last row that is done, and how many of them were written and refused. */
  readonly rows: number
  readonly written: number
  readonly refused: number
  /** The octets of the file of refused rows. */
  readonly refusedOctets: number
}

export const BEGINNING: Position = { rows: 0, written: 0, refused: 0, refusedOctets: 0 }

/**
 * What a batch holds at most, unless a row alone has more. A larger one saves hardly anything, and keeps other writers waiting.
 * By default, services take 2 MiB and 250,000 JSON values; each value has at least three octets.
 */
const ROWS = 2000
const OCTETS = 512 * 1024
/** One is written while the next one is read and made ready. A store has one writer, or few. */
const AT_ONCE = 2

/** Rows that follow each other. */
interface Batch {
  /** The last of its rows, and those up to it. */
  readonly last: number
  readonly rows: number
  readonly ready: readonly Ready[]
  readonly refused: readonly RefusedRow[]
  /** The objects of its rows. */
  readonly objects: ReadonlySet<string>
}

const keyOf = (target: Address): string => ('id' in target ? target.id : `:${target.about}`)

/** Cuts rows after `position` into batches. */
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
    const objects = new Set(ready.map(({ target }) => keyOf(target)))
    const made = { last, rows: ready.length + refused.length, ready, refused, objects }
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
    if (result instanceof Refusal) refused.push({ row, reason: result.reason })
    else ready.push(result)
    octets += length
    last = row.number
    if (ready.length + refused.length >= ROWS) yield batch()
  }
  if (ready.length + refused.length > 0) yield batch()
}

const ENCODER = new TextEncoder()

/** How many octets a text has in UTF-8. */
const octetsOf = (text: string): number => ENCODER.encode(text).length

/** About how many octets of memory a row takes that is not sent. */
const lengthOf = ({ texts = [] }: Row): number => texts.reduce((sum, { length }) => sum + length, 0)

const meet = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].some((one) => others.has(one))

/** Where rows go. */
export interface Destination {
  /** Writes what can be written of these rows, and returns the others. */
  readonly sender: { readonly send: (rows: readonly Ready[]) => Promise<readonly RefusedRow[]> }
  /** Keeps a position so that it can be gone on from. */
  readonly journal: { readonly keep: (position: Position) => void }
  /** Keeps refused rows, and returns how many octets those take that it has. */
  readonly refusedRows: { readonly add: (rows: readonly RefusedRow[]) => number }
  /** Is told of each position that is kept. */
  readonly progressed: (position: Position) => void
}

/** Sends rows from a position on, and keeps how far it is in the order of the rows. */
export class Transfer {
  readonly #destination: Destination
  readonly #running = new Map<Batch, Promise<void>>()
  /** Batches that are written, and wait for one before them. */
  readonly #written = new Map<number, { batch: Batch; refused: readonly RefusedRow[] }>()
  #position: Position
  #begun = 0
  #kept = 0
  #error: { readonly error: unknown } | undefined

  constructor(destination: Destination, position: Position) {
    this.#destination = destination
    this.#position = position
  }

  /** How far everything is written. */
  get position(): Position {
    return this.#position
  }

  /**
   * Sends all rows, until the signal ends it. Returns the position. What has been sent is waited for, also if it throws
   * what a batch or the rows have thrown.
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

  /** Waits until a batch may be sent: not while another one writes values of the same object, whose order counts. */
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
        this.#written.set(number, { batch, refused: [...batch.refused, ...refused] })
        this.#keep()
      } catch (error) {
        this.#error ??= { error }
      } finally {
        this.#running.delete(batch)
      }
    }
    this.#running.set(batch, work())
  }

  /** Keeps the batches that are written, as far as none before them is missing. */
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

/** Counts what would be written and refused, and passes on the refusals. Writes nothing. */
export async function rehearse(
  rows: AsyncIterable<Row>,
  converter: Converter,
  onRefused: (refused: RefusedRow) => void,
): Promise<Position> {
  let { rows: count, refused } = BEGINNING
  for await (const row of rows) {
    count += 1
    const result = converter.convert(row)
    if (!(result instanceof Refusal)) continue
    refused += 1
    onRefused({ row, reason: result.reason })
  }
  return { ...BEGINNING, rows: count, refused, written: count - refused }
}
