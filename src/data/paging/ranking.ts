/** Pages of a set of objects that is complete: in the order of ids, or of a tag's values. */
import { ID_BYTES } from '../database/ids/ids.ts'
import type { SortedIds } from '../database/ids/id-sets.ts'
import { sql } from '../database/connection/sql.ts'
import type { Permitted } from '../permissions/rights.ts'
import { PROBE } from '../store/costs.ts'
import type { ReadTx } from '../store/views.ts'
import { First, NO_BYTES, withTexts, type Position } from './positions.ts'

/** The part of an order to find. */
export interface Wanted {
  readonly descending: boolean
  readonly after: Position | undefined
  readonly want: number
}

/** The next ids of a set, in the order of ids. */
export function nextIds(set: SortedIds, { descending, after, want }: Wanted): Position[] {
  const [from, to] = rangeBehind(set, { descending, after: after?.id })
  const [start, end] = descending ? [Math.max(from, to - want), to] : [from, Math.min(to, from + want)]
  const ids = Array.from({ length: end - start }, (_, i) => idAt(set, start + i))
  return (descending ? ids.reverse() : ids).map((id) => ({ id, key: NO_BYTES, text: NO_BYTES }))
}

const idAt = (set: SortedIds, index: number): Buffer =>
  Buffer.from(set.bytes.subarray(index * ID_BYTES, (index + 1) * ID_BYTES))

/** The range of places in a set behind the id `after`, in a direction. */
function rangeBehind(
  set: SortedIds,
  { descending, after }: { readonly descending: boolean; readonly after: Buffer | undefined },
): [from: number, to: number] {
  if (after === undefined) return [0, set.size]
  const before = set.before(after)
  return descending ? [0, before] : [before + (set.has(after) ? 1 : 0), set.size]
}

/** The next objects of a set by the values of a tag; reads the value of each object. */
export async function ranked<V>(
  tx: ReadTx<V>,
  set: SortedIds,
  tag: Permitted<'tag-values.read', V>,
  { descending, after, want }: Wanted,
): Promise<Position[]> {
  tx.spend(set.size * PROBE)
  const first = new First(descending, { after, want })
  for (const portion of set.portions()) {
    const keys = await keysOf(tx, tag, portion)
    const positions = portion
      .each()
      .map((id): Position => ({ id: Buffer.from(id), key: keys.get(id.toString('latin1')), text: NO_BYTES }))
      .filter((position) => first.mayHold(position))
    for (const position of await withTexts(tx, tag, positions)) first.add(position)
  }
  return first.inOrder()
}

/** The next objects of a set without a value of a tag; reads only as many as this takes. */
export async function withoutValue<V>(
  tx: ReadTx<V>,
  set: SortedIds,
  tag: Permitted<'tag-values.read', V>,
  wanted: Wanted,
): Promise<Position[]> {
  tx.spend(set.size * PROBE)
  const found: Position[] = []
  let { after } = wanted
  while (found.length < wanted.want) {
    const some = nextIds(set, { ...wanted, after, want: AT_ONCE })
    const sorted = some.map(({ id }) => id).sort((a, b) => Buffer.compare(a, b))
    const keys = await keysOf(tx, tag, { bytes: Buffer.concat(sorted) })
    for (const { id } of some) {
      if (!keys.has(id.toString('latin1'))) found.push({ id, key: undefined, text: NO_BYTES })
    }
    after = some.at(-1)
    if (some.length < AT_ONCE) break
  }
  return found.slice(0, wanted.want)
}

const AT_ONCE = 1000

/** The sort keys of a tag's values, by object. */
async function keysOf<V>(
  tx: ReadTx<V>,
  tag: Permitted<'tag-values.read', V>,
  { bytes }: Pick<SortedIds, 'bytes'>,
): Promise<Map<string, Buffer>> {
  const rows = await tx.all<{ object_id: Buffer; sort_key: Buffer }>(sql`
    SELECT object_id, sort_key FROM tag_values ${tx.dialect.useIndex('PRIMARY')}
    WHERE tag_id = ${tag.id} AND object_id IN (${tx.dialect.inIds(bytes)})`)
  return new Map(rows.map((row) => [row.object_id.toString('latin1'), row.sort_key]))
}
