/** The types of the client for TypeScript; the type check of the tests covers this file, and nothing in it is run. */
import { expectTypeOf } from 'expect-type'
import {
  readValue,
  search,
  type ServiceError,
  writeValue,
  type Client,
  type Entry,
  type Float,
  type FoundObject,
  type Schemas,
  type Stored,
} from '../../packages/client/index.ts'

declare const client: Client
declare const error: ServiceError
const slot = { about: 'book:Dune', tag: 'alice/rating' }
const query = 'has alice/rating'

export async function answers(): Promise<void> {
  const answer = await client.GET('/objects', { params: { query: { query } } })
  expectTypeOf(answer.data.ids).toEqualTypeOf<string[]>()
  expectTypeOf(answer).not.toHaveProperty('error')
  expectTypeOf(await client.findObjects({ query })).toEqualTypeOf<Schemas['FoundObjects']>()
  expectTypeOf(client.deleteTag({ tag_path: 'alice/rating' })).resolves.toEqualTypeOf<undefined>()
  const text = await client.GET('/objects', { params: { query: { query } }, parseAs: 'text' })
  expectTypeOf(text.data).toEqualTypeOf<string>()
  const { data } = await client.DELETE('/users/{username}', { params: { path: { username: 'bob' } } })
  expectTypeOf(data).toEqualTypeOf<undefined>()
}

export async function values(): Promise<void> {
  const value = await readValue(client, slot)
  expectTypeOf(value).toEqualTypeOf<Stored>()
  if (value.type === 'string') expectTypeOf(value.value).toEqualTypeOf<string>()
  if (value.type === 'int') expectTypeOf(value.value).toEqualTypeOf<number | bigint>()
  const etag: string | undefined = value.etag
  expectTypeOf(await readValue(client, slot, { ifNoneMatch: etag })).toEqualTypeOf<Stored | undefined>()
  for await (const found of search(client, { query, tag: ['a/b'] as const })) {
    expectTypeOf(found).toEqualTypeOf<FoundObject>()
    expectTypeOf(found.values).toEqualTypeOf<Record<string, Entry>>()
  }
  type Primitive = Extract<Entry, { value: unknown }>['value']
  expectTypeOf<Primitive>().toEqualTypeOf<null | boolean | number | bigint | string | string[] | Float>()
  await client.putValues({ body: { queries: [[query, { 'a/b': { value: 5n } }]] } })
}

export function classes(): void {
  if (error.errorClass === 'TNoSuchUser') throw error
  const later: string | undefined = error.errorClass
  expectTypeOf(later).toEqualTypeOf<string | undefined>()
  // @ts-expect-error -- there is no such class
  if (error.errorClass === 'TNoSuchusr') throw error
}

// @ts-expect-error -- there is no such operation
export type Wrong = Client['findObject']

export async function wrong(): Promise<void> {
  // @ts-expect-error -- the query is required
  await client.findObjects()
  // @ts-expect-error -- it is called query
  await client.findObjects({ querry: query })
  // @ts-expect-error -- it is called query here, too
  await client.GET('/objects', { params: { query: { querry: query } } })
  // @ts-expect-error -- tag is a list
  await client.getValues({ query, tag: 'alice/rating' })
  // @ts-expect-error -- there is no such action
  await client.getTagPermission({ tag_path: 'alice/rating', action: 'read' })
  // @ts-expect-error -- finding has no condition
  await client.findObjects({ query }, { ifMatch: '"1"' })
  // @ts-expect-error -- a value has a tag
  await readValue(client, { about: 'book:Dune' })
  // @ts-expect-error -- an object has its id or its about value, not both
  await readValue(client, { ...slot, id: '', about: '' })
  // @ts-expect-error -- an object is no value
  await writeValue(client, slot, { five: 5 })
  // @ts-expect-error -- there is no such path
  await client.GET('/object', {})
}
