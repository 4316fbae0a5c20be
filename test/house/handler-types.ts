/**
 * Code that must not compile: the type checker reports a `@ts-expect-error` if the line below it has no error.
 * The type check of the tests covers this file; nothing in it is run.
 */
import type { Permitted } from '../../src/data/permissions.ts'
import type { ReadTx, WriteTx } from '../../src/data/store.ts'
import { writeValue } from '../../src/data/value-writing.ts'
import { readValue } from '../../src/data/values.ts'
import { ServiceError } from '../../src/errors.ts'
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

// @ts-expect-error -- TParseError needs a message
export const factMissing = new ServiceError('TParseError', { query: '' })

// @ts-expect-error -- TParseError has no path
export const factTooMany = new ServiceError('TParseError', { query: '', message: '', path: '' })
