/** `gloss import`: rows of a file as values. */
import { dirname } from 'node:path'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { interrupted, misuse, STATUS } from '../manners/failure.ts'
import { confirm, tell, warn } from '../manners/terminal.ts'
import { Converter } from './converting.ts'
import {
  findMapping,
  requireColumns,
  columnsOf,
  talliesOf,
  type FindingOptions,
  type Sample,
} from './finding.ts'
import { formatOf } from './formats.ts'
import {
  BEGINNING,
  hasJournal,
  Journal,
  readJournal,
  unfinished,
  type Begun,
  type Position,
} from './journal.ts'
import { loadMapping, saveMapping, type Mapping } from './mapping.ts'
import { showPreview } from './preview.ts'
import { Progress } from './progress.ts'
import { RefusedRows, refusedFile } from './refused.ts'
import { readRows, type Row, type Rows } from './rows.ts'
import { Sender } from './sending.ts'
import { encodingOf, openSource, STDIN, type Source } from './source.ts'
import { rehearse, Transfer } from './transfer.ts'

interface Options extends FindingOptions, ConnectionOptions {
  readonly mapping?: string
  readonly save?: string
  readonly yes?: true
  readonly dryRun?: true
  readonly resume?: true
}

/** What is going to be imported. */
interface Job {
  readonly source: Source
  readonly rows: AsyncGenerator<Row>
  readonly mapping: Mapping
  readonly name: string
}

/** So many rows, or so many characters of them, say what types the columns have. */
const SAMPLE_ROWS = 1000
const SAMPLE_CHARACTERS = 4 * 1024 * 1024

/**
 * V8 lets garbage grow to several times what is in use before it collects any. The young generation decides most of it,
 * in MiB; the old one has room for the longest row, in all the forms that it goes through.
 */
const HEAP = ['--max-semi-space-size=2', '--max-old-space-size=192']

/** Puts this program in the place of itself with that heap, which can only be chosen when a process begins. */
function continueWithSmallHeap(): void {
  const { execPath, execArgv, argv } = process
  if (process.platform === 'win32' || HEAP.every((flag) => execArgv.includes(flag))) return
  process.execve?.(execPath, [execPath, ...execArgv, ...HEAP, ...argv.slice(1)])
}

export async function run([named]: readonly string[], options: Options): Promise<number> {
  continueWithSmallHeap()
  if (options.resume) return resume(named, options)
  if (named === undefined) throw misuse('no file is named', 'name one, or - for standard input')
  if (named !== STDIN && hasJournal(named)) {
    throw misuse(
      `an import of '${named}' was interrupted`,
      `go on with gloss import ${named} --resume, or delete ${named}.gloss-import to begin again`,
    )
  }
  const job = await prepare(named, options)
  if (options.save !== undefined) saveMapping(options.save, job.mapping)
  if (options.dryRun) return tryOut(job)
  if (named === STDIN)
    tell('Standard input cannot be read twice: if this is interrupted, import all of it again.')
  if (!options.yes && !(await confirm('Continue?', true))) return STATUS.done
  return transfer(job, options, BEGINNING)
}

/** Goes on with an import that was interrupted. */
async function resume(named: string | undefined, options: Options): Promise<number> {
  if (named === STDIN) throw misuse('standard input cannot be read twice', 'import all of it again')
  refuseOthers(options, '--resume', 'it goes on as it was begun')
  const name = named ?? unfinished()
  const begun = readJournal(name)
  const other = options.url !== undefined && options.url !== begun.url ? options.url : undefined
  if (other !== undefined) throw misuse(`the import was begun at ${begun.url}`, 'leave out --url')
  const source = await openSource(name)
  const { rows } = await readRows(source.texts(begun.mapping.encoding), begun.mapping.format)
  const who = { url: begun.url, ...(begun.user === undefined ? {} : { as: begun.user }) }
  tell(`${begun.position.rows.toLocaleString('en')} rows were done before.`)
  return transfer({ source, rows, mapping: begun.mapping, name }, { ...options, ...who }, begun.position)
}

const OF_MAPPING = ['about', 'id', 'into', 'type', 'skip', 'listSeparator', 'empty', 'mediaType'] as const

function refuseOthers(options: Options, one: string, remedy: string): void {
  const other = OF_MAPPING.find((name) => options[name] !== undefined)
  if (other === undefined) return
  const flag = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw misuse(`--${flag} and ${one} exclude each other`, remedy)
}

/** Looks at the first rows, finds the mapping, and shows both. */
async function prepare(name: string, options: Options): Promise<Job> {
  const given = options.mapping === undefined ? undefined : loadMapping(options.mapping)
  if (given !== undefined) refuseOthers(options, '--mapping', 'change the mapping')
  const source = await openSource(name)
  const { heading, rows, sample } = await look(source, given, options.listSeparator)
  if (sample.rows.length === 0) {
    throw misuse(`there are no rows in '${name}'`, 'CSV needs a heading and at least one row')
  }
  const mapping = given ?? findMapping(sample, options)
  if (given !== undefined) compare(given, sample, heading)
  showPreview(source.file ?? 'standard input', sample, mapping)
  return { source, rows: chain(sample.rows, rows), mapping, name }
}

/** Reads the first rows as a mapping says, or as they look. */
async function look(
  source: Source,
  given: Mapping | undefined,
  separator: string | undefined,
): Promise<Rows & { readonly sample: Sample }> {
  const encoding = given?.encoding ?? encodingOf(source.head)
  const format = given?.format ?? formatOf(source.file, new TextDecoder(encoding).decode(source.head))
  const { heading, rows } = await readRows(source.texts(encoding), format)
  const { first, isWhole } = await firstOf(rows)
  const tallies = talliesOf(heading, first, given === undefined ? separator : given['list-separator'])
  return { heading, rows, sample: { format, encoding, tallies, rows: first, isWhole } }
}

async function firstOf(rows: Rows['rows']): Promise<{ first: Row[]; isWhole: boolean }> {
  const first: Row[] = []
  let characters = 0
  while (first.length < SAMPLE_ROWS && characters < SAMPLE_CHARACTERS) {
    const next = await rows.next()
    if (next.done) return { first, isWhole: true }
    first.push(next.value)
    for (const field of next.value.fields.values()) characters += typeof field === 'string' ? field.length : 1
  }
  return { first, isWhole: false }
}

async function* chain(first: readonly Row[], rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  yield* first
  yield* rest
}

/** Throws a `Failure` if a mapping is not one of these columns. */
function compare(mapping: Mapping, { tallies }: Sample, heading: readonly string[] | undefined): void {
  const mapped = mapping.columns.map(({ column }) => column)
  const stranger = [...tallies.keys()].find((name) => !mapped.includes(name))
  if (stranger !== undefined) {
    throw misuse(
      `the column '${stranger}' is not in the mapping`,
      'add it there, with "skip": true to leave it out',
    )
  }
  if (heading !== undefined) requireColumns([...mapped, ...columnsOf(mapping.object)], heading)
}

/** So many refusals are shown where none is kept in a file. */
const SHOWN = 10

async function tryOut({ source, rows, mapping }: Job): Promise<number> {
  let shown = 0
  const { written, refused } = await rehearse(rows, new Converter(mapping, folderOf(source)), (one) => {
    shown += 1
    if (shown <= SHOWN) warn(`row ${one.row.number}: ${one.reason}`)
  })
  tell(
    `${counted(written)} would be sent${refused === 0 ? '' : `, ${refused.toLocaleString('en')} refused`}. Nothing has been changed.`,
  )
  return refused === 0 ? STATUS.done : STATUS.partly
}

const folderOf = ({ file }: Source): string => (file === undefined ? '.' : dirname(file))

const counted = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`

async function transfer(
  { source, rows, mapping, name }: Job,
  options: Options,
  from: Position,
): Promise<number> {
  const connection = await connect(options)
  const { url, user } = connection
  const begun: Omit<Begun, 'position'> = { url, user, mapping }
  const journal = new Journal(source, begun)
  const file = refusedFile(source.file)
  const refusedRows = new RefusedRows(file, mapping, from.refusedOctets)
  const { signal, forget } = interruption()
  const progress = new Progress(source, from, file)
  const sender = new Sender(connection, signal, (seconds, why) => {
    progress.wait(seconds, why)
  })
  const sending = new Transfer(
    { sender, journal, refusedRows, progressed: (position) => progress.show(position) },
    from,
  )
  const hint =
    source.file === undefined ? 'Import all of it again.' : `Go on with: gloss import ${name} --resume`
  try {
    const position = await withSpelling(connection, () =>
      sending.run(progress.watch(rows), new Converter(mapping, folderOf(source)), signal),
    )
    progress.stop()
    if (signal.aborted) return stopped(position, hint)
    journal.end()
    return ended(position, file)
  } catch (error) {
    progress.stop()
    tell(hint)
    throw error
  } finally {
    forget()
  }
}

/** Ctrl-C: once, to end after what has been sent; a second time at once. */
function interruption(): { signal: AbortSignal; forget: () => void } {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(STATUS.interrupted)
    controller.abort()
  }
  process.on('SIGINT', stop)
  return { signal: controller.signal, forget: () => process.off('SIGINT', stop) }
}

function stopped({ rows }: Position, hint: string): never {
  tell(`Interrupted after ${counted(rows)}. ${hint}`)
  throw interrupted()
}

function ended({ written, refused }: Position, file: string): number {
  if (refused === 0) tell(`${counted(written)} imported`)
  else warn(`${counted(written)} imported, ${refused.toLocaleString('en')} refused → ${file}`)
  return refused === 0 ? STATUS.done : STATUS.partly
}
