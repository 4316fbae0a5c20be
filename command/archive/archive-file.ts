/** Reads and writes archives as files: lines of JSON, compressed with gzip or not. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { Digest } from './digest.ts'
import { FORMAT, lineOf, parseLine, type ArchiveRecord, type Tail } from './records.ts'

/** The number of characters in one portion of output. A write of each single line would be slow. */
const PORTION = 65_536

/** Yields the lines of an archive of these records, in portions. Calls `done` with the content of the last line. */
export async function* archiveOf(
  records: AsyncIterable<ArchiveRecord>,
  done: (tail: Tail) => void,
): AsyncGenerator<string> {
  const digest = new Digest()
  let portion = `${lineOf({ 'gloss-archive': FORMAT, exported: new Date().toISOString() })}\n`
  for await (const record of records) {
    digest.add(record)
    portion += `${lineOf(record)}\n`
    if (portion.length < PORTION) continue
    yield portion
    portion = ''
  }
  const tail = { end: digest.counts, digest: digest.hex() }
  done(tail)
  yield `${portion}${lineOf(tail)}\n`
}

const BEGINNING = Buffer.from('{"gloss-archive":')

/** Returns whether a file that begins with these octets is an archive. */
export const isArchive = (head: Buffer): boolean => head.subarray(0, BEGINNING.length).equals(BEGINNING)

/**
 * Yields the records of an archive while it reads the file, and returns the content of the last line. Throws a `Failure`
 * if the file is not an archive, is incomplete or was changed after the export.
 */
export async function* readArchive(file: string): AsyncGenerator<ArchiveRecord, Tail> {
  const lines = linesOf(file)
  try {
    const first = await lines.next()
    checkHead(file, first.done ? '' : first.value)
    return yield* recordsIn(file, lines)
  } finally {
    await lines.return(undefined)
  }
}

/** Yields the records after the first line. */
async function* recordsIn(file: string, lines: AsyncIterable<string>): AsyncGenerator<ArchiveRecord, Tail> {
  const digest = new Digest()
  let tail: Tail | undefined
  let number = 1
  for await (const line of lines) {
    number += 1
    const record = tail === undefined ? parsed(file, line, number) : undefined
    if (record === undefined) throw damaged(file, `line ${number} follows its end`)
    if ('end' in record) tail = record
    else {
      digest.add(record)
      yield record
    }
  }
  if (tail === undefined) throw torn(file)
  if (tail.digest !== digest.hex()) throw damaged(file, 'its digest is not the one that its last line says')
  return { end: digest.counts, digest: tail.digest }
}

const AGAIN = 'copy the file again, or export again'

const torn = (file: string, options?: ErrorOptions): Failure =>
  new Failure(`'${file}' is torn: the end of the archive is missing`, AGAIN, STATUS.failed, options)
const damaged = (file: string, why: string, options?: ErrorOptions): Failure =>
  new Failure(`'${file}' is not as it was exported: ${why}`, AGAIN, STATUS.failed, options)

function checkHead(file: string, line: string): void {
  const [, format] = /^\{"gloss-archive":(\d+)/.exec(line) ?? []
  if (format === undefined) throw misuse(`'${file}' is no archive`, 'gloss export --all -o FILE makes one')
  if (format === String(FORMAT)) return
  throw new Failure(
    `'${file}' is an archive of format ${format}, and this version reads format ${FORMAT}`,
    'install a newer version of gloss',
  )
}

function parsed(file: string, line: string, number: number): ArchiveRecord | Tail {
  try {
    return parseLine(line)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw damaged(file, `line ${number}: ${error.message}`, { cause: error })
  }
}

/** Yields the lines of a file. Fails on a line that is longer than the longest value can make it. */
async function* linesOf(file: string): AsyncGenerator<string, undefined> {
  let parts: string[] = []
  try {
    for await (const chunk of await decompressedText(file)) {
      const [first = '', ...others] = chunk.split('\n')
      parts.push(first)
      for (const other of others) {
        yield parts.join('')
        parts = [other]
      }
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  if (parts.some((part) => part !== '')) throw torn(file)
  return undefined
}

async function decompressedText(file: string): Promise<AsyncIterable<string>> {
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

function unreadable(file: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return torn(file, { cause: error })
  if (code.startsWith('Z_')) return damaged(file, message, { cause: error })
  return code.startsWith('E')
    ? new Failure(`'${file}' cannot be read`, message, STATUS.failed, { cause: error })
    : error
}
