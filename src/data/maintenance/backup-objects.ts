/** The records of a backup for objects: their values, with the times and writers of these. */
import {
  numberIn,
  type KeptObject,
  type KeptOpaque,
  type Primitive,
  type Written,
} from '../../copy/records.ts'
import type { TagValue } from '../../model/tag-value.ts'
import { idText, isSameId } from '../database/ids/ids.ts'
import { SYSTEM_TAGS } from '../store/tables.ts'
import type { ReadTx } from '../store/views.ts'
import { contentsInParts, type ValueRow } from '../values/reading.ts'
import { rowsIn } from './cursor.ts'
import { placeText } from './findings.ts'
import { valueOf } from './stored-values.ts'
import { portionsIn } from './things.ts'

type Row = ValueRow & { readonly user_id: number }

/** The values, object by object. Ids ascend with time, so the values of a tag are read about in the order of its rows. */
const LISTING = {
  table: 'tag_values',
  columns: ['object_id', 'tag_id', 'type', 'content', 'size', 'content_type', 'updated_at', 'user_id'],
  key: ['object_id', 'tag_id'],
  index: 'tag_values_by_object',
}

/** The objects with values of these tags. Adds values that are damaged to `leftOut`. */
export async function* objectsIn<V>(
  tx: ReadTx<V>,
  tags: ReadonlyMap<number, string>,
  leftOut: string[],
): AsyncGenerator<KeptObject | KeptOpaque> {
  let object: OneObject | undefined
  for await (const { row, value } of valuesIn(tx, tags)) {
    if (typeof value === 'string') {
      leftOut.push(`${placeText(row.tag_id, row.object_id)}: ${value}`)
      continue
    }
    if (object === undefined || !isSameId(object.id, row.object_id)) {
      if (object !== undefined) yield* object.records()
      object = new OneObject(row.object_id)
    }
    object.add(tags.get(row.tag_id) ?? '', row, value)
    if (object.octets >= LARGE) yield* object.records()
  }
  if (object !== undefined) yield* object.records()
}

/** The values of these tags, or what is wrong with them; the remains of deleted tags are not kept. */
async function* valuesIn<V>(
  tx: ReadTx<V>,
  tags: ReadonlyMap<number, string>,
): AsyncGenerator<{ readonly row: Row; readonly value: TagValue | string }> {
  for await (const rows of portionsIn(rowsIn<Row, V>(tx, LISTING))) {
    const kept = rows.filter((row) => tags.has(row.tag_id))
    const inParts = contentsInParts(
      tx,
      kept.filter((row) => row.content === null),
    )
    for (const row of kept) {
      const content = row.content ?? (await inParts(row))
      const isWhole = row.content !== null || content.length === row.size
      const value = isWhole
        ? (valueOf(row, content) ?? 'its content is not one of its type')
        : 'parts of it are missing'
      yield { row, value }
    }
  }
}

/** The octets of values from which an object gets several records. */
const LARGE = 1024 * 1024

/** The values of an object that no record has yet. */
class OneObject {
  readonly id: Buffer
  octets = 0
  #name: KeptObject['object']
  #more: { readonly more?: true } = {}
  #values: Record<string, Primitive> = {}
  #written: Record<string, Written> = {}
  #opaque: KeptOpaque[] = []

  constructor(id: Buffer) {
    this.id = id
    this.#name = { id: idText(id) }
  }

  add(tag: string, { tag_id: tagId, size, updated_at: at, user_id: by }: Row, value: TagValue): void {
    if (value.type === 'opaque') {
      const { contentType: type, bytes: octets } = value
      this.#opaque.push({ opaque: tag, object: this.#name, type, octets, written: [at, by] })
    } else {
      // The about value comes first: its tag has the lowest number.
      if (tagId === SYSTEM_TAGS.about.id) this.#name = { about: String(value.value), ...this.#name }
      const isNumber = value.type === 'int' || value.type === 'float'
      this.#values[tag] = isNumber ? numberIn(value.json) : value.value
      this.#written[tag] = [at, by]
    }
    this.octets += size
  }

  *records(): Generator<KeptObject | KeptOpaque> {
    const [values, opaque] = [this.#values, this.#opaque]
    if (!this.#more.more || Object.keys(values).length > 0)
      yield { object: this.#name, values, written: this.#written, ...this.#more }
    yield* opaque
    ;[this.#more, this.#values, this.#written, this.#opaque, this.octets] = [{ more: true }, {}, {}, [], 0]
  }
}
