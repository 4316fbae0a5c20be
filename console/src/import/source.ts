/** Reads the octets of a file as text, in pieces, and decompresses them if necessary. */
import { Failure } from '../../../common/failure.ts'

/** A text to read once. */
export interface Reading {
  readonly texts: AsyncGenerator<string>
  /** The share of the file that the reader has passed on, from 0 to 1; undefined if unknown. */
  readonly share: () => number | undefined
}

/** The number of octets for the detection of the encoding and format. */
const HEAD = 1024 * 1024
/**
 * The size of one portion, in octets. With small portions, `share` hardly counts octets that the caller has not used yet.
 */
const PORTION = 16 * 1024

/** The first octets of a file, decompressed. */
export async function headOf(file: Blob): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD)
  let length = 0
  for await (const chunk of await octetsOf(file)) {
    const part = chunk.subarray(0, HEAD - length)
    head.set(part, length)
    length += part.length
    if (length === HEAD) break
  }
  return head.subarray(0, length)
}

/** Reads a file from its beginning. */
export function readTexts(file: Blob, encoding: string): Reading {
  let passed = 0
  let size: number | undefined = file.size
  async function* texts(): AsyncGenerator<string> {
    // The decompressed size of a file is unknown before its end.
    if (await isPacked(file)) size = undefined
    // The decoder removes the byte order mark of its encoding.
    const decoder = new TextDecoder(encoding)
    for await (const chunk of await octetsOf(file)) {
      for (let from = 0; from < chunk.length; from += PORTION) {
        const portion = chunk.subarray(from, from + PORTION)
        passed += portion.length
        yield decoder.decode(portion, { stream: true })
      }
    }
    yield decoder.decode()
  }
  return { texts: texts(), share: () => size && passed / size }
}

/** Returns whether a file is in gzip format (RFC 1952, section 2.3.1). */
async function isPacked(file: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  return first === 0x1f && second === 0x8b
}

async function octetsOf(file: Blob): Promise<AsyncGenerator<Uint8Array>> {
  if (!(await isPacked(file))) return chunksOf(file.stream())
  if (!('DecompressionStream' in globalThis)) {
    throw new Failure('this browser cannot unpack files', 'unpack it, and choose what was in it')
  }
  return unpacked(chunksOf(file.stream().pipeThrough(new DecompressionStream('gzip'))))
}

async function* unpacked(octets: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* octets
  } catch (error) {
    throw new Failure('the packed file is not whole', 'fetch or pack it again', undefined, { cause: error })
  }
}

/** Some browsers cannot iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
