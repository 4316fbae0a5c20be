/** Rows are unchanged after passing between threads. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { packCells, packRows, unpackCells, unpackRows } from '../../src/data/database/threads/row-codec.ts'

const bytes = fc.uint8Array({ maxLength: 40 }).map((octets) => Buffer.from(octets))
const cell = fc.oneof(fc.double({ noNaN: true }), fc.constant(null), bytes)
const row = fc.record({ tag_id: cell, object_id: cell, content: cell })

test('numbers, bytes and NULL are unchanged', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      expect(unpackRows(structuredClone(packRows(rows)))).toEqual(rows)
    }),
  )
})

test('text becomes its bytes', () => {
  expect(unpackRows(packRows([{ path: 'münchen' }]))).toEqual([{ path: Buffer.from('münchen') }])
})

test('bytes are copied, not shared', () => {
  const content = Buffer.from('before')
  const packed = packRows([{ content }])
  content.write('after!')
  expect(unpackRows(packed)).toEqual([{ content: Buffer.from('before') }])
})

test('cells that are the very same as those above are unchanged, and take no memory', () => {
  const [term, id] = [Buffer.from('wobject'), Buffer.from('an id')]
  const cells = [4, term, id, null, term, id, 4, term, 'text', 4, id, 'text']
  const packed = packCells(cells, 3)
  expect(packed.bytes.length).toBe(7 + 5 + 4 + 5)
  const bytes = cells.map((cell) => (typeof cell === 'string' ? Buffer.from(cell) : cell))
  expect(unpackCells(structuredClone(packed), 3)).toEqual(bytes)
})
