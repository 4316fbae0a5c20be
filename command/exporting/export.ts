/** `gloss export`: writes the results of a query, or a whole store, into a file. */
import { SYSTEM_TAGS } from '../../src/data/store/tables.ts'
import { copyOf } from '../../src/copy/copy-file.ts'
import { countsText, type ArchiveRecord } from '../../src/copy/records.ts'
import { Digest } from '../archive/digest.ts'
import { recordsOf } from '../archive/store-records.ts'
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { withQuery } from '../connection/query-failure.ts'
import { countOf, found, rowOf, type Found } from '../connection/search.ts'
import { cellOf, type Cell } from '../../common/values.ts'
import { misuse } from '../../common/failure.ts'
import { formatOf, show, showObjects, writeTo, type OutputOptions } from '../terminal/output.ts'
import { isTerminal, tell } from '../terminal/terminal.ts'
import { graphOf, type GraphFormat } from './graph.ts'
import { typedCsv } from './typed-csv.ts'
import { Progress } from '../terminal/progress.ts'

interface Options extends ConnectionOptions, OutputOptions {
  readonly all?: true
  readonly format?: GraphFormat
  readonly excel?: true
  readonly quiet?: true
}

export async function run([query]: readonly string[], options: Options): Promise<undefined> {
  if (options.all) {
    checkAll(query, options)
    return exportAll(await connect(options), options)
  }
  if (query === undefined) throw misuse('there is no query', 'name one, or take everything with --all')
  checkFormat(options)
  const connection = await connect(options)
  await withQuery(query, connection, () => exportQuery(connection, query, options))
  return undefined
}

function checkAll(
  query: string | undefined,
  { json, ndjson, csv, excel, columns, format, output }: Options,
): void {
  if (query !== undefined)
    throw misuse('--all exports everything, and there is a query', 'leave out one of them')
  if ([json, ndjson, csv, excel, columns, format].some((option) => option !== undefined)) {
    throw misuse('an archive has a format of its own', 'leave out the formats and columns')
  }
  if (output === undefined && isTerminal()) {
    throw misuse('an archive is not for reading on a terminal', 'name a file: -o store.ndjson.gz')
  }
}

function checkFormat(options: Options): void {
  const { json, ndjson, csv, columns } = options
  if (options.excel && (json ?? ndjson) !== undefined)
    throw misuse('--excel is CSV, and another format is asked for', 'choose one')
  if (graphFormat(options) === undefined) {
    if (wantsAll(columns) && !['json', 'ndjson'].includes(formatOf(options))) {
      throw misuse("rows have the same columns, and '*' stands for other ones on each object", 'say --ndjson')
    }
    return
  }
  if ([json, ndjson, csv, options.excel].some((option) => option !== undefined)) {
    throw misuse('several formats are asked for', 'choose one')
  }
}

/** Returns whether the user asks for all tags and for no other column. */
function wantsAll(columns: readonly string[] | undefined): boolean {
  if (columns?.includes('*') !== true) return false
  if (columns.length === 1) return true
  throw misuse("'*' stands for all columns", "leave out the others: --columns '*'")
}

/** The format of a graph, from `--format` or the name of the file. */
function graphFormat({ format, json, ndjson, csv, excel, output = '' }: Options): GraphFormat | undefined {
  if (format !== undefined || json || ndjson || csv || excel) return format
  const [, suffix] = /\.(jsonld|nq)(?:\.gz)?$/.exec(output) ?? []
  return suffix === 'nq' ? 'nquads' : (suffix as 'jsonld' | undefined)
}

async function exportQuery(connection: Connection, query: string, options: Options): Promise<void> {
  // Rows on a terminal already show the progress.
  const progress = new Progress('objects', options.quiet ?? (options.output === undefined && isTerminal()))
  if (progress.shown) progress.of(await countOf(connection, query))
  const format = graphFormat(options)
  const columns = options.columns ?? (format === undefined ? ['id', 'about'] : ['*'])
  const tags = columns.filter((name) => name !== 'id' && name !== 'about')
  let count = 0
  async function* counted(): AsyncGenerator<Found> {
    for await (const object of progress.watch(found(connection, { query, tags }))) {
      count += 1
      yield object
    }
  }
  if (format !== undefined) await writeTo(options.output, graphOf(format, connection.url, counted()))
  else if (wantsAll(columns)) await showObjects(wholeObjects(counted()), options)
  else await writeRows(counted(), tags, columns, options)
  tell(`${count.toLocaleString('en')} ${count === 1 ? 'object' : 'objects'}`)
}

async function writeRows(
  objects: AsyncIterable<Found>,
  tags: readonly string[],
  columns: readonly string[],
  options: Options,
): Promise<void> {
  if (options.excel || formatOf(options) === 'csv') {
    const lines = typedCsv(columns, rows(objects, tags, columns), options.excel === true)
    return writeTo(options.output, lines)
  }
  const all = ['id', 'about', ...tags]
  await show({ columns: all, rows: rows(objects, tags, all) }, { ...options, columns })
}

/** Yields objects with a member for each value that the user may read. */
async function* wholeObjects(objects: AsyncIterable<Found>): AsyncGenerator<Record<string, Cell>> {
  for await (const { id, about, values } of objects) {
    const cells = Object.entries(values)
      .filter(([tag]) => tag !== SYSTEM_TAGS.about.path)
      .map(([tag, entry]) => [tag, cellOf(entry)])
    yield { id, about: about ?? undefined, ...Object.fromEntries(cells) }
  }
}

async function* rows(
  objects: AsyncIterable<Found>,
  tags: readonly string[],
  columns: readonly string[],
): AsyncGenerator<readonly Cell[]> {
  const all = ['id', 'about', ...tags]
  const places = columns.map((name) => all.indexOf(name))
  for await (const object of objects) {
    const row = rowOf(object, tags)
    yield places.map((place) => row[place])
  }
}

async function exportAll(connection: Connection, { output, quiet }: Options): Promise<undefined> {
  const digest = new Digest()
  async function* digested(): AsyncGenerator<ArchiveRecord> {
    for await (const record of new Progress('lines', quiet).watch(recordsOf(connection))) {
      digest.add(record)
      yield record
    }
  }
  // The file may contain data that other users may not read.
  await writeTo(output, copyOf(digested()), 0o600)
  tell(`${countsText(digest.counts)}; digest ${digest.hex()}`)
  return undefined
}
