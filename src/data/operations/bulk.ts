/** Setting values on whatever queries match, element by element, as PUT /values does (S 4.7). */
import { ServiceError } from '../../errors.ts'
import { aboutOf, type Query } from '../../query/ast.ts'
import type { Primitive } from '../../tag-value.ts'
import type { ObjectId } from '../database/ids.ts'
import { objectsAbout, readAboutValue } from '../things/objects.ts'
import { refuseForbidden } from '../permissions/permissions.ts'
import { permitSearch, search } from '../search/search.ts'
import { writeValueOnAll } from '../values/set-writing.ts'
import type { WriteTx } from '../store/store.ts'
import { ensureTags } from '../things/tags.ts'
import { writeValues } from '../values/writing.ts'

/** A query, its text, and the values to set, by folded tag path, on every object that it matches. */
export interface Element {
  readonly query: Query
  readonly text: string
  readonly values: ReadonlyMap<string, Primitive>
}

/** Applies elements in order; each one sees what the earlier ones wrote. */
export async function setValues(tx: WriteTx, elements: readonly Element[]): Promise<void> {
  for (const { values } of elements)
    for (const path of values.keys()) refuseForbidden(tx, 'tag-values.write', path)
  let start = 0
  while (start < elements.length) {
    const run = addressedRun(elements, start)
    if (run.length > 0) await setByAddress(tx, run)
    else await setByQuery(tx, elements[start] as Element)
    start += Math.max(run.length, 1)
  }
}

/** An element that names its one object, by about value or id, and so does not depend on what others wrote. */
interface Addressed extends Element {
  readonly address: { readonly about: string } | { readonly id: ObjectId }
}

/**
 * The longest run of addressed elements from `start`: together they take a few statements where one by one each
 * would take several, and bulk loads consist of nothing else.
 */
function addressedRun(elements: readonly Element[], start: number): Addressed[] {
  const run: Addressed[] = []
  for (const element of elements.slice(start)) {
    const about = aboutOf(element.query)
    if (about !== undefined) run.push({ ...element, address: { about } })
    else if (element.query.kind === 'id')
      run.push({ ...element, address: { id: element.query.id as ObjectId } })
    else break
  }
  return run
}

async function setByAddress(tx: WriteTx, run: readonly Addressed[]): Promise<void> {
  const abouts = run.flatMap(({ address }) =>
    'about' in address ? readAboutValue(address.about, 'query') : [],
  )
  const paths = [...new Set(run.flatMap(({ values }) => [...values.keys()]))]
  // All of them ask about the same tag, or, by id, about none.
  const asking = run.find(({ address }) => 'about' in address)
  if (asking !== undefined) await permitSearch(tx, asking.query, asking.text)
  const tags = await ensureTags(tx, paths)
  // The objects that these elements may make are nobody's but a signed-in user's to make.
  if (abouts.length > 0 && tx.caller.role === 'anonymous') throw new ServiceError('TUnauthorized')
  const objects = await objectsAbout(tx, abouts)
  for (const [i, path] of paths.entries()) {
    const values = new Map<ObjectId, Primitive>()
    for (const element of run) {
      const value = element.values.get(path)
      if (value !== undefined) values.set(objectOf(element, objects), value)
    }
    const tag = tags[i]
    if (tag !== undefined) await writeValues(tx, tag, values)
  }
}

const objectOf = ({ address }: Addressed, objects: ReadonlyMap<string, ObjectId>): ObjectId =>
  'id' in address ? address.id : (objects.get(address.about) as ObjectId)

async function setByQuery(tx: WriteTx, { query, text, values }: Element): Promise<void> {
  const permitted = await permitSearch(tx, query, text)
  const tags = await ensureTags(tx, [...values.keys()])
  const found = await search(tx, permitted)
  for (const [i, value] of [...values.values()].entries()) {
    const tag = tags[i]
    if (tag !== undefined) await writeValueOnAll(tx, found, tag, value)
  }
}
