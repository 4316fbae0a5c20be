/**
 * Code that must not compile: the type checker reports a `@ts-expect-error` if the line below it has no error.
 * The type check of the tests covers this file; nothing in it is run.
 */
import type { IdSet, SortedIds } from '../../src/data/database/ids/id-sets.ts'
import { permitNamespace } from '../../src/data/permissions/namespace-permissions.ts'
import { permitTag, permitTagValue } from '../../src/data/permissions/permissions.ts'
import { deletePolicies, writePolicy } from '../../src/data/permissions/policies.ts'
import type { EveryPermitted, Permitted } from '../../src/data/permissions/rights.ts'
import { getUser, permitOwnChange, permitUserChange } from '../../src/data/permissions/user-rights.ts'
import { permitSearch, search, type Observe } from '../../src/data/search/search.ts'
import type { Store } from '../../src/data/store/store.ts'
import { SYSTEM_TAGS } from '../../src/data/store/tables.ts'
import type { Caller, ReadTx, WriteTx } from '../../src/data/store/views.ts'
import { deleteNamespace } from '../../src/data/entities/namespaces.ts'
import { objectAbout } from '../../src/data/entities/objects.ts'
import { createUser, deleteUser, readNewUsername, updateUser } from '../../src/data/entities/users.ts'
import type { Encoded } from '../../src/data/values/encoding.ts'
import { readValue, readValues } from '../../src/data/values/reading.ts'
import { writeValue } from '../../src/data/writing/writing.ts'
import { parseQuery } from '../../src/query/parse.ts'
import type { components } from '../../generated/openapi.d.ts'
import { ServiceError } from '../../src/model/errors.ts'
import { objectText, type JsonText } from '../../src/http/answer/json-text.ts'
import * as rawJson from '../../src/http/answer/raw-json.ts'
import * as representations from '../../src/http/answer/representations.ts'
import type { RawJson } from '../../src/http/answer/raw-json.ts'
import type { BorrowedBytes } from '../../src/model/borrowed-bytes.ts'
import type { Handler, Handlers } from '../../src/http/handler.ts'
import type { ObjectId } from '../../src/data/database/ids/ids.ts'

const id = '01941f29-7c00-7000-8000-000000000000'

export const right: Handler<'getUser'> = async ({ reply }) =>
  reply({ status: 200, json: { id, name: 'Alice' }, etag: '' })

export const statusThatTheContractLacks: Handler<'getUser'> = async ({ reply }) =>
  // @ts-expect-error -- getUser has no 204
  reply({ status: 204 })

export const fieldOfTheWrongType: Handler<'getUser'> = async ({ reply }) =>
  // @ts-expect-error -- name is a string
  reply({ status: 200, json: { id, name: 5 }, etag: '' })

export const fieldMissing: Handler<'getUser'> = async ({ reply }) =>
  // @ts-expect-error -- name is required
  reply({ status: 200, json: { id }, etag: '' })

export const fieldTooMany: Handler<'getUser'> = async ({ reply }) =>
  // @ts-expect-error -- a user has no password on the wire
  reply({ status: 200, json: { id, name: 'Alice', password: 'wonderland' }, etag: '' })

export const headerMissing: Handler<'createUser'> = async ({ reply }) =>
  // @ts-expect-error -- 201 has a Location
  reply({ status: 201, json: { URI: '', id } })

export const entityTagMissing: Handler<'getUser'> = async ({ reply }) =>
  // @ts-expect-error -- 200 has an ETag
  reply({ status: 200, json: { id, name: 'Alice' } })

export const bodyWhereThereIsNone: Handler<'deleteTag'> = async ({ reply }) =>
  // @ts-expect-error -- 204 has no content
  reply({ status: 204, json: {} })

export const unknownArgument: Handler<'getObject'> = async ({ args, reply }) =>
  // @ts-expect-error -- the path has no such parameter
  reply({ status: 200, json: { tagPaths: [String(args.tag_path)] } })

export const bodyThatMayBeAbsent: Handler<'createObject'> = async ({ body, reply }) =>
  // @ts-expect-error -- the body of createObject may be omitted
  reply({ status: 201, json: { URI: body.about ?? '', id }, location: '' })

// @ts-expect-error -- the other operations have no handler here
export const handlerMissing: Handlers = { getUser: right }

interface ThisView {
  readonly name: 'this view'
}
interface OtherView {
  readonly name: 'another view'
}
declare const tx: ReadTx<ThisView>
declare const writing: WriteTx<ThisView>
declare const mayDelete: Permitted<'tag-values.delete', ThisView>
declare const mayRead: Permitted<'tag-values.read', ThisView>
declare const mayWrite: Permitted<'tag-values.write', ThisView>
declare const mayReadElsewhere: Permitted<'tag-values.read', OtherView>
declare const mayReadAllElsewhere: EveryPermitted<'tag-values.read', OtherView>
declare const mayControl: Permitted<'namespaces.control', ThisView>
declare const value: Encoded
declare const ids: IdSet
declare const store: Store
declare const observe: Observe
declare const alice: Caller
declare const bob: Caller
const policy = { policy: 'open', exceptions: { names: new Map(), malformed: undefined } } as const
const object = id as ObjectId

export const forgottenCheck = (): unknown =>
  // @ts-expect-error -- only permissions makes a Permitted
  readValue(tx, object, { id: 1 })

export const wrongCheck = (): unknown =>
  // @ts-expect-error -- DELETE is not READ
  readValue(tx, object, mayDelete)

export const writeInAView = (): unknown =>
  // @ts-expect-error -- what store.read opens cannot write
  writeValue(tx, object, mayWrite, { value })

export const writeWithReadPermission = (): unknown =>
  // @ts-expect-error -- READ is not WRITE
  writeValue(writing, object, mayRead, { value })

export const rightOfAnotherView = (): unknown =>
  // @ts-expect-error -- a right is of use in the view in which it was read
  readValue(tx, object, mayReadElsewhere)

export const everyRightOfAnotherView = (): unknown =>
  // @ts-expect-error -- so is the right to every tag
  readValues(tx, ids, { named: [], every: mayReadAllElsewhere })

export const rightThatLeavesItsView = (): unknown =>
  // @ts-expect-error -- not even the caller of store.read gets it
  store.read(alice, (view) => permitTagValue(view, 'read', 'alice/books/title'))

export const rightThatOutlivesItsView = async (): Promise<unknown> => {
  let kept: Permitted<'tag-values.read', unknown> | undefined
  await store.read(alice, async (view) => {
    // @ts-expect-error -- nor a variable outside
    kept = await permitTagValue(view, 'read', 'alice/books/title')
  })
  return kept
}

export const rightOfAnotherCaller = (): unknown =>
  store.read(alice, async (hers) => {
    const right = await permitTagValue(hers, 'read', 'alice/books/title')
    // @ts-expect-error -- alice's right in bob's view
    return store.read(bob, (his) => readValue(his, object, right))
  })

export const searchInAnotherView = (): unknown =>
  store.read(alice, async (first) => {
    const permitted = await permitSearch(first, parseQuery('has alice/books/title'))
    // @ts-expect-error -- the right to ask was read in another view, which may be older
    return store.scan(alice, new AbortController().signal, (later) => search(later, permitted, observe))
  })

export const rightOfAnotherTransaction = (): unknown =>
  store.write(alice, async (first) => {
    const right = await permitNamespace(first, 'delete', 'alice/books')
    // @ts-expect-error -- each transaction asks by itself
    return store.write(alice, (second) => deleteNamespace(second, right))
  })

export const policyOfAnotherCategory = (): unknown =>
  // @ts-expect-error -- CONTROL on a namespace is none on a tag
  writePolicy(writing, mayControl, 'tags.update', policy)

export const policyOfTagValuesByTag = (): unknown =>
  store.write(alice, async (view) => {
    // @ts-expect-error -- a tag and its values are controlled apart
    await writePolicy(view, await permitTag(view, 'control', 'alice/books/title'), 'tag-values.read', policy)
  })

export const userChangedWithoutRight = (): unknown =>
  store.write(alice, async (view) => {
    // @ts-expect-error -- everybody may see a user, not everybody may change them
    await updateUser(view, await getUser(view, 'bob'), { role: 'superuser' })
  })

export const userDeletedWithoutRight = (): unknown =>
  store.write(alice, async (view) => {
    // @ts-expect-error -- nor delete them
    await deleteUser(view, await getUser(view, 'bob'))
  })

export const userDeletedWithTheRightToChange = (): unknown =>
  store.write(alice, async (view) => {
    // @ts-expect-error -- to change a user is not to delete them
    await deleteUser(view, await permitUserChange(view, 'update', 'bob'))
  })

export const roleChangedWithTheRightToOneself = (): unknown =>
  store.write(alice, async (view) => {
    // @ts-expect-error -- users may change themselves, but not their role
    await updateUser(view, await permitOwnChange(view, 'alice'), { role: 'superuser' })
  })

export const policiesOfAnotherTable = (): unknown =>
  store.write(alice, async (view) => {
    // @ts-expect-error -- a tag and a namespace may have the same number
    await deletePolicies(view, await permitTag(view, 'delete', 'alice/books/title'), 'namespaces')
  })

export const rightWidenedToTwo = (): unknown =>
  // @ts-expect-error -- CONTROL on a namespace, taken for CONTROL on either
  writePolicy<'namespaces' | 'tags', ThisView>(writing, mayControl, 'tags.update', policy)

export const userMadeWithoutRight = (): unknown =>
  store.write(alice, (view) =>
    // @ts-expect-error -- permitUserCreation makes the right
    createUser(view, {}, readNewUsername('dave'), {}),
  )

export const objectMadeWithoutRight = (): unknown =>
  // @ts-expect-error -- permitObjectCreation makes the right
  store.write(alice, (view) => objectAbout(view, {}, 'book:Dune'))

export const systemTagWithoutRight = (): unknown =>
  // @ts-expect-error -- a system tag is no Permitted, and nothing outside makes one of it
  writeValue(writing, object, SYSTEM_TAGS.userRole, { value })

// @ts-expect-error -- bytes are no set: they may be in any order
export const bytesForASet: IdSet = Buffer.alloc(16)

export const bytesForSortedIds = (): unknown =>
  // @ts-expect-error -- nor sorted ids to read
  readValues(tx, Buffer.alloc(16), { named: [mayRead], every: undefined })

declare const portion: SortedIds

export const portionGivenAway = (): unknown =>
  // @ts-expect-error -- a part of a set has no memory of its own to give away
  portion.consume()

export const portionReleased = (): void => {
  // @ts-expect-error -- nor to free
  portion.release()
}

export const setMergedButKept = (): unknown =>
  // @ts-expect-error -- merging takes the memory of both sets: they are consumed first
  tx.merge('union', ids, ids)

// @ts-expect-error -- TParseError needs a message
export const factMissing = new ServiceError('TParseError', { query: '' })

// @ts-expect-error -- TParseError has no path
export const factTooMany = new ServiceError('TParseError', { query: '', message: '', path: '' })

type Schemas = components['schemas']

declare const foundObjects: RawJson<Schemas['FoundObjects']>
declare const moreThanFoundObjects: RawJson<Schemas['FoundObjects'] & { readonly count: number }>
declare const lessThanFoundObjects: RawJson<object>

export const madeJson: Handler<'findObjects'> = async ({ reply }) =>
  reply({ status: 200, json: foundObjects })

export const madeJsonOfAnotherSchema: Handler<'getRecentOnObjects'> = async ({ reply }) =>
  // @ts-expect-error -- ids are no recent values
  reply({ status: 200, json: foundObjects })

export const madeJsonOfAWiderSchema = (): RawJson<Schemas['FoundObjects']> =>
  // @ts-expect-error -- the answer would have a field that the contract does not know
  moreThanFoundObjects

export const madeJsonOfANarrowerSchema = (): RawJson<Schemas['FoundObjects']> =>
  // @ts-expect-error -- the answer might lack a field
  lessThanFoundObjects

export const textAsJson: Handler<'getValues'> = async ({ reply }) =>
  // @ts-expect-error -- any text is no result
  reply({ status: 200, json: '{"results":{"id":{}}}' })

// @ts-expect-error -- RawJson is only a type outside raw-json.ts, which alone makes one
export const rawJsonOfAnyText: unknown = rawJson.RawJson

declare const lookalike: Pick<RawJson<Schemas['ValuesResult']>, 'length' | 'pieces' | 'discard'>

// @ts-expect-error -- what has all members of a RawJson is still none
export const rawJsonByHand: RawJson<Schemas['ValuesResult']> = lookalike

export const idListOfText = (): unknown =>
  // @ts-expect-error -- a text is no set of ids
  representations.idList('["nonsense"]')

declare const json: JsonText<Schemas['PrimitiveValue']>
declare const time: JsonText<string>

export const entryOfAnyText = (): JsonText<Schemas['PrimitiveValueEntry']> =>
  // @ts-expect-error -- any text is no JSON
  objectText<Schemas['PrimitiveValueEntry']>({ value: 'nonsense', 'updated-at': time })

export const entryWithoutTime = (): JsonText<Schemas['PrimitiveValueEntry']> =>
  // @ts-expect-error -- the contract requires updated-at
  objectText<Schemas['PrimitiveValueEntry']>({ value: json })

export const entryWithAnotherName = (): JsonText<Schemas['PrimitiveValueEntry']> =>
  // @ts-expect-error -- the contract spells it updated-at
  objectText<Schemas['PrimitiveValueEntry']>({ value: json, updatedAt: time })

export const entryOfAnotherSchema = (): JsonText<Schemas['OpaqueValueEntry']> =>
  // @ts-expect-error -- a primitive value's entry has no value-type and size
  objectText<Schemas['PrimitiveValueEntry']>({ value: json, 'updated-at': time })

declare const turning: BorrowedBytes

// @ts-expect-error -- they will be overwritten, so they are not to be kept
export const kept: Buffer = turning

export const gathered = (): Buffer =>
  // @ts-expect-error -- by the time that the third one is there the first one is gone
  Buffer.concat([turning, turning, turning])
