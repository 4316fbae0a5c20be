/**
 * Keeps what was there before changes, in a file for each: a line about the change, and a line for each of its parts, which
 * is on the disk before that part is sent. Each line is JSON. While a change is taken back, lines say how far that is.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseExact, toJson } from '../../packages/client/json.ts'
import { Failure, misuse } from '../../common/failure.ts'
import { Unkept } from '../../common/undoing/reading.ts'
import type { ObjectChange } from '../../common/undoing/states.ts'

/** What is known of a change. */
export interface Change {
  /** When it began (RFC 3339, UTC). */
  readonly time: string
  readonly url: string
  /** Null for an anonymous change. */
  readonly user: string | null
  /** The beginning of the command line. */
  readonly command: string
  /** The journal of an import, with which it could be resumed. */
  readonly journal?: string
}

/** The bounds: the number of changes, the size of each, and that of all before a new one, in octets. */
const MOST = 50
const MEBIBYTE = 1024 * 1024
const LARGEST = 256 * MEBIBYTE
const LARGEST_IN_ALL = 1024 * MEBIBYTE
/** The most values of a change by a query that is kept. */
export const MOST_VALUES = 1_000_000

/** The folder, as the XDG Base Directory Specification defines it. */
const folder = (): string =>
  join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'gloss', 'undo')

const fileOf = (id: number): string => join(folder(), `${String(id)}.ndjson`)

/** The ids of the changes that are kept, the latest one last. */
export function keptIds(): number[] {
  if (!existsSync(folder())) return []
  return readdirSync(folder())
    .flatMap((name) => /^(\d+)\.ndjson$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((one, other) => one - other)
}

/** Deletes the oldest changes beyond the bounds. */
function prune(): void {
  let octets = 0
  for (const [index, id] of keptIds().toReversed().entries()) {
    octets += statSync(fileOf(id), { throwIfNoEntry: false })?.size ?? 0
    if (index >= MOST || octets > LARGEST_IN_ALL) forget(id)
  }
}

/** Deletes what is kept of a change. */
export const forget = (id: number): void => {
  rmSync(fileOf(id), { force: true })
}

/** The place of a line in a file, in octets. */
interface Line {
  readonly from: number
  readonly length: number
}

const LINE_END = 0x0a
const CHUNK = MEBIBYTE

/** The complete lines of a file. An interruption may have cut the last one off. */
function linesOf(descriptor: number): Line[] {
  const lines: Line[] = []
  const chunk = Buffer.alloc(CHUNK)
  let from = 0
  for (let read = 0, size = 1; size > 0; read += size) {
    size = readSync(descriptor, chunk, 0, CHUNK, read)
    const octets = chunk.subarray(0, size)
    for (let end = octets.indexOf(LINE_END); end >= 0; end = octets.indexOf(LINE_END, end + 1)) {
      lines.push({ from, length: read + end - from })
      from = read + end + 1
    }
  }
  return lines
}

function textOf(descriptor: number, { from, length }: Line, most = length): string {
  const buffer = Buffer.alloc(Math.min(length, most))
  readSync(descriptor, buffer, 0, buffer.length, from)
  return buffer.toString()
}

/** How far a change is taken back: the number of parts that are not, and how many values were left. */
interface Taken {
  readonly parts: number
  readonly left: number
}

const TAKEN = /^\{"parts":(\d+),"left":(\d+)\}$/
const COUNT = /^\{"values":(\d+),/
/** The octets with the count at the beginning of a line. */
const HEAD = 40

/** A record of a change: to write it, to list it and to take it back. */
export class Record {
  readonly id: number
  readonly change: Change
  readonly #descriptor: number
  /** The size of the complete lines, and whether the file has more. */
  #octets: number
  #isTorn: boolean
  #parts: { readonly line: Line; readonly values: number }[] = []
  #left = 0
  #isTaken = false

  private constructor(id: number, change: Change, descriptor: number, octets: number) {
    this.id = id
    this.change = change
    this.#descriptor = descriptor
    this.#octets = octets
    this.#isTorn = fstatSync(descriptor).size > octets
  }

  /** Begins a record. */
  static begin(change: Change): Record {
    mkdirSync(folder(), { recursive: true, mode: 0o700 })
    for (let id = (keptIds().at(-1) ?? 0) + 1; ; id++) {
      try {
        const record = new Record(id, change, openSync(fileOf(id), 'ax+', 0o600), 0)
        record.#append({ 'gloss-undo': 1, ...change })
        return record
      } catch (error) {
        // Another command has begun a record at the same time.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
  }

  /** Opens a record. Throws a `Failure` if there is none that can be read. */
  static open(id: number): Record {
    const file = fileOf(id)
    if (!existsSync(file))
      throw misuse(`no change ${String(id)} is kept`, 'gloss undo --list shows the changes')
    const descriptor = openSync(file, 'a+')
    try {
      const [first, ...lines] = linesOf(descriptor)
      if (first === undefined) throw new SyntaxError('it is empty')
      const change = JSON.parse(textOf(descriptor, first)) as Change & { readonly 'gloss-undo'?: unknown }
      if (change['gloss-undo'] !== 1) throw new SyntaxError('it does not begin with a change')
      const last = lines.at(-1) ?? first
      const record = new Record(id, change, descriptor, last.from + last.length + 1)
      record.#readParts(lines)
      return record
    } catch (error) {
      closeSync(descriptor)
      throw new Failure(`'${file}' cannot be read: ${(error as Error).message}`, 'delete it')
    }
  }

  #readParts(lines: readonly Line[]): void {
    for (const line of lines) {
      const head = textOf(this.#descriptor, line, HEAD)
      const taken = TAKEN.exec(head)
      if (taken !== null) {
        this.#parts = this.#parts.slice(0, Number(taken[1]))
        this.#left = Number(taken[2])
        this.#isTaken = this.#parts.length === 0
      } else {
        this.#parts.push({ line, values: Number(COUNT.exec(head)?.[1]) })
        this.#isTaken = false
      }
    }
  }

  /** The number of values that can still be taken back. */
  get values(): number {
    return this.#parts.reduce((sum, { values }) => sum + values, 0)
  }

  /** Whether all parts were taken back before an interruption. */
  get isTaken(): boolean {
    return this.#isTaken
  }

  /** The number of values that have been left so far. */
  get left(): number {
    return this.#left
  }

  /**
   * Adds a part. The first one deletes the oldest records, so that there are at most 50. Throws an `Unkept` if the record
   * would become too large.
   */
  add(objects: readonly ObjectChange[]): void {
    const values = objects.reduce((sum, one) => sum + Object.keys(one.values).length, 0)
    if (values === 0) return
    if (this.#parts.length === 0) prune()
    const line = this.#append({ values, objects }, LARGEST)
    this.#parts.push({ line, values })
  }

  /** The objects of each part, the latest one first. */
  *parts(): Generator<readonly ObjectChange[]> {
    for (const { line } of this.#parts.toReversed()) {
      const { objects } = parseExact(textOf(this.#descriptor, line)) as { objects: readonly ObjectChange[] }
      yield objects
    }
  }

  /** Records that the latest part is taken back, but for `left` values. */
  taken(left: number): void {
    this.#parts.pop()
    this.#left += left
    this.#append({ parts: this.#parts.length, left: this.#left } satisfies Taken)
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /** Appends a line, so that it survives a loss of power. */
  #append(content: object, largest = Infinity): Line {
    const octets = Buffer.from(`${toJson(content)}\n`)
    if (this.#octets + octets.length > largest)
      throw new Unkept(`what was there before takes more than ${String(largest / MEBIBYTE)} MiB`)
    if (this.#isTorn) ftruncateSync(this.#descriptor, this.#octets)
    // What is written in part is cut off as well.
    this.#isTorn = true
    writeSync(this.#descriptor, octets)
    fsyncSync(this.#descriptor)
    this.#isTorn = false
    const line = { from: this.#octets, length: octets.length - 1 }
    this.#octets += octets.length
    return line
  }
}
