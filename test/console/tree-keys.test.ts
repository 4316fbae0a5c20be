/** The tree without a browser: its rows, and where keys lead. */
import { expect, test } from '@jest/globals'
import { moveOf } from '../../console/src/tree/keys.ts'
import { rowsOf, rowsOfMatches, type Level, type TreeState } from '../../console/src/tree/rows.ts'

const level = (more: Partial<Level>): Level => ({
  namespaces: [],
  tags: [],
  locked: new Set(),
  listed: true,
  ...more,
})

const STATE: TreeState = {
  roots: ['alice', 'bob', 'carol'],
  hasMore: false,
  levels: new Map<string, Level | Error>([
    ['alice', level({ namespaces: ['alice/books'], tags: ['alice/bed', 'alice/books'] })],
    ['bob', new Error('no answer')],
  ]),
  open: new Set(['alice', 'alice/books', 'bob']),
  shown: new Map(),
}

const shown = (state: TreeState): string[] =>
  rowsOf(state).map((row) => `${String(row.depth)} ${row.kind} ${'text' in row ? row.text : row.path}`)

test('has a row for each that is open, on its way, failed, or more than is shown', () => {
  const rows = [
    '1 namespace alice',
    '2 namespace alice/books',
    '3 note Loading …',
    '2 tag alice/bed',
    '2 tag alice/books',
    '1 namespace bob',
    '2 note no answer',
    '1 namespace carol',
  ]
  expect(shown(STATE)).toEqual(rows)
  const tags = Array.from({ length: 1000 }, (_, index) => `carol/${String(index)}`)
  const levels = new Map([...STATE.levels, ['carol', level({ tags })]])
  const open = new Set(['carol'])
  const many = shown({ ...STATE, hasMore: true, levels, open, shown: new Map([['carol', 400]]) })
  expect(many.length).toBe(3 + 400 + 1 + 1)
  expect(many.slice(-2)).toEqual(['2 more 600 more', '1 more More namespaces'])
})

test.each<[at: number, key: string, typed: string, move: ReturnType<typeof moveOf>]>([
  [0, 'ArrowDown', '', { to: 1 }],
  [7, 'ArrowDown', '', { to: 7 }],
  [0, 'ArrowUp', '', { to: 0 }],
  [0, 'End', '', { to: 7 }],
  [3, 'Home', '', { to: 0 }],
  [0, 'ArrowRight', '', { to: 1 }],
  [7, 'ArrowRight', '', { open: true }],
  [3, 'ArrowRight', '', undefined],
  [0, 'ArrowLeft', '', { open: false }],
  [3, 'ArrowLeft', '', { to: 0 }],
  [2, 'ArrowLeft', '', { to: 1 }],
  [0, 'b', '', { to: 1 }],
  [1, 'b', 'b', { to: 3 }],
  [1, 'e', 'b', { to: 3 }],
  [3, 'O', 'b', { to: 4 }],
  [5, 'z', '', undefined],
  [0, 'Enter', '', undefined],
  [0, '/', '', undefined],
])('at row %i, %j after %j', (at, key, typed, move) => {
  expect(moveOf(rowsOf(STATE), at, key, typed)).toEqual(move)
})

test('has the namespaces above what matches, each once', () => {
  const rows = rowsOfMatches([
    { kind: 'tag', path: 'a/b/c' },
    { kind: 'tag', path: 'a/b/d' },
    { kind: 'namespace', path: 'a/b/d' },
  ])
  expect(rows.map(({ depth, kind, path }) => `${String(depth)} ${kind} ${path}`)).toEqual([
    '1 namespace a',
    '2 namespace a/b',
    '3 namespace a/b/d',
    '3 tag a/b/c',
    '3 tag a/b/d',
  ])
})
