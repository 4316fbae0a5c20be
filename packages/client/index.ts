/** A typed client of Gloss: openapi-fetch, and functions for values that types alone do not describe. See README.md. */
export { createClient, type Client } from './client.ts'
export { ServiceError } from './service-error.ts'
export { float } from './json.ts'
export {
  readValue,
  readValues,
  writeOpaque,
  writePrimitive,
  type Entry,
  type Primitive,
  type Slot,
  type Value,
} from './values.ts'
