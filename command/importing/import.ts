/** `gloss import`: writes the rows of a file as values. */
import { dirname, resolve as resolvePath } from 'node:path'
import { isCopy } from '../../src/copy/copy-file.ts'
import { connect, urlOf, type ConnectionOptions } from '../connection/connect.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { interrupted, misuse, STATUS } from '../../common/failure.ts'
import { confirm, tell, warn } from '../terminal/terminal.ts'
import { Converter } from '../../common/importing/converting.ts'
import { filesIn, RowSender } from './file-sending.ts'
import { hasJournal, Journal, journalOf, readJournal, unfinished, type Begun } from './journal.ts'
import { loadMapping, saveMapping } from './mapping-file.ts'
import { countObjects, prepare, type Job, type PreparingOptions } from './preparing.ts'
import { Progress } from './progress.ts'
import type { Objects } from '../../common/importing/objects.ts'
import { chosenRows, repeatsText } from '../../common/importing/repeats.ts'
import { RefusedRows, refusedFile } from './refused.ts'
import { readRows } from '../../common/importing/rows.ts'
import { Keeping } from '../undo/keeping.ts'
import { patientAttempt } from '../undo/patience.ts'
import { openSource, STDIN, type Source } from './source.ts'
import { BEGINNING, rehearse, Transfer, type Position } from '../../common/importing/transfer.ts'

interface Options extends PreparingOptions, ConnectionOptions {
  readonly mapping?: string
  readonly save?: string
  readonly yes?: true
  readonly dryRun?: true
  readonly resume?: true
  readonly filesFrom?: string
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
  if (job === undefined) return noRows()
  if (options.save !== undefined) saveMapping(options.save, job.mapping)
  if (options.dryRun) return tryOut(job, options)
  if (name === STDIN)
    tell('Standard input cannot be read twice: if this is interrupted, import all of it again.')
  if (!options.yes && !(await confirm('Continue?', true))) return STATUS.done
  return transfer(job, options, BEGINNING)
}

function noRows(): number {
  tell('0 rows')
  return STATUS.done
}

/** Imports an archive, whose lines themselves name their objects and tags. */
async function importAll({ file }: Source, options: Options): Promise<number> {
  refuseOthers(options, 'an archive', 'it says itself what is what', [...OF_MAPPING, 'onRepeat', 'filesFrom'])
  if (options.dryRun) throw misuse('an archive cannot be tried out', 'gloss digest checks that it is whole')
  if (file === undefined) throw misuse('an archive is read twice', 'save it in a file, and name that')
  const archive = await import('../archive/import.ts')
  await archive.importFile(file, options)
  return STATUS.done
}

/** Resumes an interrupted import. */
async function resume(named: string | undefined, options: Options): Promise<number> {
  if (named === STDIN) throw misuse('standard input cannot be read twice', 'import all of it again')
  refuseOthers(options, '--resume', 'it goes on as it was begun', [...OF_MAPPING, 'onRepeat', 'filesFrom'])
  const name = named ?? unfinished()
  const begun = readJournal(name)
  refuseElsewhere(options, begun)
  const source = await openSource(name)
  const { mapping, position, files } = begun
  const filesFrom = files === undefined ? {} : { filesFrom: files }
  const { rows } = await readRows(source.texts(mapping.encoding), mapping.format)
  const objects = await countObjects(source, mapping, options.quiet)
  const who = { undo: begun.undo, ...(begun.user === undefined ? {} : { as: begun.user }) }
  tell(`${counted(position.rows)} done before. Going on at ${begun.url}`)
  return transfer({ source, rows, mapping, objects, name }, { ...options, ...who, ...filesFrom }, position)
}

/**
 * Throws a `Failure` if the import was begun at another service or as another user than those of the options, variables
 * and profile. A journal that comes with a file of others must not say where the password goes.
 */
function refuseElsewhere(options: Options, begun: Begun): void {
  const { as } = options
  const url = urlOf(options)
  if (url !== begun.url) {
    throw misuse(
      `the import was begun at ${begun.url}, and the service is ${url}`,
      `if you began it there, add --url ${begun.url}`,
    )
  }
  if (as !== undefined && as.toLowerCase() !== begun.user?.toLowerCase())
    throw misuse(
      `the import was begun ${begun.user === undefined ? 'anonymously' : `as ${begun.user}`}`,
      'leave out --as',
    )
}

const OF_MAPPING = [
  ...(['about', 'id', 'into', 'type', 'rename', 'skip', 'listSeparator', 'empty', 'mediaType'] as const),
  ...(['null', 'decimal', 'separator', 'heading', 'encoding', 'rows'] as const),
] as const

function refuseOthers(
  options: Options,
  one: string,
  remedy: string,
  others: readonly (keyof Options)[] = OF_MAPPING,
): void {
  const other = others.find((name) => options[name] !== undefined)
  if (other === undefined) return
  const flag = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw misuse(`--${flag} and ${one} exclude each other`, remedy)
}

/** The number of refused rows on the terminal, if there is no file for them. */
const SHOWN = 10

async function tryOut({ source, rows, mapping, objects }: Job, options: Options): Promise<number> {
  let shown = 0
  const { written, refused } = await rehearse(
    chosenRows(rows, mapping, objects),
    new Converter(mapping, filesIn(folderOf(source, options))),
    (one) => {
      shown += 1
      if (shown <= SHOWN) warn(`row ${one.row.number}: ${one.reason}`)
    },
  )
  tell(
    `${inAll(objects)}${counted(written)} would be sent${refused === 0 ? '' : `, ${refused.toLocaleString('en')} refused`}. Nothing has been changed.`,
  )
  return refused === 0 ? STATUS.done : STATUS.partly
}

/** The folder of the files that rows name. */
const folderOf = ({ file }: Source, { filesFrom }: Options): string =>
  filesFrom ?? (file === undefined ? '.' : dirname(file))

/** The rows and objects of the file, if these are fewer. */
function inAll(objects: Objects): string {
  const text = repeatsText(objects)
  return text === undefined ? '' : `${text}: `
}

const counted = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`

async function transfer(
  { source, rows, mapping, objects, name }: Job,
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
  const journal = new Journal(source, { url, user, mapping, files: options.filesFrom, undo: keeping.id })
  const sender = new RowSender(connection.client, { signal, waiting }, (writes) => keeping.keep(writes))
  const sending = new Transfer(
    { sender, journal, refusedRows, progressed: (position) => progress.show(position) },
    from,
  )
  const chosen = chosenRows(progress.watch(rows), mapping, objects)
  const hint =
    source.file === undefined ? 'Import all of it again.' : `Go on with: gloss import ${name} --resume`
  try {
    const position = await withSpelling(connection, () =>
      sending.run(chosen, new Converter(mapping, filesIn(folderOf(source, options))), signal),
    )
    progress.stop()
    keeping.end()
    if (signal.aborted) return stopped(position, hint)
    journal.end()
    return ended(position, objects, file)
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

function ended({ written, refused }: Position, objects: Objects, file: string): number {
  const imported = `${inAll(objects)}${counted(written)} imported`
  if (refused === 0) tell(imported)
  else warn(`${imported}, ${refused.toLocaleString('en')} refused → ${file}`)
  return refused === 0 ? STATUS.done : STATUS.partly
}
