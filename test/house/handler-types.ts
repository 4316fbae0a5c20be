/**
 * What must not compile: each `@ts-expect-error` is an error of the type checker if the line below it is none.
 * The type check of the tests runs this; there is nothing to execute.
 */
import type { Permitted } from '../../src/data/permissions.ts'
import type { ReadTx, WriteTx } from '../../src/data/store.ts'
import { writeValue } from '../../src/data/value-writing.ts'
import { readValue } from '../../src/data/values.ts'
import type { components } from '../../generated/openapi.d.ts'
import { ServiceError } from '../../src/errors.ts'
import { objectText, type JsonText } from '../../src/http/json-text.ts'
import * as representations from '../../src/http/representations.ts'
import type { RawJson } from '../../src/http/representations.ts'
import type { TurningBytes } from '../../src/turning-bytes.ts'
import type { Handler, Handlers } from '../../src/handlers/handler.ts'
import type { ObjectId } from '../../src/data/ids.ts'
import type { TagValue } from '../../src/tag-value.ts'

const id = '01941f29-7c00-7000-8000-000000000000'

export const right: Handler<'getUser'> = async ({ reply }) =>
  reply({ status: 200, json: { id, name: 'Alice' } })

export const statusThatTheContractLacks: Handler<'getUser'> = async ({ reply }) =>
  // @ts-expect-error -- getUser has no 204
  reply({ status: 204 })

export const fieldOfTheWrongType: Handler<'getUser'> = async ({ reply }) =>
  // @ts-expect-error -- name is a string
  reply({ status: 200, json: { id, name: 5 } })

export const fieldMissing: Handler<'getUser'> = async ({ reply }) =>
  // @ts-expect-error -- name is required
  reply({ status: 200, json: { id } })

export const fieldTooMany: Handler<'getUser'> = async ({ reply }) =>
  // @ts-expect-error -- a user has no password on the wire
  reply({ status: 200, json: { id, name: 'Alice', password: 'wonderland' } })

export const headerMissing: Handler<'createUser'> = async ({ reply }) =>
  // @ts-expect-error -- 201 has a Location
  reply({ status: 201, json: { URI: '', id } })

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

declare const tx: ReadTx
declare const writing: WriteTx
declare const mayDelete: Permitted<'tag-values.delete'>
declare const mayRead: Permitted<'tag-values.read'>
declare const mayWrite: Permitted<'tag-values.write'>
declare const value: TagValue

export const forgottenCheck = (): unknown =>
  // @ts-expect-error -- only permissions.ts makes a Permitted
  readValue(tx, id as ObjectId, { id: 1 })

export const wrongCheck = (): unknown =>
  // @ts-expect-error -- DELETE is not READ
  readValue(tx, id as ObjectId, mayDelete)

export const writeInAView = (): unknown =>
  // @ts-expect-error -- what store.read opens cannot write
  writeValue(tx, id as ObjectId, mayWrite, value)

export const writeWithReadPermission = (): unknown =>
  // @ts-expect-error -- READ is not WRITE
  writeValue(writing, id as ObjectId, mayRead, value)

// @ts-expect-error -- TParseError must tell its message
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

// @ts-expect-error -- RawJson is only a type outside representations.ts, which alone makes one
export const rawJsonOfAnyText: unknown = representations.RawJson

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

declare const turning: TurningBytes

// @ts-expect-error -- they will be overwritten, so they are not to be kept
export const kept: Buffer = turning

export const gathered = (): Buffer =>
  // @ts-expect-error -- by the time that the third one is there the first one is gone
  Buffer.concat([turning, turning, turning])
