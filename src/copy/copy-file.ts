/**
 * Writes and reads copies of a store, backups and archives: lines of JSON, compressed with gzip or not. The first line
 * describes the file; the last one has the number of records and values of each kind, and the SHA-256 of all lines before.
 */
import { constants } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Counts, lineOf, recordOf, type ArchiveRecord } from './records.ts'

/** The present format. A change that older versions cannot read gets the next number. */
const FORMAT = 1

/** What the first line of a backup has in addition. */
export interface BackupHead {
  /** The last migration of the store that the backup was made from. */
  readonly schema: string
  /** The next number of each kind of things. */
  readonly next: Readonly<Record<string, number>>
}

/** The first line. */
export interface Head extends Partial<BackupHead> {
  readonly 'gloss-copy': number
  /** When the copy was begun, RFC 3339. */
  readonly made: string
}

/** The last line. */
interface End {
  readonly end: Readonly<Counts>
  readonly sha256: string
}

/** The number of characters in one portion of output. A write of each single line would be slow. */
const PORTION = 256 * 1024

/** Yields the lines of a copy with these records, in portions. Calls `done` with the counts of the last line. */
export async function* copyOf(
  records: AsyncIterable<ArchiveRecord>,
  backup?: BackupHead,
  done?: (counts: Readonly<Counts>) => void,
): AsyncGenerator<string> {
  const counts = new Counts()
  const hash = createHash('sha256')
  const head: Head = { 'gloss-copy': FORMAT, made: new Date().toISOString(), ...backup }
  let portion = `${JSON.stringify(head)}\n`
  for await (const record of records) {
    counts.add(record)
    portion += `${lineOf(record)}\n`
    if (portion.length < PORTION) continue
    hash.update(portion)
    yield portion
    portion = ''
  }
  const end: End = { end: counts, sha256: hash.update(portion).digest('hex') }
  yield `${portion}${JSON.stringify(end)}\n`
  done?.(counts)
}

/** A file is no copy of a store, is incomplete, was changed, or cannot be read. */
export class CopyFault extends Error {}

/** The first line of a copy, and its counts. */
export interface Verified {
  readonly head: Head
  readonly counts: Readonly<Counts>
}

/**
 * The most characters of a line. The writer makes each line as one string, and in an archive all values of an object stand in
 * one line, so that no smaller number is sure to be enough.
 */
const LONGEST = constants.MAX_STRING_LENGTH

/** Reads a whole copy. Throws a `CopyFault` unless it is as it was written, in lines of up to `longest` characters. */
export async function verifyCopy(file: string, longest = LONGEST): Promise<Verified> {
  const hash = createHash('sha256')
  let head: Head | undefined
  let last = ''
  for await (const line of linesOf(file, longest)) {
    if (head === undefined) head = headOf(file, line)
    else hash.update(`${last}\n`)
    last = line
  }
  if (head === undefined) throw noCopy(file)
  if (!isEnd(last)) throw torn(file)
  const { end, sha256 } = jsonOf(file, last, 'last') as End
  if (sha256 !== hash.digest('hex')) throw damaged(file, 'its checksum is another one')
  if (!hasNumbers(end, Object.keys(new Counts()))) throw damaged(file, 'its last line has no counts')
  if (head.next !== undefined && !hasNumbers(head.next, NUMBERED))
    throw damaged(file, 'its first line has no next numbers')
  return { head, counts: end }
}

/** The kinds of things that have numbers. */
const NUMBERED = ['users', 'namespaces', 'tags']

/** Returns whether this is an object whose members are whole numbers from 0, these among them. */
const hasNumbers = (numbers: unknown, names: readonly string[]): boolean =>
  typeof numbers === 'object' &&
  numbers !== null &&
  names.every((name) => name in numbers) &&
  Object.values(numbers).every((one) => Number.isSafeInteger(one) && Number(one) >= 0)

/** Yields the records of a copy that is verified, each as soon as it is read. */
export async function* recordsIn(file: string): AsyncGenerator<ArchiveRecord> {
  let isFirst = true
  for await (const line of linesOf(file)) {
    if (!isFirst && !isEnd(line)) yield recordOf(line)
    isFirst = false
  }
}

const BEGINNING = '{"gloss-copy":'

/** Returns whether a file that begins with these octets is a copy of a store. */
export const isCopy = (octets: Buffer): boolean =>
  octets.subarray(0, BEGINNING.length).equals(Buffer.from(BEGINNING))

const isEnd = (line: string): boolean => line.startsWith('{"end":')

const noCopy = (file: string): CopyFault =>
  new CopyFault(`'${file}' is neither a backup nor an archive of Gloss`)
const torn = (file: string, options?: ErrorOptions): CopyFault =>
  new CopyFault(`'${file}' is torn: its end is missing`, options)
const damaged = (file: string, why: string, options?: ErrorOptions): CopyFault =>
  new CopyFault(`'${file}' was changed or damaged: ${why}`, options)

function headOf(file: string, line: string): Head {
  const [, format] = /^\{"gloss-copy":(\d+),/.exec(line) ?? []
  if (format === undefined) throw noCopy(file)
  if (format !== String(FORMAT)) {
    throw new CopyFault(`'${file}' is in format ${format}; this version reads format ${String(FORMAT)}`)
  }
  return jsonOf(file, line, 'first') as Head
}

function jsonOf(file: string, line: string, which: 'first' | 'last'): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw damaged(file, `its ${which} line is no JSON`, { cause })
  }
}

async function* linesOf(file: string, longest = LONGEST): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const chunk of await textOf(file)) {
      // Searches only the new chunk: a line may be as long as the longest value, and chunks are short.
      const [end = '', ...lines] = chunk.split('\n')
      if (rest.length + end.length > longest) throw damaged(file, 'one of its lines is too long')
      rest += end
      if (lines.length === 0) continue
      yield rest
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  if (rest !== '') throw torn(file)
}

async function textOf(file: string): Promise<AsyncIterable<string>> {
  const isCompressed = (await beginningOf(file)) === GZIP
  const octets = createReadStream(file)
  if (!isCompressed) return octets.setEncoding('utf8')
  // `pipeline` reports failures through the stream that the caller reads.
  return pipeline(octets, createGunzip(), () => undefined).setEncoding('utf8')
}

/** The first two octets of a file, as a number; 0 if the file is shorter. */
async function beginningOf(file: string): Promise<number> {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 ? buffer.readUInt16BE() : 0
  } finally {
    await handle.close()
  }
}

/** The first two octets of gzip data (RFC 1952). */
const GZIP = 0x1f8b

/** The fault for an error of the file system or of zlib; other errors, which the reader of the lines threw, as they are. */
function unreadable(file: string, cause: unknown): unknown {
  const { code = '', message, syscall } = cause as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return torn(file, { cause })
  if (code.startsWith('Z_')) return damaged(file, message, { cause })
  if (syscall === undefined) return cause
  return code === 'ENOENT'
    ? new CopyFault(`there is no file '${file}'`)
    : new CopyFault(`'${file}' cannot be read: ${message}`, { cause })
}
