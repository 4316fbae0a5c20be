/** Encodes outlines as a short text: the build writes it, and the map reads it. */

export type OutlinePoint = readonly [x: number, y: number]

/** The points of a line; from the last one it returns to the first. */
export type Ring = readonly OutlinePoint[]

/** The number of steps around the world, each ten kilometres at the equator. */
export const ACROSS = 4096

/** A step of length zero is the character in the middle of those that JSON does not escape. */
const NONE = 80
/** The longest step in each direction. A longer distance takes several. */
const LONGEST = 45

/** Points are whole numbers. Each ring has its first point, and a character for each step to the right and down. */
export const writeRings = (rings: readonly Ring[]): string => rings.map(ringText).join(' ')

function ringText(ring: Ring): string {
  const [x, y] = ring[0] ?? [0, 0]
  const ways = ring.slice(1).map((place, at) => wayText(ring[at] ?? place, place))
  return `${x} ${y} ${ways.join('')}`
}

function wayText([fromX, fromY]: OutlinePoint, [toX, toY]: OutlinePoint): string {
  const [wide, high] = [toX - fromX, toY - fromY]
  const count = Math.ceil(Math.max(Math.abs(wide), Math.abs(high)) / LONGEST)
  const step = (length: number, at: number): number =>
    NONE + Math.round((length * (at + 1)) / count) - Math.round((length * at) / count)
  return Array.from({ length: count }, (_, at) => String.fromCharCode(step(wide, at), step(high, at))).join(
    '',
  )
}

/** The rings in such a text. */
export function readRings(text: string): Ring[] {
  const parts = text.split(' ')
  return Array.from({ length: parts.length / 3 }, (_, at) =>
    walked(Number(parts[3 * at]), Number(parts[3 * at + 1]), parts[3 * at + 2] ?? ''),
  )
}

function walked(fromX: number, fromY: number, steps: string): Ring {
  let [x, y] = [fromX, fromY]
  const ring: OutlinePoint[] = [[x, y]]
  for (let at = 0; at < steps.length; at += 2) {
    x += steps.charCodeAt(at) - NONE
    y += steps.charCodeAt(at + 1) - NONE
    ring.push([x, y])
  }
  return ring
}
