/** Pages of results with hand-written SQL, in the JSON of Gloss's answers. */
import type { ByHand } from './by-hand-database.ts'
import { PAGE_LIMIT, searchedFor, type PageShape } from './searches.ts'
import { idText } from '../src/data/database/ids/ids.ts'
import { cursorOf } from '../src/data/paging/cursor.ts'
import { SYSTEM_TAGS } from '../src/data/store/tables.ts'

/** The object before the page. */
interface PageStart {
  readonly id: Buffer
  readonly key: Buffer
}

/** A row: the object, its key, its about value, and the content and the time of each column. */
type Row = [id: Buffer, key: Buffer, about: Buffer | null, ...cells: (Buffer | number | null)[]]

/** A page of a search, which the benchmark requests repeatedly. */
export class PageByHand {
  readonly #byHand: ByHand
  readonly #shape: PageShape
  readonly #head: string
  readonly #tail: string
  #after: PageStart | undefined

  constructor(byHand: ByHand, shape: PageShape) {
    const { dialect, tagId } = byHand.target
    this.#byHand = byHand
    this.#shape = shape
    const primary = dialect.useIndex('PRIMARY').text
    const columns = [SYSTEM_TAGS.about.path, ...shape.columns]
    const joins = columns.map(
      (path, i) =>
        `LEFT JOIN tag_values c${i} ${primary} ON c${i}.tag_id = ${tagId(path)} AND c${i}.object_id = d.object_id`,
    )
    const cells = shape.columns.map((_, i) => `c${i + 1}.content, c${i + 1}.updated_at`)
    this.#head = `SELECT d.object_id, d.sort_key, c0.content, ${cells.join(', ')}
      FROM tag_values d ${dialect.useIndex('tag_values_by_value').text} ${joins.join(' ')}
      WHERE d.tag_id = ${tagId(shape.sort)}`
    const matching =
      shape.question.tag === shape.sort
        ? ''
        : `AND EXISTS (SELECT 1 FROM tag_values q ${primary} WHERE q.tag_id = ${tagId(shape.question.tag)} AND q.object_id = d.object_id)`
    const direction = shape.descending ? 'DESC' : 'ASC'
    this.#tail = `${matching} ORDER BY d.sort_key ${direction}, d.object_id ${direction} LIMIT `
  }

  /** Goes from page to page up to this one. */
  async turn(): Promise<void> {
    this.#after = undefined
    for (let page = 1; page < this.#shape.page; page++) {
      const last = (await this.#rows()).at(PAGE_LIMIT - 1)
      if (last === undefined) throw new Error(`${this.#shape.name}: there are not so many pages`)
      this.#after = { id: last[0], key: last[1] }
    }
  }

  /** The page as JSON. */
  async json(): Promise<string> {
    const rows = await this.#rows()
    const shown = rows.slice(0, PAGE_LIMIT)
    const last = shown.at(-1)
    const results = shown.map((row) => this.#object(row)).join(',')
    if (last === undefined || rows.length === shown.length) return `{"results":[${results}]}`
    const position = { id: last[0], key: last[1], text: Buffer.alloc(0) }
    return `{"results":[${results}],"next":"${cursorOf(position, searchedFor(this.#shape))}"}`
  }

  /** The objects of the page and one more: first those with the same key, because no index finds both kinds at once. */
  async #rows(): Promise<Row[]> {
    const most = PAGE_LIMIT + 1
    const find = async (where: string, values: readonly Buffer[], limit: number): Promise<Row[]> =>
      (await this.#byHand.rows(`${this.#head} ${where} ${this.#tail} ${limit}`, values)) as Row[]
    if (this.#after === undefined) return find('', [], most)
    const { id, key } = this.#after
    const beyond = this.#shape.descending ? '<' : '>'
    const equal = await find(`AND d.sort_key = ? AND d.object_id ${beyond} ?`, [key, id], most)
    if (equal.length === most) return equal
    return [...equal, ...(await find(`AND d.sort_key ${beyond} ?`, [key], most - equal.length))]
  }

  #object([id, , about, ...cells]: Row): string {
    const values = this.#shape.columns.flatMap((path, i) => {
      const [content, at] = [cells[2 * i], cells[2 * i + 1]]
      if (content == null) return []
      return `"${path}":{"value":${String(content)},"updated-at":"${timeOf(Number(at))}"}`
    })
    return `{"id":"${idText(id)}","about":${String(about)},"values":{${values.join(',')}}}`
  }
}

/** Formats microseconds since 1970 as RFC 3339. */
const timeOf = (microseconds: number): string =>
  new Date(Math.floor(microseconds / 1000))
    .toISOString()
    .replace('Z', `${String(microseconds % 1000).padStart(3, '0')}Z`)
