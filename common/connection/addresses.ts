/** Addresses objects by id or about value. */

/** An object, by its id or about value. */
export type Address = { readonly id: string } | { readonly about: string }

/** A UUID, as the id of an object. */
export const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Quotes a string for the query language. */
export const quotedInQuery = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** The query that matches only this object. */
export const queryOf = (address: Address): string =>
  'id' in address ? `service/id = "${address.id}"` : `service/about = ${quotedInQuery(address.about)}`
