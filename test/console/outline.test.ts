/** The outlines of land as the build writes them into the map. */
import { expect, test } from '@jest/globals'
import { coastOf } from '../../console/coast.ts'
import { ACROSS, readRings, writeRings, type Ring } from '../../console/src/map/outline.ts'
import { acrossOf, downOf } from '../../console/src/map/projection.ts'
import atlas from 'world-atlas/land-110m.json' with { type: 'json' }

const land = coastOf(atlas as unknown as Parameters<typeof coastOf>[0])

test('rings are read as they were written, however long their steps are', () => {
  const rings: Ring[] = [
    [
      [0, 0],
      [45, -45],
      [46, 1000],
      [-3000, 7],
    ],
    [[4096, -5]],
  ]
  const corners = readRings(writeRings(rings)).map((ring, at) =>
    ring.filter((place) => rings[at]?.some((corner) => corner.join() === place.join())),
  )
  expect(corners).toEqual(rings)
  expect(readRings(writeRings(land)).length).toBe(land.length)
})

/** Whether a place is on land: whether a way from it to the east crosses coasts an odd number of times. */
function isLand(latitude: number, longitude: number): boolean {
  const y = downOf(latitude) * ACROSS + 0.01
  // What crosses the antimeridian is written in one of the worlds only, and drawn in each.
  const worlds = [-1, 0, 1].map((turn) => (acrossOf(longitude) + turn) * ACROSS)
  const crossed = worlds.flatMap((x) => land.map((ring) => crossings(ring, x, y)))
  return crossed.reduce((sum, count) => sum + count, 0) % 2 === 1
}

const crossings = (ring: Ring, x: number, y: number): number =>
  ring.filter(([toX, toY], at) => {
    const [fromX, fromY] = ring.at(at - 1) ?? [toX, toY]
    return fromY > y !== toY > y && x < fromX + ((y - fromY) * (toX - fromX)) / (toY - fromY)
  }).length

test.each([
  ['Madrid', 40.4, -3.7, true],
  ['Alice Springs', -23.7, 133.9, true],
  ['the south pole', -84.9, 100, true],
  ['Anadyr, across the antimeridian', 66.5, -176, true],
  ['Chukotka, before it', 67, 176, true],
  ['the Atlantic', 30, -40, false],
  ['the Caspian Sea, in Asia', 42, 50.5, false],
  ['the Pacific at the antimeridian', 0, 180, false],
])('%s is where it is', (_, latitude, longitude, expected) => {
  expect(isLand(latitude, longitude)).toBe(expected)
})

test('no line leaps across the world', () => {
  const far = land.flatMap((ring) => ring.slice(1).map(([x], at) => Math.abs(x - (ring[at]?.[0] ?? x))))
  // All but the one that closes what is around the south pole.
  expect(far.filter((length) => length > ACROSS / 20)).toEqual([ACROSS])
})
