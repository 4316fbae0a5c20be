/**
 * The file of a backup: lines of JSON, compressed with gzip, in the same format for every database. The first line describes
 * the file; the last one has the number of lines of each kind and their SHA-256.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { FileFailure, NewFile } from './new-file.ts'

/** The present format. A change that older versions cannot read gets the next number. */
const FORMAT = 1

/** A line: its kind, then its columns. Objects are UUIDs; parts, and the content of opaque values, are in base64. */
export type Line =
  | readonly [kind: 'next', of: string, id: number]
  | readonly [kind: 'user', id: number, username: string, role: string, hash: string | null, object: string]
  | readonly [kind: 'namespace', id: number, path: string, parent: number, object: string, open: number]
  | TagLine
  | readonly [kind: 'exception', target: number, permission: number, user: number]
  | ValueLine
  | readonly [kind: 'part', content: string]

export type TagLine = readonly [
  kind: 'tag',
  id: number,
  path: string,
  namespace: number,
  object: string,
  indexed: number,
  open: number,
]

/** `content` is canonical JSON, or the number of parts that follow. */
export type ValueLine = readonly [
  kind: 'value',
  tag: number,
  object: string,
  type: string,
  contentType: string | null,
  updatedAt: number,
  user: number,
  content: string | number,
]

export type Kind = Line[0]

/** The kinds of lines, in their order. */
export const KINDS: readonly Kind[] = ['next', 'user', 'namespace', 'tag', 'exception', 'value', 'part']

/** How many lines of each kind there are. */
export type Counts = Readonly<Record<Kind, number>>

/** The first line. */
export interface Head {
  readonly gloss_backup: number
  /** The last migration of the store that the backup was made from. */
  readonly schema: string
  /** When the view of the store was opened. */
  readonly made_at: string
}

/** The last line. */
interface End {
  readonly lines: Counts
  readonly sha256: string
}

/** How many characters the compressor gets at once. */
const CHUNK = 256 * 1024

/**
 * Writes a backup of these lines, for its owner alone. The name of the file ends in `.unfinished` until it is complete and
 * on the disk. Throws a `FileFailure` if a file of either name exists.
 */
export async function writeBackupFile(
  file: string,
  schema: string,
  lines: AsyncIterable<Line>,
): Promise<Counts> {
  const target = await NewFile.create(file)
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  try {
    const head: Head = { gloss_backup: FORMAT, schema, made_at: new Date().toISOString() }
    const gzip = createGzip({ level: constants.Z_BEST_SPEED })
    await pipeline(Readable.from(backupText(head, lines, counts)), gzip, (chunks: AsyncIterable<Buffer>) =>
      target.write(chunks),
    )
    await target.keep()
  } catch (error) {
    await target.discard()
    throw error
  }
  return counts
}

async function* backupText(
  head: Head,
  lines: AsyncIterable<Line>,
  counts: Record<Kind, number>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let text = `${JSON.stringify(head)}\n`
  const chunk = (): Buffer => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    text = ''
    return bytes
  }
  for await (const line of lines) {
    counts[line[0]] += 1
    text += `${JSON.stringify(line)}\n`
    if (text.length >= CHUNK) yield chunk()
  }
  yield chunk()
  const end: End = { lines: counts, sha256: hash.digest('hex') }
  yield Buffer.from(`${JSON.stringify(end)}\n`)
}

/** A fault in a file that should be a backup. */
export class BackupFault extends Error {}

/** Reads a whole backup and returns its first line. Throws a `BackupFault` if the file was changed or damaged. */
export async function verifyBackupFile(file: string): Promise<Head> {
  let head: Head | undefined
  for await (const line of readBackupFile(file)) if ('schema' in line) head = line
  if (head === undefined) throw new BackupFault(`'${file}' is empty`)
  return head
}

/**
 * Yields the first line of a backup, then all others but the last, each as soon as it is read. Throws a `BackupFault` at the
 * end if the file was changed or damaged.
 */
export async function* readBackupFile(file: string): AsyncGenerator<Head | Line> {
  const hash = createHash('sha256')
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  let [head, end]: [Head | undefined, End | undefined] = [undefined, undefined]
  for await (const text of linesIn(file)) {
    if (end !== undefined) throw new BackupFault(`'${file}' goes on after its end`)
    const line = parsed(file, text)
    if (head === undefined) {
      head = headIn(file, line)
      yield head
    } else if (Array.isArray(line)) {
      const known = line as unknown as Line
      counts[known[0]] += 1
      yield known
    } else {
      end = line as End
      continue
    }
    hash.update(text).update('\n')
  }
  if (end === undefined) throw new BackupFault(`'${file}' ends too early: it is not a whole backup`)
  const same = KINDS.every((kind) => end.lines[kind] === counts[kind])
  if (!same || end.sha256 !== hash.digest('hex')) {
    throw new BackupFault(`'${file}' was changed or damaged: its checksum is another one`)
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new BackupFault(`'${file}' was changed or damaged: a line of it is no JSON`, { cause })
  }
}

function headIn(file: string, line: unknown): Head {
  const { gloss_backup: format } = line as Partial<Head>
  if (format === FORMAT) return line as Head
  throw new BackupFault(
    format === undefined
      ? `'${file}' is not a backup of Gloss`
      : `'${file}' is a backup in format ${String(format)}; this version reads format ${String(FORMAT)}`,
  )
}

/** The lines of the compressed text in a file. */
async function* linesIn(file: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  const source = createReadStream(file)
  const gunzip = createGunzip()
  const failure = pipeline(source, gunzip).then(
    () => undefined,
    (error: unknown) => error,
  )
  let rest = ''
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      // Searches only the new chunk: a line may be as long as the longest value, and chunks are short.
      const [end = '', ...lines] = decoder.write(chunk).split('\n')
      rest += end
      if (lines.length === 0) continue
      yield rest
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (cause) {
    throw faultOf(file, cause)
  } finally {
    source.destroy()
  }
  const cause = await failure
  if (cause !== undefined) throw faultOf(file, cause)
  if (rest !== '') throw new BackupFault(`'${file}' ends too early: it is not a whole backup`)
}

/** The error for a file that cannot be read; zlib's own message would not help an operator. */
function faultOf(file: string, cause: unknown): Error {
  const { code = '', message } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT') return new BackupFault(`there is no file '${file}'`)
  return code.startsWith('Z_')
    ? new BackupFault(`'${file}' was changed or damaged, or is not a backup of Gloss (${code})`, { cause })
    : new FileFailure(`the backup '${file}' cannot be read: ${message}`, { cause })
}
