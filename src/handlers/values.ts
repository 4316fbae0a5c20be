/** Values of many tags on many objects. */
import * as bulk from '../data/operations/bulk.ts'
import { findBefore } from '../data/operations/found-before.ts'
import { selectedTags, selectionOf } from '../data/operations/selected-tags.ts'
import { permitTagValues, requireTags } from '../data/permissions/permissions.ts'
import { refuseForbidden } from '../data/permissions/rule.ts'
import type { WriteTx } from '../data/store/views.ts'
import { permitSearch, search, searching } from '../data/search/search.ts'
import type { Encoded } from '../data/values/encoding.ts'
import * as sets from '../data/writing/set-writing.ts'
import { readValues } from '../data/values/reading.ts'
import { ServiceError } from '../model/errors.ts'
import { valueResults } from '../http/answer/representations.ts'
import { pathsOf, type Query } from '../query/ast.ts'
import { foldPath } from '../model/paths.ts'
import { parseQuery, parseQueryAfter } from '../query/parse.ts'
import type { ParsedJson } from '../model/json.ts'
import { primitiveOf } from '../model/tag-value.ts'
import { runYielding, yieldsAfter } from '../scheduling/yielding.ts'
import type { Body, Call, Handler } from '../http/handler.ts'

/** GET /values: every requested tag's value on every object that the query matches. */
export const getValues: Handler<'getValues'> = async ({
  args,
  queryLimits,
  caller,
  store,
  signal,
  observe,
  reply,
}) => {
  const query = parseQuery(args.query, queryLimits)
  const selected = selectedTags(args.tag)
  const asking = { store, caller, signal, observe }
  const json = await valueResults((represent) =>
    searching(asking, { query, also: selected.named }, async (tx, permitted, observed) => {
      const found = await search(tx, permitted, observed)
      return represent(readValues(tx, found, selectionOf(tx, 'read', selected, permitted.tags)))
    }),
  )
  return reply({ status: 200, json })
}

/** PUT /values: sets values on all objects that queries match, all or nothing. */
export const putValues: Handler<'putValues'> = async ({
  body,
  numberText,
  queryLimits,
  maxWriteBytes,
  caller,
  store,
  signal,
  observe,
  reply,
}) => {
  const { queries } = body
  // Before all that takes longest. What forbids one of the paths forbids them all.
  const path = await runYielding(firstPathIn(queries, numberText))
  if (path !== undefined) refuseForbidden({ caller }, 'tag-values.write', path)
  const elements = await runYielding(elementsOf(queries, { numberText, queryLimits, signal }))
  const maxIds = Math.floor(maxWriteBytes / bulk.LEAST_BYTES)
  const found = await findBefore(elements, { store, caller, signal, observe, maxIds })
  const work = <V>(tx: WriteTx<V>): Promise<void> =>
    bulk.setValues(tx, elements, { observe, found, maxWriteBytes })
  await store.write(caller, work, signal).catch(tooManyObjects(elements.at(-1)?.query))
  return reply({ status: 204 })
}

type SentElement = Body<'putValues'>['queries'][number]
type SentEntry = SentElement[1][string]

/** Checks that all values are primitives, and finds the first of their paths. Throws as `primitiveOf`. */
function* firstPathIn(
  sent: readonly SentElement[],
  numberText: ParsedJson['numberText'],
): Generator<undefined, string | undefined> {
  let first: string | undefined
  let count = 0
  for (const [, values] of sent) {
    for (const [path, entry] of entriesOf(values)) {
      first ??= path
      const { value } = entry
      // A string always is one, and may be long.
      const size = typeof value === 'string' ? 0 : primitiveOf(value, numberText(entry, 'value')).json.length
      if (yieldsAfter(count++, size)) yield
    }
    if (yieldsAfter(count++, 0)) yield
  }
  return first
}

/**
 * Parses the queries and encodes the values. Each value is read for that again: to keep what `firstPathIn` has read would take
 * more memory than the rest.
 */
function* elementsOf(
  sent: readonly SentElement[],
  { numberText, queryLimits, signal }: Pick<Call<'putValues'>, 'numberText' | 'queryLimits' | 'signal'>,
): Generator<undefined, bulk.Element[]> {
  const elements: bulk.Element[] = []
  const encode = bulk.encoder()
  let count = 0
  for (const [text, values] of sent) {
    signal.throwIfAborted()
    const query = parseQueryAfter(elements.at(-1)?.query, text, queryLimits)
    yield
    const encoded = new Map<string, Encoded>()
    for (const [path, entry] of entriesOf(values)) {
      const primitive = primitiveOf(entry.value, numberText(entry, 'value'))
      encoded.set(path, encode(primitive))
      if (yieldsAfter(count++, primitive.json.length)) yield
    }
    elements.push({ query, values: encoded })
  }
  return elements
}

/** The values of an element by folded path. */
function* entriesOf(values: SentElement[1]): Generator<readonly [path: string, entry: SentEntry]> {
  for (const [path, entry] of Object.entries(values)) yield [foldPath(path), entry]
}

/** DELETE /values: deletes the values of tags from all objects that the query matches. */
export const deleteValues: Handler<'deleteValues'> = async ({
  args,
  queryLimits,
  caller,
  store,
  signal,
  observe,
  reply,
}) => {
  const query = parseQuery(args.query, queryLimits)
  const selected = selectedTags(args.tag)
  const { named } = selected
  for (const path of args.tag) refuseForbidden({ caller }, 'tag-values.delete', path)
  const asked = { query, values: new Map() }
  const found = await findBefore([asked], { store, caller, signal, observe, maxIds: Infinity })
  const work = async <V>(tx: WriteTx<V>): Promise<void> => {
    await requireTags(tx, [...pathsOf(query), ...named])
    const permitted = await permitSearch(tx, query)
    const selection = selectionOf(tx, 'delete', selected, await permitTagValues(tx, 'delete', named))
    await sets.deleteValues(tx, found.get(asked) ?? (await search(tx, permitted, observe)), selection)
  }
  await store.write(caller, work, signal).catch(tooManyObjects(query))
  return reply({ status: 204 })
}

/** For a change that the database does not take: the number of objects makes it too large, rather than the body. */
const tooManyObjects =
  (query: Query | undefined) =>
  (error: unknown): never => {
    if (error instanceof ServiceError && error.errorClass === 'PayloadTooLarge') {
      throw new ServiceError('TooManyObjects', { query: query?.text ?? '' }, { cause: error })
    }
    throw error
  }
