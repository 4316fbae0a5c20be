/** Decides how the texts of a column are read. */
import type { Decimal } from './numbers.ts'
import type { Primitive } from './stored-values.ts'
import { typedName } from './typed-columns.ts'
import type { Reading, Tally } from './tally.ts'

/**
 * A column with its type, and how its texts are read: as the user says, or as the first rows show. `isChosen`: the user
 * chose the type, so that a text that does not fit it is refused.
 */
export function valueColumn(
  column: Pick<Primitive, 'column' | 'tag' | 'type'>,
  tally: Tally,
  given: Pick<Reading, 'null' | 'decimal'>,
  isChosen = false,
): Primitive {
  const missing = [...(given.null ?? []), ...(isChosen ? [] : guessedMissing(column, tally))]
  const decimal = decimalOf(column, tally, given)
  return {
    ...column,
    ...(missing.length > 0 ? { null: missing } : {}),
    ...(decimal === undefined ? {} : { decimal }),
  }
}

function guessedMissing({ type }: Pick<Primitive, 'type'>, tally: Tally): readonly string[] {
  const found = tally.found()
  return found.type === type ? (found.null ?? []) : []
}

function decimalOf(
  { column, type }: Pick<Primitive, 'column' | 'type'>,
  tally: Tally,
  given: Pick<Reading, 'decimal'>,
): Decimal | undefined {
  if ((type !== 'int' && type !== 'float') || typedName(column) !== undefined) return undefined
  return given.decimal ?? tally.found().decimal
}
