/** The map finds who imports whom, levels and cycles, in files that are made up. */
import { expect, test } from '@jest/globals'
import { cyclesOf, drawn, faultsOf, levelsOf, graphOf, roomOf, roomsOf } from '../../scripts/map.ts'

const files = (texts: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(texts).map(([file, text]) => [`src/${file}`, `${text}\n`]))

const shelf = files({
  'main.ts': `import { serve } from './http/serve.ts'`,
  'http/serve.ts': `import express from 'express'
import { find } from '../data/find.ts'`,
  'data/find.ts': `export { sql } from './sql.ts'
export type Found = import('./rows.ts').Row`,
  'data/sql.ts': `const rows = await import('./rows.ts')`,
  'data/rows.ts': `import type { Path } from '../paths.ts'
import { type Path } from '../paths.ts'`,
  'paths.ts': ``,
})

test('imports of every form are arrows, and those of packages are none', () => {
  const arrows = [...graphOf(shelf)].map(([from, to]) => [from, ...to])
  expect(arrows).toEqual([
    ['src/main.ts', 'src/http/serve.ts'],
    ['src/http/serve.ts', 'src/data/find.ts'],
    ['src/data/find.ts', 'src/data/sql.ts', 'src/data/rows.ts'],
    ['src/data/sql.ts', 'src/data/rows.ts'],
    ['src/data/rows.ts', 'src/paths.ts'],
    ['src/paths.ts'],
  ])
})

test('levels are the longest chain of imports', () => {
  expect([...levelsOf(graphOf(shelf))].sort((a, b) => a[1] - b[1])).toEqual([
    ['src/paths.ts', 1],
    ['src/data/rows.ts', 2],
    ['src/data/sql.ts', 3],
    ['src/data/find.ts', 4],
    ['src/http/serve.ts', 5],
    ['src/main.ts', 6],
  ])
})

test('the map is drawn from the top down', () => {
  expect(drawn(shelf)).toEqual([
    'from the top down     files  lines levels arrows   imports',
    'main                      1      1      1      0   http 1',
    'http                      1      2      1      0   data 1',
    'data                      3      5      3      3   paths 1',
    'paths                     1      1      1      0',
    '',
    'src/**                    6      9      6      6',
    '',
    'rooms: 4 on 4 levels, 3 arrows between them',
    'cycles of files: 0, of rooms: 0',
  ])
})

const circular = files({
  'store/store.ts': `import type { Kind } from './kinds.ts'`,
  'store/kinds.ts': `import type { Store } from './store.ts'`,
  'http/reply.ts': `import type { Value } from '../data/values.ts'`,
  'http/send.ts': ``,
  'data/values.ts': `import { send } from '../http/send.ts'
import type { Store } from '../store/store.ts'`,
})
const FILES = 'a cycle: src/store/kinds.ts, src/store/store.ts'
const ROOMS = 'a cycle: src/data, src/http'

test('cycles are found, of types as well, and of rooms whose files make none', () => {
  const graph = graphOf(circular)
  expect(cyclesOf(graph)).toEqual([['src/store/kinds.ts', 'src/store/store.ts']])
  expect(cyclesOf(roomsOf(graph))).toEqual([['src/data', 'src/http']])
  expect(faultsOf(graph)).toEqual([FILES, ROOMS])
  expect(levelsOf(graph).get('src/data/values.ts')).toBe(2)
})

test.each([
  ['src/app.ts', 'src/app.ts'],
  ['src/data/store/store.ts', 'src/data/store'],
  ['common/values.ts', 'common/values.ts'],
  ['console/src/main.tsx', 'console/src/main.tsx'],
  ['console/src/edit/draft.ts', 'console/src/edit'],
  ['command/running/doctor/finding.ts', 'command/running/doctor'],
])('%s is in the room %s', (file, room) => {
  expect(roomOf(file)).toBe(room)
})
