/** Walks along the values of a tag in their order, from any position, and keeps the objects that belong on a page. */
import type { IdSet } from '../database/ids/id-sets.ts'
import { join, raw, sql, type Sql } from '../database/connection/sql.ts'
import type { Permitted } from '../permissions/rights.ts'
import { chainOf, type Clause } from '../search/clauses.ts'
import { stopPointOf } from '../search/conditions.ts'
import type { ReadTx } from '../store/views.ts'
import { afterHead, First, headOf, isLong, NO_BYTES, withTexts, type Position } from './positions.ts'

/** The test whether an object belongs on the page: a set, or SQL that is true for its row `d`. */
export type Membership =
  | { readonly set: IdSet }
  | {
      readonly test: Sql
      /** How many lookups the test takes. */
      readonly probes: number
      /** A condition that every passing row of the tag meets, so that the walk can begin and end there. */
      readonly within?: Sql | undefined
    }

export interface Walk<V> {
  readonly tag: Permitted<'tag-values.read', V>
  readonly descending: boolean
  readonly after: Position | undefined
  /** How many positions are wanted. */
  readonly want: number
  readonly belongs: Membership
  /** The estimated number of rows for these positions, for the first statement. */
  readonly about: number
  /** The number of rows after which the walk gives up. */
  readonly budget: number
  /** Whether to go on at long strings that begin alike: the walk has to read all of them. */
  readonly passLong: boolean
}

/** Positions in order; fewer than wanted only if there are no more; undefined if the walk gave up. */
export async function walkSorted<V>(tx: ReadTx<V>, walk: Walk<V>): Promise<Position[] | undefined> {
  const { want, budget, about } = walk
  const found: Position[] = []
  let visited = 0
  let atOnce = Math.min(Math.max(Math.ceil(about), want, LEAST_AT_ONCE), MOST_AT_ONCE)
  let edge: Edge | undefined = startOf(walk)
  while (found.length < want && edge !== undefined) {
    if (visited > budget || (edge.head !== undefined && !walk.passLong)) return undefined
    const step: Step = await stepFrom(tx, walk, edge, { atOnce, want: want - found.length })
    found.push(...step.found)
    visited += step.visited
    edge = step.next
    atOnce = Math.min(atOnce * 2, MOST_AT_ONCE)
  }
  return found.slice(0, want)
}

/** The results of one or a few statements, and the place to go on; undefined at the end. */
interface Step {
  readonly found: readonly Position[]
  readonly visited: number
  readonly next: Edge | undefined
}

function startOf<V>({ after }: Walk<V>): Edge {
  if (after?.key === undefined) return {}
  return isLong(after.key) ? { head: headOf(after.key) } : { key: after.key, id: after.id }
}

/** The next rows, up to the first long string; or the long strings that begin alike, if those are next. */
async function stepFrom<V>(
  tx: ReadTx<V>,
  walk: Walk<V>,
  edge: Edge,
  { atOnce, want }: { readonly atOnce: number; readonly want: number },
): Promise<Step> {
  if (edge.head !== undefined) return longStrings(tx, walk, edge.head, want)
  const rows = await rowsFrom(tx, walk, { edge, atOnce })
  const cut = rows.findIndex(({ sort_key }) => isLong(sort_key))
  const [long, last] = [rows[cut], rows.at(-1)]
  const plain = cut < 0 ? rows : rows.slice(0, cut)
  const found = plain.filter((row) => isMember(walk.belongs, row)).map(positionOf)
  if (long !== undefined) return { found, visited: rows.length, next: { head: headOf(long.sort_key) } }
  const isEnd = last === undefined || rows.length < atOnce
  const next = isEnd ? undefined : { key: last.sort_key, id: last.object_id }
  return { found, visited: rows.length, next }
}

/** How many rows one statement reads. */
const LEAST_AT_ONCE = 50
const MOST_AT_ONCE = 8192

/**
 * The place from which to read rows: behind the row with this key and id, or behind all rows with a key; at the long strings
 * with this head; else from the start.
 */
interface Edge {
  readonly head?: Buffer
  readonly key?: Buffer
  readonly id?: Buffer
}

interface Row {
  readonly object_id: Buffer
  readonly sort_key: Buffer
  readonly matches: number
}

const positionOf = ({ object_id, sort_key }: Row): Position => ({
  id: object_id,
  key: sort_key,
  text: NO_BYTES,
})

const isMember = (belongs: Membership, row: Row): boolean =>
  'set' in belongs ? belongs.set.has(row.object_id) : row.matches === 1

/**
 * The next rows. A separate statement reads the rest of the rows with the edge's key: neither `(a, b) > (?, ?)` nor `a > ?
 * OR …` makes every database use the index.
 */
async function rowsFrom<V>(tx: ReadTx<V>, walk: Walk<V>, { edge, atOnce, until }: Rows): Promise<Row[]> {
  const { key, id } = edge
  const beyond = raw(walk.descending ? '<' : '>')
  const rows =
    key === undefined || id === undefined
      ? []
      : await someRows(tx, walk, sql`AND d.sort_key = ${key} AND d.object_id ${beyond} ${id}`, atOnce)
  if (rows.length === atOnce) return rows
  const behind = key === undefined ? [] : [sql`AND d.sort_key ${beyond} ${key}`]
  const where = join(until === undefined ? behind : [...behind, until], ' ')
  return [...rows, ...(await someRows(tx, walk, where, atOnce - rows.length))]
}

interface Rows {
  readonly edge: Edge
  readonly atOnce: number
  /** The condition that ends them. */
  readonly until?: Sql
}

function someRows<V>(
  tx: ReadTx<V>,
  { tag, descending, belongs }: Walk<V>,
  where: Sql,
  limit: number,
): Promise<Row[]> {
  const direction = raw(descending ? 'DESC' : 'ASC')
  const [matches, within] =
    'set' in belongs
      ? [raw('1'), undefined]
      : [sql`CASE WHEN ${belongs.test} THEN 1 ELSE 0 END`, belongs.within]
  return tx.all<Row>(sql`
    SELECT d.object_id, d.sort_key, ${matches} AS matches
    FROM tag_values d ${tx.dialect.useIndex('tag_values_by_value')}
    WHERE d.tag_id = ${tag.id} ${where} ${within === undefined ? raw('') : sql`AND ${within}`}
      ${stopPointOf(tx.dialect, limit, 'set' in belongs ? 0 : belongs.probes)}
    ORDER BY d.sort_key ${direction}, d.object_id ${direction} LIMIT ${raw(String(limit))}`)
}

/**
 * The first `want` of the strings that begin with the 24 octets in `head` and are longer. Their keys do not order them, so
 * this has to read all of them, even if few are wanted.
 */
async function longStrings<V>(tx: ReadTx<V>, walk: Walk<V>, head: Buffer, want: number): Promise<Step> {
  const { tag, descending, after } = walk
  const first = new First(descending, { after, want })
  const end = afterHead(head)
  const until = descending ? sql`AND d.sort_key > ${head}` : sql`AND d.sort_key < ${end}`
  let visited = 0
  let edge: Edge | undefined = { key: descending ? end : head }
  while (edge !== undefined) {
    const rows: Row[] = await rowsFrom(tx, walk, { edge, atOnce: MOST_AT_ONCE, until })
    visited += rows.length
    const members = rows.filter((row) => isMember(walk.belongs, row)).map(positionOf)
    const candidates = members.filter((position) => first.mayHold(position))
    for (let at = 0; at < candidates.length; at += TEXTS_AT_ONCE) {
      const some = await withTexts(tx, tag, candidates.slice(at, at + TEXTS_AT_ONCE))
      for (const position of some) first.add(position)
    }
    const last = rows.at(-1)
    edge = last && rows.length === MOST_AT_ONCE ? { key: last.sort_key, id: last.object_id } : undefined
  }
  // In descending order, the string that is exactly `head` is next.
  const next = { key: descending ? Buffer.concat([head, Buffer.of(0)]) : end }
  return { found: first.inOrder(), visited, next }
}

/** How many strings' beginnings are in memory at once: each octet of text takes six octets of JSON. */
const TEXTS_AT_ONCE = 1000

/** A condition that every match's row of a tag meets: the comparisons that ask for one range of its values. */
export function rangesOn<V>(clause: Clause<V>, tagId: number): Sql | undefined {
  const ranges = chainOf(clause).all.flatMap((operand) =>
    operand.kind === 'rows' &&
    operand.tag.id === tagId &&
    'keys' in operand.asked &&
    operand.asked.keys.length === 1
      ? [operand.where(raw('d'))]
      : [],
  )
  return ranges.length === 0 ? undefined : join(ranges, ' AND ')
}

/** Whether every match of a clause has a value of a tag, because the clause asks for one. */
export const haveAll = <V>(clause: Clause<V>, tagId: number): boolean =>
  chainOf(clause).all.some((operand) => 'tag' in operand && operand.tag.id === tagId)
