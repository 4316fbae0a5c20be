/** Finds objects by the words of a command line: by about value or by id. */
import { Failure, misuse } from '../../common/failure.ts'
import { ID, queryOf, quotedInQuery, type Address } from '../../common/connection/addresses.ts'
import type { Connection } from './connect.ts'

/** Path segments that URL parsers remove. */
const LOST = ['.', '..']

/**
 * The object that a word of the command line names. A UUID is an id, unless an object has it as about value. If no URL
 * can contain the about value, the function returns the id of the object, if it exists. Throws a `Failure` for an empty
 * text.
 */
export async function addressOf(connection: Connection, text: string): Promise<Address> {
  if (text === '') throw misuse("'' names no object", 'name what it is about, or its id')
  const isId = ID.test(text)
  if (!isId && !LOST.includes(text)) return { about: text }
  const [found] = await idsOf(connection, `service/about = ${quotedInQuery(text)}`)
  if (found !== undefined) return isId ? { about: text } : { id: found }
  return isId ? { id: text.toLowerCase() } : { about: text }
}

/** Throws a `Failure` if no object has this about value. For ids it does nothing: every UUID is an object. */
export async function mustExist(connection: Connection, address: Address): Promise<void> {
  const [found] = await idsOf(connection, queryOf(address))
  if (found === undefined) throw noObject('about' in address ? address.about : address.id)
}

export const noObject = (name: string): Failure =>
  new Failure(`there is no object about '${name}'`, 'check its spelling, or make it with gloss tag')

/**
 * Returns an address that a URL can contain. If there is no such object, it creates one with `make`, and throws a
 * `Failure` without `make`.
 */
export async function inUrl({ client }: Connection, address: Address, make = false): Promise<Address> {
  if ('id' in address || !LOST.includes(address.about)) return address
  if (!make) throw noObject(address.about)
  const { data } = await client.POST('/objects', { body: { about: address.about } })
  return { id: data.id }
}

async function idsOf({ client }: Connection, query: string): Promise<string[]> {
  const { data } = await client.GET('/search', { params: { query: { query, limit: 1 } } })
  return data.results.map(({ id }) => id)
}
