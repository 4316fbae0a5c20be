/**
 * Reduces PNG images of screens to 256 colours, which suffice except for photographs, and to a quarter of the octets (RFC
 * 2083).
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE_BYTES = 8
/** The octets before the data of a chunk (length and type), and those after it (a checksum). */
const [BEFORE, BEHIND] = [8, 4]
const COLOURS = 256
const TRUE_COLOUR = 2
const TRUE_COLOUR_WITH_ALPHA = 6
const INDEXED = 3

interface Image {
  readonly width: number
  readonly height: number
  /** A number for each pixel: red, green and blue. */
  readonly pixels: Uint32Array
}

/** The image with its most frequent colours. Throws a `RangeError` for a kind of PNG that browsers do not write. */
export function smallerPng(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png)
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const palette = [...counts.keys()]
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
    .slice(0, COLOURS)
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]))
  const rows = Buffer.alloc(height * (width + 1))
  // Each row begins with the number of its filter; indices compress best without a filter.
  for (let at = 0; at < pixels.length; at++) {
    rows[at + Math.floor(at / width) + 1] = places.get(pixels[at] ?? 0) ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, INDEXED], 8)
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => partsOf(colour)))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const partsOf = (colour: number): [red: number, green: number, blue: number] => [
  colour >>> 16,
  (colour >>> 8) & 255,
  colour & 255,
]

/** The index of the most similar colour in a palette. */
function nearest(colour: number, palette: readonly number[]): number {
  const [red, green, blue] = partsOf(colour)
  let [best, least] = [0, Infinity]
  for (const [place, other] of palette.entries()) {
    const [r, g, b] = partsOf(other)
    const distance = 2 * (red - r) ** 2 + 4 * (green - g) ** 2 + (blue - b) ** 2
    if (distance < least) [best, least] = [place, distance]
  }
  return best
}

function decoded(png: Buffer): Image {
  const data: Buffer[] = []
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const end = at + BEFORE + png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + BEFORE) === 'IDAT') data.push(png.subarray(at + BEFORE, end))
    at = end + BEHIND
  }
  const header = SIGNATURE_BYTES + BEFORE
  const [width, height] = [png.readUInt32BE(header), png.readUInt32BE(header + 4)]
  const [depth, kind] = [png[header + 8], png[header + 9]]
  if (depth !== 8 || (kind !== TRUE_COLOUR && kind !== TRUE_COLOUR_WITH_ALPHA)) {
    throw new RangeError('only true colours with 8 bits are read')
  }
  const size = kind === TRUE_COLOUR ? 3 : 4
  const octets = unfiltered(inflateSync(Buffer.concat(data)), width * size, size)
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => octets.readUIntBE(at * size, 3))
  return { width, height, pixels }
}

/** Removes the filter from each row. */
function unfiltered(rows: Buffer, length: number, size: number): Buffer {
  const height = rows.length / (length + 1)
  const octets = Buffer.alloc(height * length)
  const octet = (row: number, column: number): number =>
    row < 0 || column < 0 ? 0 : (octets[row * length + column] ?? 0)
  for (let row = 0; row < height; row++) {
    const start = row * (length + 1)
    const predict = PREDICTIONS[rows[start] ?? 0] ?? paeth
    for (let column = 0; column < length; column++) {
      const [left, corner] = [octet(row, column - size), octet(row - 1, column - size)]
      octets[row * length + column] =
        (rows[start + 1 + column] ?? 0) + predict(left, octet(row - 1, column), corner)
    }
  }
  return octets
}

/** The prediction of each filter for an octet. */
const PREDICTIONS: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => Math.floor((left + above) / 2),
  paeth,
]

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner
  const [a, b, c] = [left, above, corner].map((one) => Math.abs(estimate - one)) as [number, number, number]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(BEFORE + data.length + BEHIND)
  whole.writeUInt32BE(data.length)
  whole.write(type, 4, 'latin1')
  data.copy(whole, BEFORE)
  whole.writeUInt32BE(crc32(whole.subarray(4, BEFORE + data.length)), BEFORE + data.length)
  return whole
}
