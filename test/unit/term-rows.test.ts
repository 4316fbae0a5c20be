/** Rows of terms: which a change removes and adds, in an order that all writers share. */
import { expect, test } from '@jest/globals'
import { idBytes, idText, type ObjectId } from '../../src/data/database/ids.ts'
import { termBytes, type Term } from '../../src/data/database/terms.ts'
import { TermRows } from '../../src/data/values/term-rows.ts'
import { atOnce } from '../../src/turns.ts'

const TAG = { id: 300 }
const [FIRST, LAST] = [0x01, 0xfe].map((octet) => idText(Buffer.alloc(16, octet))) as [ObjectId, ObjectId]

const numbered = (from: number, to: number): Term[] =>
  Array.from({ length: to - from }, (_, i) => `w${String(from + i)}` as Term)

function rowsOf(...portions: Term[][]): TermRows {
  const rows = new TermRows(800_000)
  atOnce(rows.add({ tag: TAG, object: LAST }, portions))
  return rows
}

const listed = (rows: TermRows) => [...rows.rows(atOnce(rows.inOrder()))]
const termsOf = (rows: TermRows): string[] => listed(rows).map(({ term }) => String(term))

test('a row has the tag, the term and the object', () => {
  const term = 'w\xff\0' as Term
  expect(listed(rowsOf([term]))).toEqual([
    { tag_id: 300, term: Buffer.of(0x77, 0xff, 0), object_id: idBytes(LAST) },
  ])
})

test('each row is there once, in order, in several parts if they are many', () => {
  const many = rowsOf(numbered(20_000, 50_000), numbered(0, 30_000), numbered(7, 8))
  expect(atOnce(many.inOrder()).length).toBeGreaterThan(3)
  expect(termsOf(many)).toEqual(numbered(0, 50_000).sort())
})

test('rows are in the order of tags, then of terms, then of objects', () => {
  const rows = new TermRows(100)
  const [a, ab] = ['wa', 'wab'] as Term[] as [Term, Term]
  for (const object of [FIRST, LAST]) atOnce(rows.add({ tag: TAG, object }, [[ab, a], [ab]]))
  atOnce(rows.add({ tag: { id: 2 }, object: LAST }, [[ab]]))
  expect(listed(rows)).toEqual([
    { tag_id: 2, term: termBytes(ab), object_id: idBytes(LAST) },
    ...[a, ab].flatMap((term) =>
      [FIRST, LAST].map((object) => ({ tag_id: 300, term: termBytes(term), object_id: idBytes(object) })),
    ),
  ])
})

test('what two sets have in common is in neither afterwards', () => {
  const [old, fresh] = [rowsOf(numbered(0, 20_000)), rowsOf(numbered(15_000, 40_000))]
  atOnce(old.add({ tag: TAG, object: FIRST }, [numbered(15_000, 15_001)]))
  atOnce(old.without(fresh))
  expect(termsOf(old)).toEqual(numbered(0, 15_001).sort())
  expect(termsOf(fresh)).toEqual(numbered(20_000, 40_000).sort())
})
