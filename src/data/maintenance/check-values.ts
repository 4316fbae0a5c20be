/** Checks values, their parts and their terms against each other and against their tags, in one pass over all of them. */
import { raw, sql } from '../database/connection/sql.ts'
import { TERMS } from '../store/tables.ts'
import type { ReadTx } from '../store/views.ts'
import type { TagValue } from '../../model/tag-value.ts'
import { INLINE_BYTES, sortKey, typeCode } from '../values/encoding.ts'
import { Cursor } from './cursor.ts'
import { BucketSums, explain } from './derived-rows.ts'
import { changes, placeText, type Findings, type Repair } from './findings.ts'
import { StoredValues, valueOf, type Stored, type StoredRow } from './stored-values.ts'
import { termRowsOfTag, termsOf, type TermRow } from './tag-terms.ts'

/** The columns of a tag that the check of its values needs. */
interface CheckedTag {
  readonly id: number
  readonly indexed: number
  readonly value_bound: number
}

/** The highest ids that values, and the remains of deleted tags, refer to. */
export interface HighestIds {
  readonly user: number
  readonly tag: number
}

/** The tables that the pass over all values reads side by side, in the order of tags. */
interface Pass<V> {
  readonly tx: ReadTx<V>
  readonly findings: Findings
  readonly tags: Cursor<CheckedTag>
  readonly stored: StoredValues
  readonly terms: Cursor<TermRow>
  /** Used for one tag after the other: new sums would take 16 KiB for each tag. */
  readonly sums: BucketSums
  readonly purging: ReadonlySet<number>
  readonly highest: { user: number; tag: number }
}

/** Checks all values; returns the highest ids in them. */
export async function checkValues<V>(tx: ReadTx<V>, findings: Findings): Promise<HighestIds> {
  const purges = await tx.all<{ tag_id: number }>(sql`SELECT tag_id FROM tag_purges`)
  const pass: Pass<V> = {
    tx,
    findings,
    tags: await Cursor.open<CheckedTag, V>(tx, {
      table: 'tags',
      columns: ['id', 'indexed', 'value_bound'],
      key: ['id'],
    }),
    stored: await StoredValues.open(tx),
    terms: await Cursor.open<TermRow, V>(tx, { table: TERMS.name, columns: TERMS.columns, key: TERMS.key }),
    sums: new BucketSums(),
    purging: new Set(purges.map((row) => row.tag_id)),
    highest: { user: 0, tag: 0 },
  }
  for (let id = nextTag(pass); id !== undefined; id = nextTag(pass)) {
    pass.highest.tag = id
    const tag = pass.tags.head
    if (tag?.id === id) {
      await checkTag(pass, tag)
      await pass.tags.advance()
    } else {
      await checkRemains(pass, id)
    }
  }
  return pass.highest
}

function nextTag<V>({ tags, stored, terms }: Pass<V>): number | undefined {
  const ids = [tags.head?.id, stored.tagId, terms.head?.tag_id].filter((id) => id !== undefined)
  return ids.length === 0 ? undefined : Math.min(...ids)
}

async function checkTag<V>(
  { tx, findings, stored, terms, sums, highest }: Pass<V>,
  tag: CheckedTag,
): Promise<void> {
  sums.clear()
  const indexed = tag.indexed === 1
  let count = 0
  for await (const value of stored.of(tag.id, (part) => strayPart(findings, part))) {
    count += 1
    highest.user = Math.max(highest.user, value.row.user_id)
    await checkSize(findings, value)
    const known = await checkContent(findings, value)
    if (known !== undefined)
      for (const term of termsOf(known, indexed)) sums.add(value.row.object_id, term, 1)
  }
  await checkBound(findings, tag, count)
  let rows = 0
  for (let row = terms.head; row?.tag_id === tag.id; row = terms.head) {
    rows += 1
    sums.add(row.object_id, row.term.toString('latin1'), -1)
    const pending = terms.advance()
    if (pending !== undefined) await pending
  }
  findings.checked('orphans', count + rows)
  findings.checked('terms', rows)
  await explain(findings, termRowsOfTag(tx, tag.id, indexed), sums)
}

async function checkBound(findings: Findings, tag: CheckedTag, count: number): Promise<void> {
  findings.checked('bounds')
  const { id, value_bound: bound } = tag
  if (count <= bound) return
  await findings.broken(
    'bounds',
    `tag ${String(id)}: ${String(count)} values, bound ${String(bound)}`,
    (tx) =>
      // Adds the difference: another process may have raised the bound meanwhile.
      changes(tx, sql`UPDATE tags SET value_bound = value_bound + ${count - bound} WHERE id = ${id}`),
  )
}

async function checkSize(findings: Findings, { row, content, parts }: Stored): Promise<void> {
  findings.checked('sizes')
  const inRow = row.content !== null
  if (inRow && parts > 0) {
    await findings.broken('sizes', `${rowName(row)}: short, but has ${String(parts)} parts`, (tx) =>
      changes(
        tx,
        sql`DELETE FROM value_parts WHERE ${at(row)} AND EXISTS (
          SELECT 1 FROM tag_values v WHERE v.tag_id = ${row.tag_id} AND v.object_id = ${row.object_id}
          AND v.content IS NOT NULL)`,
      ),
    )
  } else if (content === undefined) {
    await findings.broken('sizes', `${rowName(row)}: ${String(row.size)} octets, but not all parts of them`)
  } else if (content.length !== row.size) {
    await findings.broken(
      'sizes',
      `${rowName(row)}: ${String(content.length)} octets, stored as ${String(row.size)}`,
      setting(row, 'size', content.length),
    )
  } else if (inRow !== content.length <= INLINE_BYTES) {
    await findings.broken(
      'sizes',
      `${rowName(row)}: ${String(row.size)} octets ${inRow ? 'in' : 'beside'} the row`,
    )
  }
}

/** Returns the value if its content can be read. */
async function checkContent(findings: Findings, { row, content }: Stored): Promise<TagValue | undefined> {
  findings.checked('contents')
  findings.checked('sort keys')
  // A value without its whole content breaks another rule.
  if (content === undefined) return undefined
  const value = valueOf(row, content)
  if (value === undefined) {
    await findings.broken('contents', `${rowName(row)}: not canonical for type ${String(row.type)}`)
    return undefined
  }
  const type = typeCode(value.type)
  if (type !== row.type) {
    const example = `${rowName(row)}: type ${String(type)}, stored as ${String(row.type)}`
    await findings.broken('contents', example, setting(row, 'type', type))
  }
  const key = sortKey(value)
  if (!key.equals(row.sort_key))
    await findings.broken('sort keys', rowName(row), setting(row, 'sort_key', key))
  return value
}

/** Sets a column of a value, unless the value was written meanwhile. */
const setting =
  (row: StoredRow, column: 'type' | 'size' | 'sort_key', value: number | Buffer): Repair =>
  (tx) =>
    changes(
      tx,
      sql`UPDATE tag_values SET ${raw(column)} = ${value} WHERE ${at(row)} AND updated_at = ${row.updated_at}`,
    )

type RowKey = Pick<StoredRow, 'tag_id' | 'object_id'>

const at = ({ tag_id: tagId, object_id: object }: RowKey) => sql`tag_id = ${tagId} AND object_id = ${object}`

const rowName = ({ tag_id: tagId, object_id: object }: RowKey): string => placeText(tagId, object)

async function strayPart(findings: Findings, part: RowKey & { readonly part: number }): Promise<void> {
  findings.checked('orphans')
  await findings.broken('orphans', `${rowName(part)}: part ${String(part.part)} without a value`, (tx) =>
    changes(
      tx,
      sql`DELETE FROM value_parts WHERE ${at(part)} AND part = ${part.part} AND NOT EXISTS (
        SELECT 1 FROM tag_values v WHERE v.tag_id = ${part.tag_id} AND v.object_id = ${part.object_id})`,
    ),
  )
}

/** Passes over the remains of a tag that does not exist. They break a rule unless the tag is being purged. */
async function checkRemains<V>(
  { findings, stored, terms, purging, highest }: Pass<V>,
  id: number,
): Promise<void> {
  let rows = 0
  const count = (): Promise<void> => {
    rows += 1
    return Promise.resolve()
  }
  for await (const { row } of stored.of(id, count)) {
    rows += 1
    highest.user = Math.max(highest.user, row.user_id)
  }
  for (; terms.head?.tag_id === id; rows++) await terms.advance()
  findings.checked('orphans', rows)
  if (purging.has(id)) {
    findings.remains('orphans', rows)
    return
  }
  await findings.broken('orphans', `tag ${String(id)}: ${String(rows)} rows, but no such tag`, async (tx) => {
    const known = await tx.one(sql`
      SELECT id FROM tags WHERE id = ${id} UNION ALL SELECT tag_id FROM tag_purges WHERE tag_id = ${id}`)
    if (known !== undefined) return false
    const end = tx.dialect.ignoreExisting(['tag_id'])
    return changes(tx, sql`INSERT INTO tag_purges (tag_id, deleted_at) VALUES (${id}, ${tx.now}) ${end}`)
  })
}
