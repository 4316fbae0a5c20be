/** Completes paths: finds tags that the caller may read and namespaces that they may list, by a part of their paths. */
import { MAX_PATH_CODE_POINTS } from '../../model/name-lengths.ts'
import { foldPath } from '../../model/paths.ts'
import type { Dialect } from '../database/connection/dialects.ts'
import { join, raw, sql, type Sql } from '../database/connection/sql.ts'
import { permitEveryNamespace } from '../permissions/namespace-permissions.ts'
import { permitEveryTagValue } from '../permissions/permissions.ts'
import type { Counted } from '../search/counting.ts'
import { SHORT_MATCHES } from '../store/costs.ts'
import { SPENT, type ReadTx } from '../store/views.ts'
import type { Asking } from './recent.ts'

/** The suggestions, and whether all candidates were read. */
export interface Found<T> {
  readonly suggestions: readonly T[]
  readonly complete: boolean
}

export interface PathSuggestion extends Counted {
  readonly kind: 'tag' | 'namespace'
  readonly path: string
}

/** How many tags, and how many namespaces, are read: of those with the likeliest paths, and of all. */
const LIKELY = 2_000
const OF_ALL = 16_000
/** How many of them one statement reads. */
const PORTION = 2_000
/** Up to which number the values of a tag, or the things in a namespace, are counted. */
const COUNTED = 1_000

/** The best `limit` paths that contain `text`. */
export async function suggestPaths(
  { store, caller, signal, limit }: Asking,
  text: string,
): Promise<Found<PathSuggestion>> {
  const wanted = fold(text)
  if (cannotBeIn(wanted)) return { suggestions: [], complete: true }
  const asked = { text, wanted, limit }
  return store.look(caller, signal, (tx) => pathsIn(tx, asked))
}

interface Asked {
  readonly text: string
  /** The text in the form for comparison. */
  readonly wanted: string
  readonly limit: number
}

/**
 * The text in lower case, character by character, so that a part of a text becomes a part of it. Two capitals whose lower
 * case is an ASCII letter stay unchanged: databases, too, compare these only with themselves.
 */
const fold = (text: string): string =>
  text.replace(/(?![\u{130}\u{212a}])\p{Lu}/gu, (one) => one.toLowerCase())

/** Whether no path can contain the text. */
const cannotBeIn = (wanted: string): boolean =>
  /[^\p{L}\p{M}\p{N}_:.\-/]/u.test(wanted) || [...wanted].length > MAX_PATH_CODE_POINTS

/** A source of paths: a table, its alias, and the condition for rows that the caller may see. */
interface Source {
  readonly kind: PathSuggestion['kind']
  readonly from: Sql
  readonly alias: Sql
  readonly restriction: Sql
  readonly bound: Sql
}

const sourcesFor = <V>(tx: ReadTx<V>): Source[] => [
  {
    kind: 'tag',
    from: sql`tags t ${tx.dialect.useIndex('tags_by_path')}`,
    alias: raw('t'),
    restriction: permitEveryTagValue(tx, 'read').restriction,
    bound: raw('t.value_bound'),
  },
  {
    kind: 'namespace',
    from: sql`namespaces n ${tx.dialect.useIndex('namespaces_by_path')}`,
    alias: raw('n'),
    restriction: permitEveryNamespace(tx).restriction,
    bound: raw(String(COUNTED)),
  },
]

/** In a short view, throws `SPENT` if there are more paths than it may read. */
async function spendOn<V>(tx: ReadTx<V>, { from, alias }: Source): Promise<void> {
  if (!tx.isShort) return
  const beyond = await tx.one(sql`
    SELECT 1 AS found FROM ${from} ORDER BY ${alias}.path LIMIT 1 OFFSET ${raw(String(SHORT_MATCHES))}`)
  if (beyond !== undefined) throw SPENT
}

async function pathsIn<V>(tx: ReadTx<V>, asked: Asked): Promise<Found<PathSuggestion>> {
  const best = new Best(asked)
  let complete = true
  const sources = sourcesFor(tx)
  for (const source of sources) await spendOn(tx, source)
  for (const source of sources) {
    const begun = [`${tx.caller.username}/`, ...(asked.text === '' ? [] : [foldPath(asked.text)])]
    for (const beginning of begun) await walk(tx, source, { beginning, rows: LIKELY }, best)
    complete = (await walk(tx, source, { beginning: '', rows: OF_ALL }, best)) && complete
  }
  return { suggestions: await counted(tx, best.sorted()), complete }
}

/** Reads the first rows in the order of their paths; returns whether it reached the end. */
async function walk<V>(
  tx: ReadTx<V>,
  { kind, from, alias, restriction, bound }: Source,
  { beginning, rows }: { readonly beginning: string; readonly rows: number },
  best: Best,
): Promise<boolean> {
  let start: Buffer = Buffer.from(beginning)
  // No UTF-8 text has this octet, so all paths with the beginning are before it.
  const beyond = Buffer.concat([start, Buffer.of(0xff)])
  const likely = likelySql(tx.dialect, sql`${alias}.path`, best.asked.wanted)
  for (let left = rows; left > 0; left -= PORTION) {
    const next = await tx.one<{ path: Buffer }>(sql`
      SELECT ${alias}.path FROM ${from} WHERE ${alias}.path >= ${start} AND ${alias}.path < ${beyond}
      ORDER BY ${alias}.path LIMIT 1 OFFSET ${raw(String(PORTION))}`)
    const end = next?.path ?? beyond
    const found = await tx.all<Row>(sql`
      SELECT ${alias}.id, ${alias}.path, ${bound} AS bound FROM ${from}
      WHERE ${alias}.path >= ${start} AND ${alias}.path < ${end} AND ${likely} AND ${restriction}`)
    for (const row of found) best.offer(kind, row)
    if (next === undefined) return true
    start = end
  }
  return false
}

/** SQL that is true for every path that contains the text, and for few others: it searches for the longest part in ASCII. */
function likelySql(dialect: Dialect, path: Sql, wanted: string): Sql {
  const parts = wanted.match(/[\x20-\x7e]+/g) ?? []
  const longest = parts.reduce((a, b) => (b.length > a.length ? b : a), '')
  return longest === '' ? raw('1 = 1') : dialect.holds(path, [longest])
}

interface Row {
  readonly id: number
  readonly path: Buffer
  /** An upper bound on the number of the tag's values. */
  readonly bound: number
}

interface Candidate extends Row {
  readonly kind: PathSuggestion['kind']
  readonly text: string
  /** How many code points the path has. */
  readonly length: number
  /** Whether the text is the beginning of a name in the path. */
  readonly begins: boolean
}

/** How many candidates are in memory before all but the best are dropped. */
const HELD = 1_000

/** The best of all offered paths. */
class Best {
  readonly asked: Asked
  readonly #held = new Map<string, Candidate>()
  /** The last of the `limit` best: a candidate that is no better need not be kept. */
  #last: Candidate | undefined

  constructor(asked: Asked) {
    this.asked = asked
  }

  offer(kind: Candidate['kind'], row: Row): void {
    const text = row.path.toString()
    const folded = fold(text)
    const { wanted, limit } = this.asked
    if (!folded.includes(wanted)) return
    const begins = folded.startsWith(wanted) || folded.includes(`/${wanted}`)
    const candidate = { ...row, kind, text, length: [...text].length, begins }
    if (this.#last !== undefined && better(candidate, this.#last) > 0) return
    this.#held.set(`${kind} ${text}`, candidate)
    if (this.#held.size < HELD) return
    const best = this.sorted()
    this.#held.clear()
    for (const one of best) this.#held.set(`${one.kind} ${one.text}`, one)
    this.#last = best[limit - 1]
  }

  sorted(): Candidate[] {
    return [...this.#held.values()].sort(better).slice(0, this.asked.limit)
  }
}

const better = (a: Candidate, b: Candidate): number =>
  Number(b.begins) - Number(a.begins) ||
  a.length - b.length ||
  Buffer.compare(a.path, b.path) ||
  b.kind.localeCompare(a.kind)

/** The candidates with their counts, from one statement. */
async function counted<V>(tx: ReadTx<V>, found: readonly Candidate[]): Promise<PathSuggestion[]> {
  if (found.length === 0) return []
  const counts = found.map(
    (candidate, at) => sql`SELECT ${raw(String(at))} AS place, ${countSql(candidate)} AS n`,
  )
  const rows = await tx.all<{ place: number; n: number }>(join(counts, ' UNION ALL '))
  const numbers = new Map(rows.map(({ place, n }) => [place, n]))
  return found.map(({ kind, text: path, bound }, at) => {
    const n = numbers.get(at) ?? 0
    const exact = n <= COUNTED
    return { kind, path, count: exact ? n : bound, exact }
  })
}

const countSql = ({ kind, id }: Candidate): Sql =>
  kind === 'tag'
    ? upTo(sql`tag_values WHERE tag_id = ${id}`)
    : sql`${upTo(sql`namespaces WHERE parent_id = ${id}`)} + ${upTo(sql`tags WHERE namespace_id = ${id}`)}`

const upTo = (rows: Sql): Sql =>
  sql`(SELECT COUNT(*) FROM (SELECT 1 AS found FROM ${rows} LIMIT ${raw(String(COUNTED + 1))}) c)`
