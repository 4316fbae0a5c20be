/** SQL as text with bound values. */

/** The types of bound values. Text columns hold bytes, so strings are bound as UTF-8 and compare exactly everywhere. */
export type Bindable = string | number | Buffer | null

/** A piece of SQL: text with a `?` for each value. */
export interface Sql {
  readonly text: string
  readonly values: readonly Bindable[]
}

/** SQL from a template: a piece of SQL is spliced in; anything else becomes a bound value. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Bindable | Sql)[]): Sql {
  const pieces: string[] = []
  const values: Bindable[] = []
  for (const part of parts) {
    if (isSql(part)) {
      pieces.push(part.text)
      values.push(...part.values)
    } else {
      pieces.push('?')
      values.push(part)
    }
  }
  return { text: templateText(strings, pieces), values }
}

/** The pieces and the text of the last use of a template. */
const lastUsed = new WeakMap<
  TemplateStringsArray,
  { readonly pieces: readonly string[]; readonly text: string }
>()

/**
 * The text of a template with its pieces. While the pieces stay the same it is the same string, not an equal one: a
 * driver looks a statement up by its text (`past-knex.ts`), and a new string of a kilobyte takes longer to look up than to make.
 */
function templateText(strings: TemplateStringsArray, pieces: readonly string[]): string {
  const last = lastUsed.get(strings)
  if (last?.pieces.every((piece, i) => piece === pieces[i]) === true && last.pieces.length === pieces.length)
    return last.text
  const text = String.raw({ raw: strings }, ...pieces)
  lastUsed.set(strings, { pieces, text })
  return text
}

const isSql = (part: Bindable | Sql): part is Sql =>
  typeof part === 'object' && part !== null && !Buffer.isBuffer(part)

/** Bound values separated by commas, for `IN (…)`. An empty list matches nothing. */
export const list = (values: readonly Bindable[]): Sql =>
  values.length === 0 ? raw('NULL') : { text: values.map(() => '?').join(', '), values }

/** SQL text taken literally: only for names and keywords from our own code, never for input. */
export const raw = (text: string): Sql => ({ text, values: [] })

/** Pieces of SQL with `separator` between them. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  return {
    text: pieces.map((piece) => piece.text).join(separator),
    values: pieces.flatMap((piece) => piece.values),
  }
}

/** A table's key and columns, for statements that are built from rows. */
export interface Table<Row extends Record<string, Bindable>> {
  readonly name: string
  readonly key: readonly (keyof Row & string)[]
  readonly columns: readonly (keyof Row & string)[]
}

/** A row of a table. */
export type RowOf<T> = T extends Table<infer Row> ? Row : never

/** The text of an INSERT of `count` rows, with a `?` for each value. */
export function insertText(
  table: string,
  columns: readonly string[],
  count: number,
  conflict: string,
): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${`${row}, `.repeat(count - 1)}${row} ${conflict}`
}

/** Rows or keys per statement: this bounds its size, its memory and its number of bound values. */
const AT_ONCE = 500

/**
 * `items` in portions of `size`, by default as many as fit into one statement. Takes no more than one portion at a time from
 * the iterator.
 */
export function* portionsOf<T>(items: Iterable<T>, size = AT_ONCE): Generator<T[]> {
  if (Array.isArray(items)) {
    for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
    return
  }
  let some: T[] = []
  for (const item of items) {
    if (some.push(item) < size) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/** The items of all `groups` in portions of `size`; a portion may span groups. */
export function* portionsOfAll<T>(groups: Iterable<readonly T[]>, size = AT_ONCE): Generator<T[], void> {
  let some: T[] = []
  for (const group of groups) {
    for (const item of group) {
      if (some.push(item) < size) continue
      yield some
      some = []
    }
  }
  if (some.length > 0) yield some
}
