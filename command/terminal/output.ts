/** Writes rows of data in the requested format, for all subcommands that show rows. */
import { once } from 'node:events'
import { createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { csvText } from '../../common/csv-text.ts'
import { toJson } from '../../packages/client/json.ts'
import { cellText, tsvField, type Cell } from '../../common/values.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { Table } from './table.ts'
import { isTerminal, terminalWidth } from './terminal.ts'

/** The output options of all subcommands that show rows. */
export interface OutputOptions {
  readonly json?: true
  readonly ndjson?: true
  readonly csv?: true
  /** The file to write instead of standard output. */
  readonly output?: string
  /** The columns to show, in their order. */
  readonly columns?: readonly string[]
}

/** Rows of data. */
export interface Rows {
  readonly columns: readonly string[]
  readonly rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>
}

export type Format = 'table' | 'tsv' | 'csv' | 'json' | 'ndjson'

/** The number of rows that determine the column widths of a table. */
const MEASURED = 1000

/** The requested format, or else the format for the file's extension, or else a table on a terminal and TSV elsewhere. */
export function formatOf({ json, ndjson, csv, output }: OutputOptions): Format {
  const asked = [json && 'json', ndjson && 'ndjson', csv && 'csv'].filter((one) => one !== undefined)
  if (asked.length > 1) throw misuse('several formats are asked for', 'choose one of --json, --ndjson, --csv')
  const [format] = asked
  if (format !== undefined) return format as Format
  if (output === undefined) return isTerminal() ? 'table' : 'tsv'
  const suffix = /\.(json|ndjson|csv)(\.gz)?$/.exec(output)?.[1]
  return (suffix as Format | undefined) ?? 'tsv'
}

/** Writes rows as the options ask, and returns their number. */
export async function show({ columns, rows }: Rows, options: OutputOptions): Promise<number> {
  const format = formatOf(options)
  const chosen = chooser(columns, options.columns)
  let count = 0
  async function* counted(): AsyncGenerator<readonly Cell[]> {
    for await (const row of rows) {
      count += 1
      yield chosen.of(row)
    }
  }
  await writeTo(options.output, FORMATS[format](chosen.names, counted()))
  return count
}

/** Picks columns by name. */
function chooser(columns: readonly string[], wanted: readonly string[] = columns) {
  const places = wanted.map((name) => {
    const place = columns.indexOf(name)
    if (place < 0) throw misuse(`there is no column '${name}'`, `there are ${columns.join(', ')}`)
    return place
  })
  return { names: wanted, of: (row: readonly Cell[]) => places.map((place) => row[place]) }
}

type Lines = AsyncGenerator<string>
type Rowed = AsyncGenerator<readonly Cell[]>

const FORMATS: Readonly<Record<Format, (columns: readonly string[], rows: Rowed) => Lines>> = {
  table: tableLines,
  // TSV has no heading, because the programs that read it process lines and fields.
  async *tsv(_columns, rows) {
    for await (const row of rows) yield `${row.map((cell) => tsvField(cellText(cell))).join('\t')}\n`
  },
  async *csv(columns, rows) {
    yield csvLine(columns)
    for await (const row of rows) yield csvLine(row)
  },
  json: (columns, rows) => jsonLines(objectsOf(columns, rows)),
  ndjson: (columns, rows) => ndjsonLines(objectsOf(columns, rows)),
}

/** Prints a result that is not rows, as JSON. */
export const printJson = (result: unknown): void => void process.stdout.write(`${toJson(result)}\n`)

/** Writes objects with different members: as JSON if the options ask for it, otherwise as NDJSON. */
export const showObjects = (objects: AsyncIterable<object>, options: OutputOptions): Promise<void> =>
  writeTo(options.output, (formatOf(options) === 'json' ? jsonLines : ndjsonLines)(objects))

async function* jsonLines(objects: AsyncIterable<object>): Lines {
  let before = '['
  for await (const object of objects) {
    yield `${before}\n  ${toJson(object)}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

async function* ndjsonLines(objects: AsyncIterable<object>): Lines {
  for await (const object of objects) yield `${toJson(object)}\n`
}

/** An undefined cell has no member. */
async function* objectsOf(columns: readonly string[], rows: Rowed): AsyncGenerator<Record<string, Cell>> {
  for await (const row of rows) yield Object.fromEntries(columns.map((name, index) => [name, row[index]]))
}

/** A line of CSV (RFC 4180, lines ended by LF). */
const csvLine = (row: readonly Cell[]): string => csvText([row.map(cellText)])

async function* tableLines(columns: readonly string[], rows: Rowed): Lines {
  const first: (readonly Cell[])[] = []
  let table: Table | undefined
  const begin = function* (): Generator<string> {
    table = new Table(columns, first, terminalWidth())
    yield `${table.heading()}\n`
    for (const row of first) yield `${table.row(row)}\n`
  }
  for await (const row of rows) {
    if (table !== undefined) yield `${table.row(row)}\n`
    else {
      first.push(row)
      if (first.length === MEASURED) yield* begin()
    }
  }
  if (table === undefined) yield* begin()
}

/**
 * Names of standard output. If the command opened one of the latter two and standard output is a file, it would overwrite
 * that file from its beginning.
 */
const STANDARD = ['-', '/dev/stdout', '/dev/fd/1']

/**
 * Writes to standard output or into a file. The file appears only when it is complete. A file whose name ends in `.gz` is
 * compressed. `mode` is the mode of a new file. If `file` is a device or a named pipe, the function writes to it
 * directly.
 */
export async function writeTo(
  file: string | undefined,
  chunks: AsyncIterable<string | Uint8Array>,
  mode = 0o666,
): Promise<void> {
  if (file !== undefined && !STANDARD.includes(file)) return writeFile(file, chunks, mode)
  // `pipeline` would leave its listeners on standard output, which several outputs share. Errors of standard output end
  // the process.
  for await (const chunk of chunks) if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
}

async function writeFile(
  file: string,
  chunks: AsyncIterable<string | Uint8Array>,
  mode: number,
): Promise<void> {
  const packing = file.endsWith('.gz') ? createGzip() : new PassThrough()
  const writeInto = (place: string): Promise<void> =>
    pipeline(Readable.from(chunks), packing, createWriteStream(place, { mode }))
  try {
    const there = statSync(file, { throwIfNoEntry: false })
    if (there === undefined) await whole(file, writeInto)
    // Replaces the target of a symbolic link, not the link.
    else if (there.isFile()) await whole(realpathSync(file), writeInto)
    else await writeInto(file)
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new Failure(
      `'${file}' cannot be written: ${message}`,
      'name another file, or make this one writable',
      STATUS.failed,
      { cause: error },
    )
  }
}

/** Calls `write` with a temporary name, and renames the file when it is complete. */
async function whole(file: string, write: (place: string) => Promise<void>): Promise<void> {
  // The process id makes the name unique among running processes.
  const part = `${file}.${process.pid}.part`
  const abandon = (): void => {
    rmSync(part, { force: true })
    process.exit(STATUS.interrupted)
  }
  process.once('SIGINT', abandon)
  try {
    // Node applies the mode only to a new file.
    rmSync(part, { force: true })
    await write(part)
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  } finally {
    process.off('SIGINT', abandon)
  }
}
