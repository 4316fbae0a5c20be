/** Archives as files: JSON in lines, compressed or not. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Failure, misuse, STATUS } from '../../shared/failure.ts'
import { Digest } from './digest.ts'
import { FORMAT, lineOf, parseLine, type ArchiveRecord, type Tail } from './records.ts'

/** Characters that are written at once: single lines would cost more than their contents. */
const PORTION = 65_536

/** The lines of an archive of these records, in portions. `done` is told what the last line says. */
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

/** Whether a file that begins with these octets is an archive. */
export const isArchive = (head: Buffer): boolean => head.subarray(0, BEGINNING.length).equals(BEGINNING)

/**
 * The records of an archive, read as they are asked for; ends with what its last line says. Throws a `Failure` for what is
 * no archive, not all of one, or not as it was exported.
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

/** What follows the first line. */
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

/** The lines of a file, none of which is longer than the longest value takes. */
async function* linesOf(file: string): AsyncGenerator<string, undefined> {
  let parts: string[] = []
  try {
    for await (const chunk of await textOf(file)) {
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

async function textOf(file: string): Promise<AsyncIterable<string>> {
  const isCompressed = (await beginningOf(file)) === GZIP
  const octets = createReadStream(file)
  if (!isCompressed) return octets.setEncoding('utf8')
  // Failures come out where the text is read.
  return pipeline(octets, createGunzip(), () => undefined).setEncoding('utf8')
}

/** The first two octets of a file, as a number; 0 if it is shorter. */
async function beginningOf(file: string): Promise<number> {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 ? buffer.readUInt16BE() : 0
  } finally {
    await handle.close()
  }
}

/** The first two octets of what is compressed (RFC 1952). */
const GZIP = 0x1f8b

function unreadable(file: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return torn(file, { cause: error })
  if (code.startsWith('Z_')) return damaged(file, message, { cause: error })
  return code.startsWith('E')
    ? new Failure(`'${file}' cannot be read`, message, STATUS.failed, { cause: error })
    : error
}
