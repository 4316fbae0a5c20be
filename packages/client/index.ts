/** A typed client of Gloss: openapi-fetch, and functions for values that types alone do not describe. See README.md. */
export { createClient, type Client, type ClientOptions, type Credentials } from './client.ts'
export type { Schemas } from './contract.ts'
export { ServiceError, type ErrorClass } from './service-error.ts'
export { float, type Float } from './json.ts'
export { contractVersion, type Arguments, type RequestOptions, type WriteOptions } from './operations.ts'
export {
  readValue,
  readValues,
  search,
  writeValue,
  type Entry,
  type FoundObject,
  type Primitive,
  type Slot,
  type Stored,
  type Value,
} from './values.ts'
