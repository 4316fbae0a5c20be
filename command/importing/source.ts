/** Reads rows from a file or standard input, decompresses them, and decodes their text. */
import {
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline as pipe, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Failure, misuse, STATUS } from '../../common/failure.ts'

/** The name that stands for standard input. */
export const STDIN = '-'

/** Octets to read once, from beginning to end. */
export interface Source {
  /** Opens the same octets again. */
  readonly again: () => Promise<Source>
  /** The file; undefined for standard input. */
  readonly file: string | undefined
  /** The first octets, decompressed: one mebibyte, or all if there are fewer. */
  readonly head: Buffer
  /** The share of the octets that the source has passed on, from 0 to 1; undefined if unknown. */
  readonly share: () => number | undefined
  readonly texts: (encoding: string) => AsyncGenerator<string>
}

const HEAD = 1024 * 1024
const CHUNK = 256 * 1024
/**
 * The size of one portion, in octets. With small portions, `share` hardly counts octets that the reader has not used yet.
 */
const PORTION = 16 * 1024

/**
 * Opens a file, or standard input for `-`, which it first copies into a temporary file. Throws a `Failure` if it cannot
 * read it.
 */
export async function openSource(name: string): Promise<Source> {
  if (name !== STDIN)
    return sourceOf(name, statsOf(name), () => createReadStream(name, { highWaterMark: CHUNK }))
  const { fd, stats } = await copied(process.stdin)
  return sourceOf(undefined, stats, () =>
    createReadStream('', { fd, start: 0, autoClose: false, highWaterMark: CHUNK }),
  )
}

/** Copies a stream into a temporary file, which no name leads to, so that nothing is left of it. */
async function copied(stream: Readable): Promise<{ fd: number; stats: Stats }> {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-import-'))
  try {
    const file = join(folder, 'rows')
    const fd = openSync(file, 'w+', 0o600)
    await pipeline(stream, createWriteStream(file, { fd, autoClose: false }))
    return { fd, stats: fstatSync(fd) }
  } catch (error) {
    throw new Failure(
      `standard input cannot be copied into ${tmpdir()}: ${(error as Error).message}`,
      'make room there, or set TMPDIR to a folder that has it',
      STATUS.failed,
      { cause: error },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function sourceOf(file: string | undefined, stats: Stats, open: () => Readable): Promise<Source> {
  let read = 0
  let passed = 0
  const raw = open()
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of raw) {
      read += (chunk as Buffer).length
      yield chunk as Buffer
    }
  }
  const { first, rest } = await beginning(counted(), 2)
  const packed = first[0] === 0x1f && first[1] === 0x8b
  const octets = chain(first, rest)
  const { first: head, rest: tail } = await beginning(
    packed ? unpacked(octets, file ?? 'standard input') : octets,
    HEAD,
  )
  // The source has read a small compressed file completely before its first row, so `share` would mean nothing.
  const size = packed && read === stats.size ? undefined : stats.size
  async function* portions(): AsyncGenerator<Buffer> {
    for await (const chunk of chain(head, tail)) {
      for (let from = 0; from < chunk.length; from += PORTION) {
        const portion = chunk.subarray(from, from + PORTION)
        passed += portion.length
        yield portion
      }
    }
  }
  return {
    again: () => sourceOf(file, stats, open),
    file,
    head,
    share: () => size && (packed ? read : passed) / size,
    texts: (encoding) => decoded(portions(), encoding),
  }
}

function statsOf(file: string): Stats {
  try {
    const stats = statSync(file)
    if (!stats.isDirectory()) return stats
  } catch (error) {
    throw misuse(
      `'${file}' cannot be read: ${(error as Error).message}`,
      'name a file, or - for standard input',
    )
  }
  throw misuse(`'${file}' is a folder`, 'name a file, or - for standard input')
}

/** Reads at least `length` octets, or all if there are fewer, and returns them with the rest. */
async function beginning(
  chunks: AsyncGenerator<Buffer>,
  length: number,
): Promise<{ first: Buffer; rest: AsyncGenerator<Buffer> }> {
  const parts: Buffer[] = []
  let size = 0
  while (size < length) {
    const next = await chunks.next()
    if (next.done) break
    parts.push(next.value)
    size += next.value.length
  }
  return { first: Buffer.concat(parts), rest: chunks }
}

async function* chain(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

async function* unpacked(octets: AsyncGenerator<Buffer>, name: string): AsyncGenerator<Buffer> {
  // The consumer of the iterator gets the error.
  const gunzip = pipe(Readable.from(octets), createGunzip(), () => undefined)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
  } catch (error) {
    throw new Failure(`'${name}' is not whole: ${(error as Error).message}`, 'fetch or pack it again', 1, {
      cause: error,
    })
  }
}

async function* decoded(octets: AsyncGenerator<Buffer>, encoding: string): AsyncGenerator<string> {
  // The decoder removes the byte order mark of its encoding.
  const decoder = new TextDecoder(encoding)
  for await (const chunk of octets) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
