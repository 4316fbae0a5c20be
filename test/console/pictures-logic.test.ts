/** What pictures are made of, without a browser: guesses, bins, axes, projections, and conditions to the digit. */
import { expect, test } from '@jest/globals'
import { parseExact } from '../../packages/client/json.ts'
import { axesOf, conditionOf as conditionOfDots, inOrder, nearest } from '../../console/src/chart/dots.ts'
import {
  NUMBER,
  ofInts,
  placeAmong,
  rangeOf,
  readable,
  scaleOf,
  within,
} from '../../console/src/chart/range.ts'
import { axisOf, numberAt, placeOn, rounded, ticksOf, brief } from '../../console/src/chart/scale.ts'
import { sampled, tagsOf, worthCounting } from '../../console/src/chart/guess.ts'
import { conditionOf, pairAmong, sidesOf } from '../../console/src/map/area.ts'
import { bandsOf } from '../../console/src/map/bands.ts'
import { acrossFor, areaOfBin, binNear, gridOf, idsOf, stepsOf } from '../../console/src/map/bins.ts'
import { Collection } from '../../console/src/map/collection.ts'
import {
  acrossOf,
  areaOf,
  downOf,
  kept,
  latitudeAt,
  longitudeAt,
  moved,
  parseView,
  placeAt,
  screenOf,
  viewOf,
  viewText,
  WORLD,
  worldOf,
  zoomed,
} from '../../console/src/map/projection.ts'
import type { Spread } from '../../console/src/service/facet.ts'
import { parseQuery } from '../../src/query/parse.ts'

/** Bins with these edges, as the service writes them. */
function spreadOf(edges: readonly string[], counts: readonly number[]): Spread {
  const numbers = parseExact(`[${edges.join(',')}]`) as Spread['smallest'][]
  const at = (index: number): Spread['smallest'] => numbers[index] as Spread['smallest']
  const bins = counts.map((count, index) => ({ from: at(index), to: at(index + 1), count }))
  return { smallest: at(0), largest: at(counts.length), bins }
}

test('finds the paths of a query, but none in its strings', () => {
  expect(tagsOf('has cities/name and (Alice/a.b >= 2 except x/y:z = "not/this \\" nor/this")')).toEqual([
    'cities/name',
    'alice/a.b',
    'x/y:z',
  ])
  expect(tagsOf('a/b = 1 or a/b = 2')).toEqual(['a/b'])
})

test('guesses which tags are worth counting', () => {
  const objects = Array.from({ length: 10 }, (_, at) => ({
    id: String(at),
    about: null,
    values: {
      'a/n': parseExact(String(at)) as never,
      'a/kind': at % 2 === 0 ? 'even' : 'odd',
      'a/name': `name ${String(at)}`,
      'b/genres': ['x'],
      'service/about': String(at),
      ...(at === 0 && { 'b/photo': { 'value-type': 'image/png', size: 3 } }),
    },
  }))
  const tags = sampled(objects, ['a/n'])
  expect(tags[0]).toEqual({ tag: 'a/n', objects: 10, kind: 'number' })
  expect(new Map(tags.map(({ tag, kind }) => [tag, kind]))).toEqual(
    new Map([
      ['a/n', 'number'],
      ['a/kind', 'choice'],
      ['a/name', 'text'],
      ['b/genres', 'list'],
      ['b/photo', 'other'],
    ]),
  )
  expect(worthCounting(tags)).toEqual(['a/kind', 'b/genres', 'a/n'])
})

test('makes conditions of bins with each digit', () => {
  const spread = spreadOf(
    ['-9223372036854775808', '0', '0.30000000000000004', '9223372036854775807'],
    [1, 2, 3],
  )
  expect(within('a/n', rangeOf(spread, 0, 0) ?? NONE)).toBe('a/n >= -9223372036854775808 and a/n < 0')
  expect(within('a/n', rangeOf(spread, 1, 2) ?? NONE)).toBe('a/n >= 0 and a/n <= 9223372036854775807')
  expect(rangeOf(spread, 0, 3)).toBeUndefined()
  expect(ofInts({ from: '1139829.4001617678', to: '1297190.039391763', before: true })).toEqual({
    from: '1139830',
    to: '1297191',
    before: true,
  })
  expect(ofInts({ from: '-2.5', to: '7', before: false })).toEqual({ from: '-2', to: '7', before: false })
  expect(ofInts({ from: '1.5e+18', to: '3.0', before: true })).toEqual({
    from: '1500000000000000000',
    to: '3',
    before: true,
  })
  expect(within('a/n', { from: '', to: '5' })).toBe('a/n <= 5')
  expect(readable('9223372036854775807')).toBe('9,223,372,036,854,775,807')
})

const NONE = { from: '', to: '' }

test('takes for a number what the query language does', () => {
  const pattern = new RegExp(`^(?:${NUMBER})$`, 'v')
  for (const text of ['1', '-2.5', '.5', '1e6', '1.5e+18', '-1E-3']) {
    expect(text).toMatch(pattern)
    expect(() => parseQuery(`a/n >= ${text}`)).not.toThrow()
  }
  for (const text of ['', '1.', '+1', '1,000', '0x1', 'NaN']) {
    expect(text).not.toMatch(pattern)
    expect(() => parseQuery(`a/n >= ${text}`)).toThrow()
  }
})

test('chooses the scale that shows more', () => {
  const skewed = spreadOf(['1', '1000', '2000', '3000'], [95, 3, 2])
  const even = spreadOf(['1', '1000', '2000', '3000'], [40, 30, 30])
  expect(scaleOf(undefined, skewed)).toBe('logarithmic')
  expect(scaleOf('linear', skewed)).toBe('linear')
  expect(scaleOf(undefined, even)).toBe('linear')
  expect(scaleOf('nonsense', even)).toBe('linear')
  expect(scaleOf(undefined, spreadOf(['-1', '1000', '2000', '3000'], [95, 3, 2]))).toBe('linear')
})

test('places numbers among bins and on axes, and back', () => {
  const log = spreadOf(['-5', '1', '10', '100'], [1, 1, 1])
  expect(placeAmong(log, -5, 'logarithmic')).toBe(0)
  expect(placeAmong(log, 10 ** 1.5, 'logarithmic')).toBeCloseTo(2.5 / 3)
  expect(placeAmong(log, 101, 'logarithmic')).toBeUndefined()
  for (const scale of ['linear', 'logarithmic'] as const) {
    const axis = axisOf([0, 3, 700], scale)
    for (const number of [3, 50, 700]) expect(numberAt(axis, placeOn(axis, number))).toBeCloseTo(number)
  }
  expect(placeOn(axisOf([5], 'linear'), 5)).toBe(0.5)
  expect(axisOf([-1, 0], 'logarithmic')).toEqual({ from: 1, to: 10, scale: 'logarithmic' })
})

test('writes nice numbers beside axes', () => {
  expect(ticksOf({ from: 3, to: 97, scale: 'linear' }, 5)).toEqual([20, 40, 60, 80])
  expect(ticksOf({ from: -0.31, to: 0.31, scale: 'linear' }, 6)).toEqual([-0.2, 0, 0.2])
  expect(ticksOf({ from: 5, to: 2e7, scale: 'logarithmic' }, 7)).toEqual([10, 100, 1000, 1e4, 1e5, 1e6, 1e7])
  expect(ticksOf({ from: 120, to: 900, scale: 'logarithmic' }, 8)).toEqual([200, 500])
  expect(ticksOf({ from: 4, to: 4, scale: 'linear' }, 5)).toEqual([4])
  expect([0, 2000, 15000, 22315474, 0.25, 1e-9].map(brief)).toEqual([
    '0',
    '2,000',
    '15K',
    '22.3M',
    '0.25',
    '1e-9',
  ])
  expect([rounded(1.23456, 0.01), rounded(-0.001, 0.1), rounded(1200, 7), rounded(2.5, 0)]).toEqual([
    '1.23',
    '0',
    '1200',
    '3',
  ])
})

test('finds dots near a place, and those between two', () => {
  const dot = (x: number, y: number) => ({ found: { id: String(x), about: null, values: {} }, x, y })
  const all = [dot(100, 1), dot(1, 100), dot(0, 5)]
  const axes = axesOf(all, 'linear', 'linear')
  expect(inOrder(all, axes).map(({ x }) => x)).toEqual([0, 1, 100])
  expect(inOrder(all, axesOf(all, 'logarithmic', 'linear')).map(({ x }) => x)).toEqual([1, 100])
  const size = { width: 400, height: 300 }
  expect(nearest(all, axes, { x: placeOn(axes.x, 99), y: placeOn(axes.y, 2) }, size)).toBe(0)
  expect(nearest(all, axes, { x: 0.5, y: 0.5 }, size)).toBeUndefined()
  const exact = { x: { from: 0, to: 100, scale: 'linear' }, y: { from: 0, to: 1, scale: 'linear' } } as const
  expect(
    conditionOfDots({ x: 'a/x', y: 'a/y' }, exact, [
      { x: 0.75, y: 0.5 },
      { x: 0.25, y: 2 },
    ]),
  ).toBe('a/x >= 25 and a/x <= 75 and a/y >= 0.5 and a/y <= 1')
})

test('recognises latitudes and longitudes by name', () => {
  expect(pairAmong(['cities/name', 'cities/lon', 'cities/lat'])).toEqual({
    latitude: 'cities/lat',
    longitude: 'cities/lon',
  })
  expect(pairAmong(['a/Longitude', 'a/Latitude'])).toEqual({
    latitude: 'a/Latitude',
    longitude: 'a/Longitude',
  })
  expect(pairAmong(['a/home-lat', 'a/work-lng', 'a/home-lng'])).toEqual({
    latitude: 'a/home-lat',
    longitude: 'a/home-lng',
  })
  expect(pairAmong(['a/lat', 'b/lon'])).toBeUndefined()
  expect(pairAmong(['a/flat', 'a/flon', 'a/x', 'a/y'])).toBeUndefined()
})

test('makes conditions of areas, in two parts across the antimeridian', () => {
  const pair = { latitude: 'c/lat', longitude: 'c/lon' }
  expect(conditionOf(pair, { south: '10', north: '20.5', west: '-5', east: '5' })).toBe(
    'c/lat >= 10 and c/lat <= 20.5 and c/lon >= -5 and c/lon <= 5',
  )
  const across = conditionOf(pair, { south: '-20', north: '-10', west: '170', east: '-170' })
  expect(across).toBe('c/lat >= -20 and c/lat <= -10 and (c/lon >= 170 or c/lon <= -170)')
  expect(() => parseQuery(across)).not.toThrow()
  expect(conditionOf(pair, { south: '', north: '', west: '', east: '5' })).toBe('c/lon <= 5')
  const area = { south: 1.23456, north: 2.5, west: -3.00001, east: 4 }
  expect(sidesOf(area, { x: 0.5, y: 0.5, zoom: 5 })).toEqual({
    south: '1.23',
    north: '2.5',
    west: '-3',
    east: '4',
  })
})

test('projects there and back, at any zoom', () => {
  const size = { width: 900, height: 500 }
  for (const zoom of [2, 5.5, 12]) {
    for (const [longitude, latitude] of [
      [0, 0],
      [179.9, -45.5],
      [-120.25, 66],
    ] as const) {
      const view = kept({ x: acrossOf(longitude), y: downOf(latitude), zoom }, size)
      const place = { x: acrossOf(longitude), y: downOf(latitude) }
      const there = placeAt(view, size, screenOf(view, size, place))
      expect(longitudeAt(there.x)).toBeCloseTo(longitude, 6)
      expect(latitudeAt(there.y)).toBeCloseTo(latitude, 6)
      const around = { x: 100, y: 50 }
      const before = placeAt(view, size, around)
      const after = placeAt(zoomed(view, size, 1, around), size, around)
      // The same longitude, however often around the world.
      expect(longitudeAt(after.x)).toBeCloseTo(longitudeAt(before.x), 6)
      expect(after.y).toBeCloseTo(before.y, 9)
    }
  }
  // By the shorter way: what is a little east of the antimeridian is right of what is a little west of it.
  const pacific = { x: acrossOf(179), y: 0.5, zoom: 4 }
  expect(screenOf(pacific, size, { x: acrossOf(-179), y: 0.5 }).x).toBeGreaterThan(size.width / 2)
  const across = areaOf({ x: acrossOf(170), y: 0.4 }, { x: acrossOf(190), y: 0.6 })
  expect(across.west).toBeCloseTo(170)
  expect(across.east).toBeCloseTo(-170)
})

test('keeps the view within the world, and in the URL', () => {
  const size = { width: 900, height: 500 }
  const view = viewOf(WORLD, size)
  expect(worldOf(view)).toBeCloseTo(900)
  expect(moved(view, size, { x: 0, y: 9999 }).y).toBeCloseTo(500 / 2 / 900)
  expect(kept({ x: 1.25, y: 0.5, zoom: 99 }, size)).toEqual({ x: 0.25, y: 0.5, zoom: 16 })
  const shown = viewOf({ south: 43.6, north: 48.2, west: 20.3, east: 29.6 }, size)
  expect(latitudeAt(shown.y)).toBeCloseTo(45.9, 0)
  const again = parseView(viewText(shown))
  expect(again?.x).toBeCloseTo(shown.x, 3)
  expect(again?.zoom).toBeCloseTo(shown.zoom, 2)
  expect(parseView('1,2')).toBeUndefined()
  expect(parseView(null)).toBeUndefined()
})

test('divides what a query finds into bands that leave nothing out', () => {
  const spread = spreadOf(['-10', '0', '5.5', '20', '30'], [3, 0, 2, 4])
  expect(bandsOf(spread, 'c/lat', 5)).toEqual([
    { condition: 'c/lat >= -10 and c/lat < 20', count: 5 },
    { condition: 'c/lat >= 20 and c/lat <= 30', count: 4 },
  ])
  expect(bandsOf(spreadOf(['7', '7'], [9]), 'c/lat', 5)).toEqual([
    { condition: 'c/lat >= 7 and c/lat <= 7', count: 9 },
  ])
})

test('counts points in squares, and knows which they are', () => {
  const collection = new Collection(1)
  collection.add('rome', 41.9, 12.5)
  collection.add('vatican', 41.9, 12.45)
  collection.add('text', '1', 2)
  collection.add('nowhere', 91, 0)
  collection.add('fiji', -17, 179.99)
  const points = collection.points()
  expect(points).toMatchObject({ count: 3, area: { south: -17, north: 41.9, west: 12.45, east: 179.99 } })
  const across = acrossFor(900)
  expect(across).toBe(128)
  const grid = gridOf(points, across)
  expect([grid.bins.size, grid.most]).toEqual([2, 2])
  const bin = binNear(grid, { x: acrossOf(12.5), y: downOf(41.9) })
  expect(bin?.count).toBe(2)
  if (bin === undefined) return
  expect(idsOf(points, grid, bin, 5).toSorted()).toEqual(['rome', 'vatican'])
  expect(idsOf(points, grid, bin, 1)).toHaveLength(1)
  const { south, north, west, east } = areaOfBin(grid, bin)
  expect(south < 41.9 && 41.9 < north && west < 12.45 && 12.5 < east).toBe(true)
  // Beside the last column is the first one.
  expect(binNear(grid, { x: 0.0001, y: downOf(-17) })?.count).toBe(1)
})

test('has classes of counts without gaps', () => {
  expect(stepsOf(1)).toEqual([{ from: 1, to: 1 }])
  const steps = stepsOf(6269)
  expect(steps.at(-1)?.to).toBe(6269)
  steps.slice(1).forEach(({ from }, at) => expect(from).toBe((steps[at]?.to ?? 0) + 1))
})
