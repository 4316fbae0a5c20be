/** Decides how the texts of a column are read. */
import type { Primitive } from './stored-values.ts'
import { typedName } from './typed-columns.ts'
import type { Reading, Tally } from './tally.ts'

/** A column with its type, and how its texts are read: as the user says, or as the first rows show. */
export function valueColumn(
  column: Pick<Primitive, 'column' | 'tag' | 'type'>,
  tally: Tally,
  given: Pick<Reading, 'null' | 'decimal'>,
): Primitive {
  const found = tally.found()
  const missing = [...(given.null ?? []), ...((found.type === column.type && found.null) || [])]
  const isNumber = column.type === 'int' || column.type === 'float'
  const decimal =
    isNumber && typedName(column.column) === undefined ? (given.decimal ?? found.decimal) : undefined
  return {
    ...column,
    ...(missing.length > 0 ? { null: missing } : {}),
    ...(decimal === undefined ? {} : { decimal }),
  }
}
