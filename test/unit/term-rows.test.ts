/** Rows of terms: which a change removes and adds, in an order that all writers share. */
import { expect, test } from '@jest/globals'
import { termBytes, type Term } from '../../src/data/values/terms.ts'
import { TermRows } from '../../src/data/rows/term-rows.ts'

function atOnce<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

const [FIRST, LAST] = [Buffer.alloc(16, 0x01), Buffer.alloc(16, 0xfe)]

const numbered = (from: number, to: number): Term[] =>
  Array.from({ length: to - from }, (_, i) => `w${String(from + i)}` as Term)

function rowsOf(...portions: Term[][]): TermRows {
  const rows = new TermRows(300)
  for (const terms of portions) rows.add(LAST, terms)
  return rows
}

const listed = (rows: TermRows) => [...rows.groups(atOnce(rows.inOrder()))].flatMap((group) => group.rows)
const termsOf = (rows: TermRows): string[] => listed(rows).map(({ term }) => String(term))

test('a row has the tag, the term and the object', () => {
  const term = 'w\xff\0' as Term
  expect(listed(rowsOf([term]))).toEqual([{ tag_id: 300, term: Buffer.of(0x77, 0xff, 0), object_id: LAST }])
})

test('each row is there once, in order, in several parts if they are many', () => {
  const many = rowsOf(numbered(20_000, 50_000), numbered(0, 30_000), numbered(7, 8))
  expect(atOnce(many.inOrder()).length).toBeGreaterThan(3)
  expect(termsOf(many)).toEqual(numbered(0, 50_000).sort())
})

test('rows are in the order of terms, then of objects', () => {
  const rows = new TermRows(300)
  const [a, ab] = ['wa', 'wab'] as Term[] as [Term, Term]
  for (const object of [FIRST, LAST]) for (const terms of [[ab, a], [ab]]) rows.add(object, terms)
  expect(listed(rows)).toEqual(
    [a, ab].flatMap((term) =>
      [FIRST, LAST].map((object) => ({ tag_id: 300, term: termBytes(term), object_id: object })),
    ),
  )
})

test('what two sets have in common is in neither afterwards', () => {
  const [old, fresh] = [rowsOf(numbered(0, 20_000)), rowsOf(numbered(15_000, 40_000))]
  old.add(FIRST, numbered(15_000, 15_001))
  atOnce(old.without(fresh))
  expect(termsOf(old)).toEqual(numbered(0, 15_001).sort())
  expect(termsOf(fresh)).toEqual(numbered(20_000, 40_000).sort())
})
