/** `gloss import`: writes the rows of a file as values. */
import { dirname, resolve as resolvePath } from 'node:path'
import { isCopy } from '../../src/copy/copy-file.ts'
import { connect, serviceUrl, type ConnectionOptions } from '../connection/connect.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { interrupted, misuse, STATUS } from '../../common/failure.ts'
import { confirm, tell, warn } from '../terminal/terminal.ts'
import { Converter } from '../../common/importing/converting.ts'
import { filesIn, RowSender } from './file-sending.ts'
import type { FindingOptions } from './finding.ts'
import { hasJournal, Journal, journalOf, readJournal, unfinished, type Begun } from './journal.ts'
import { loadMapping, saveMapping } from './mapping-file.ts'
import { prepare, type Job } from './preparing.ts'
import { Progress } from './progress.ts'
import { RefusedRows, refusedFile } from './refused.ts'
import { readRows } from '../../common/importing/rows.ts'
import { Keeping } from '../undo/keeping.ts'
import { patientAttempt } from '../undo/patience.ts'
import { openSource, STDIN, type Source } from './source.ts'
import { BEGINNING, rehearse, Transfer, type Position } from '../../common/importing/transfer.ts'

interface Options extends FindingOptions, ConnectionOptions {
  readonly mapping?: string
  readonly save?: string
  readonly yes?: true
  readonly dryRun?: true
  readonly resume?: true
  /** The record that a resumed import continues. */
  readonly undo?: number | undefined
}

export async function run([named]: readonly string[], options: Options): Promise<number> {
  if (options.resume) return resume(named, options)
  if (named === undefined) throw misuse('no file is named', 'name one, or - for standard input')
  if (named !== STDIN && hasJournal(named)) {
    throw misuse(
      `an import of '${named}' was interrupted`,
      `go on with gloss import ${named} --resume, or delete ${named}.gloss-import to begin again`,
    )
  }
  const source = await openSource(named)
  return isCopy(source.head) ? importAll(source, options) : importRows(source, named, options)
}

/** Imports a file of rows, after the user has seen and confirmed the mapping. */
async function importRows(source: Source, name: string, options: Options): Promise<number> {
  const given = options.mapping === undefined ? undefined : loadMapping(options.mapping)
  if (given !== undefined) refuseOthers(options, '--mapping', 'change the mapping')
  const job = await prepare(source, name, given, options)
  if (options.save !== undefined) saveMapping(options.save, job.mapping)
  if (options.dryRun) return tryOut(job)
  if (name === STDIN)
    tell('Standard input cannot be read twice: if this is interrupted, import all of it again.')
  if (!options.yes && !(await confirm('Continue?', true))) return STATUS.done
  return transfer(job, options, BEGINNING)
}

/** Imports an archive, whose lines themselves name their objects and tags. */
async function importAll({ file }: Source, options: Options): Promise<number> {
  refuseOthers(options, 'an archive', 'it says itself what is what')
  if (options.dryRun) throw misuse('an archive cannot be tried out', 'gloss digest checks that it is whole')
  if (file === undefined) throw misuse('an archive is read twice', 'save it in a file, and name that')
  const archive = await import('../archive/import.ts')
  await archive.importFile(file, options)
  return STATUS.done
}

/** Resumes an interrupted import. */
async function resume(named: string | undefined, options: Options): Promise<number> {
  if (named === STDIN) throw misuse('standard input cannot be read twice', 'import all of it again')
  refuseOthers(options, '--resume', 'it goes on as it was begun')
  const name = named ?? unfinished()
  const begun = readJournal(name)
  refuseElsewhere(options, begun)
  const source = await openSource(name)
  const { rows } = await readRows(source.texts(begun.mapping.encoding), begun.mapping.format)
  const who = { undo: begun.undo, url: begun.url, ...(begun.user === undefined ? {} : { as: begun.user }) }
  tell(`${counted(begun.position.rows)} done before`)
  return transfer({ source, rows, mapping: begun.mapping, name }, { ...options, ...who }, begun.position)
}

/** Throws a `Failure` if the options name another service or user than the interrupted import used. */
function refuseElsewhere({ url, as }: Options, begun: Begun): void {
  if (url !== undefined && serviceUrl(url) !== begun.url)
    throw misuse(`the import was begun at ${begun.url}`, 'leave out --url')
  if (as !== undefined && as.toLowerCase() !== begun.user?.toLowerCase())
    throw misuse(
      `the import was begun ${begun.user === undefined ? 'anonymously' : `as ${begun.user}`}`,
      'leave out --as',
    )
}

const OF_MAPPING = ['about', 'id', 'into', 'type', 'skip', 'listSeparator', 'empty', 'mediaType'] as const

function refuseOthers(options: Options, one: string, remedy: string): void {
  const other = OF_MAPPING.find((name) => options[name] !== undefined)
  if (other === undefined) return
  const flag = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw misuse(`--${flag} and ${one} exclude each other`, remedy)
}

/** The number of refused rows on the terminal, if there is no file for them. */
const SHOWN = 10

async function tryOut({ source, rows, mapping }: Job): Promise<number> {
  let shown = 0
  const { written, refused } = await rehearse(
    rows,
    new Converter(mapping, filesIn(folderOf(source))),
    (one) => {
      shown += 1
      if (shown <= SHOWN) warn(`row ${one.row.number}: ${one.reason}`)
    },
  )
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
  const file = refusedFile(source.file)
  const refusedRows = new RefusedRows(file, mapping, from.refusedOctets)
  const { signal, forget } = interruption()
  const progress = new Progress(source, from, file)
  const waiting = (seconds: number, why: string): void => {
    progress.wait(seconds, why)
  }
  const keeping = new Keeping(connection, {
    journal: source.file === undefined ? undefined : resolvePath(journalOf(source.file)),
    id: options.undo,
    attempt: patientAttempt({ signal, waiting }),
  })
  const journal = new Journal(source, { url, user, mapping, undo: keeping.id })
  const sender = new RowSender(connection.client, { signal, waiting }, (writes) => keeping.keep(writes))
  const sending = new Transfer(
    { sender, journal, refusedRows, progressed: (position) => progress.show(position) },
    from,
  )
  const hint =
    source.file === undefined ? 'Import all of it again.' : `Go on with: gloss import ${name} --resume`
  try {
    const position = await withSpelling(connection, () =>
      sending.run(progress.watch(rows), new Converter(mapping, filesIn(folderOf(source))), signal),
    )
    progress.stop()
    keeping.end()
    if (signal.aborted) return stopped(position, hint)
    journal.end()
    return ended(position, file)
  } catch (error) {
    progress.stop()
    keeping.end()
    // An import that stopped before its first row has nothing to resume.
    if (sending.position.rows === 0) journal.end()
    else tell(hint)
    throw error
  } finally {
    forget()
  }
}

/** The first Ctrl-C ends the import after the current requests; the second one ends it immediately. */
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
