/** Makes PNG images smaller, which browsers write in haste. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE_BYTES = 8
/** Length and type before the data of a chunk, and a checksum behind. */
const [BEFORE, BEHIND] = [8, 4]

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

/** The same image, compressed as well as zlib can. */
export function smallerPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const rows = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const data = deflateSync(inflateSync(rows), { level: 9, memLevel: 9 })
  const [header, ...others] = chunks.filter(({ type }) => type !== 'IDAT')
  const written = [header, { type: 'IDAT', data }, ...others].map((chunk) =>
    chunk ? encoded(chunk) : Buffer.of(),
  )
  return Buffer.concat([png.subarray(0, SIGNATURE_BYTES), ...written])
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const end = at + BEFORE + png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + BEFORE), data: png.subarray(at + BEFORE, end) })
    at = end + BEHIND
  }
  return chunks
}

function encoded({ type, data }: Chunk): Buffer {
  const chunk = Buffer.alloc(BEFORE + data.length + BEHIND)
  chunk.writeUInt32BE(data.length)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, BEFORE)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, BEFORE + data.length)), BEFORE + data.length)
  return chunk
}
