/** The rows of terms that the values of a tag must have. */
import { portionsOf, sql } from '../database/connection/sql.ts'
import { termBytes, type Term } from '../values/terms.ts'
import type { TagValue } from '../../model/tag-value.ts'
import { TERMS } from '../store/tables.ts'
import type { ReadTx, WriteTx } from '../store/views.ts'
import { termsInPortions } from '../values/encoding.ts'
import { contentOf, VALUE_COLUMNS, type ValueRow } from '../values/reading.ts'
import { rowsIn } from './cursor.ts'
import type { DerivedRows, Difference, RowText } from './derived-rows.ts'
import { changes, placeText, type Repair } from './findings.ts'
import { StoredValues, valueOf } from './stored-values.ts'

/** A row of `terms`. */
export interface TermRow {
  readonly tag_id: number
  readonly term: Buffer
  readonly object_id: Buffer
}

/** The terms of a value under a tag that is indexed or not, without repetitions. */
export function* termsOf(value: TagValue, indexed: boolean): Generator<Term> {
  if (value.type !== 'string' && value.type !== 'list-of-strings') return
  const seen = new Set<Term>()
  for (const terms of termsInPortions(value, indexed)) {
    for (const term of terms) {
      if (seen.has(term)) continue
      seen.add(term)
      yield term
    }
  }
}

/** The terms that a tag must have, and its stored terms. */
export const termRowsOfTag = <V>(tx: ReadTx<V>, tagId: number, indexed: boolean): DerivedRows => ({
  rule: 'terms',
  async expected(take, skip) {
    const stored = await StoredValues.open(tx, tagId)
    for await (const { row, content } of stored.of(tagId)) {
      const value = content === undefined ? undefined : valueOf(row, content)
      if (value === undefined) skip(row.object_id)
      else for (const term of termsOf(value, indexed)) take(row.object_id, term)
    }
  },
  async stored(take) {
    const listing = { table: TERMS.name, columns: TERMS.columns, key: ['term', 'object_id'], tagId }
    for await (const row of rowsIn<TermRow, V>(tx, listing)) take(row.object_id, row.term.toString('latin1'))
  },
  name: (object, { missing, surplus }) =>
    `${placeText(tagId, object)}: ${String(missing.size)} missing, ${String(surplus.length)} too many`,
  repair: (object, difference) => repairing(tagId, indexed, object, difference),
})

const repairing =
  (tagId: number, indexed: boolean, object: Buffer, { missing, surplus }: Difference): Repair =>
  async (tx) => {
    const row = await tx.one<ValueRow>(sql`
      SELECT ${VALUE_COLUMNS} FROM tag_values v WHERE v.tag_id = ${tagId} AND v.object_id = ${object} ${tx.lock}`)
    const value = row === undefined ? undefined : valueOf(row, await contentOf(tx, row))
    // The value may have been written meanwhile; then its terms were, too.
    const now = new Set<RowText>(value === undefined ? [] : termsOf(value, indexed))
    const gone = surplus.filter((term) => !now.has(term)).map((term) => rowOf(tagId, object, term))
    const rows = [...missing].filter((term) => now.has(term)).map((term) => rowOf(tagId, object, term))
    await tx.insert(TERMS, rows, tx.dialect.ignoreExisting(TERMS.key))
    return (await deleteTerms(tx, gone)) || rows.length > 0
  }

const rowOf = (tagId: number, object: Buffer, term: RowText) => ({
  tag_id: tagId,
  term: termBytes(term as Term),
  object_id: object,
})

async function deleteTerms<V>(tx: WriteTx<V>, rows: readonly TermRow[]): Promise<boolean> {
  let deleted = false
  for (const some of portionsOf(rows)) {
    const keys = some.map((row) => [row.tag_id, row.term, row.object_id])
    const statement = sql`DELETE FROM terms WHERE (tag_id, term, object_id) IN (${tx.dialect.inRows(keys)})`
    deleted = (await changes(tx, statement)) || deleted
  }
  return deleted
}
