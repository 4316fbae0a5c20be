/** Which object is meant, in words of the service. */

/** An object, by its id or about value. */
export type Address = { readonly id: string } | { readonly about: string }

/** A UUID, as the id of an object. */
export const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A string of the query language. */
export const quotedInQuery = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** The query that finds the object alone. */
export const queryOf = (address: Address): string =>
  'id' in address ? `service/id = "${address.id}"` : `service/about = ${quotedInQuery(address.about)}`
