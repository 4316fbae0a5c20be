/** A request to an operation in parts that tests can replace, and every place in it for a string. */
import type { ContractOperation } from '../../src/http/contract/contract.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { THING } from '../support/fixture.ts'
import { jsonSchemaOf, parameterOf, takesValue, type Schema } from '../support/operations.ts'
import { basic, octets, type RawRequest } from './connection.ts'

/** A request before it is encoded. */
export interface Plan {
  readonly operation: ContractOperation
  /** Path parameters, decoded. */
  readonly params: Record<string, string>
  readonly args: Record<string, string>
  readonly headers: Record<string, string>
  /** A JSON body. */
  json?: unknown
  /** A tag value as the body. */
  value?: Buffer
  credentials: string
  /** Whether slashes in a path are sent literally rather than as %2F. */
  literalSlashes: boolean
}

/** A place for a string. */
export interface Slot {
  readonly operation: ContractOperation
  /** Its name in failure messages. */
  readonly name: string
  /** The part of the request in which it is, which decides how much work a case is. */
  readonly kind: 'path' | 'query' | 'header' | 'field' | 'value' | 'credentials'
  /** Puts a string there; false if that is impossible. */
  put(plan: Plan, text: string): boolean
}

/** Names for what a request uses, so that simultaneous requests do not interfere. */
export interface Scratch {
  /** A name that the cases of a slot share; what they change by PUT exists already. */
  readonly slot: string
  /** A name for what a single case creates. */
  readonly unique: string
  /** A user that may be changed. */
  readonly user: string
}

const argumentFor = (name: string, schema: Schema): string =>
  schema.enum?.[0] ??
  { query: 'has alice/books/rating', tag: 'alice/books/rating', limit: '20' }[name] ??
  'true'

/** A valid request to an operation. Operations on users are requested by the superuser. */
export function planFor(operation: ContractOperation, { slot, unique, user }: Scratch): Plan {
  const { path, method, parameters = [] } = operation
  const makes = method === 'put' && takesValue(operation)
  const removes = method === 'delete'
  const samples: Record<string, string> = {
    about_value: 'book-1',
    object_id: THING,
    username: removes ? 'nobody-here' : user,
    namespace_path: removes ? `alice/none/${slot}` : 'alice/books',
    tag_path: path === '/tags/{tag_path}' && method === 'post' ? 'alice/books' : 'alice/books/rating',
  }
  if (method === 'put' || removes) samples['tag_path'] = `alice/${slot}/value`
  if (method === 'put') samples['namespace_path'] = `alice/${slot}`
  const params = path.split('/').flatMap((segment) => parameterOf(segment) ?? [])
  const args = parameters.filter((parameter) => parameter.in === 'query')
  const json = jsonBody(operation, slot, unique)
  return {
    operation,
    params: Object.fromEntries(params.map((name) => [name, samples[name] ?? ''])),
    args: Object.fromEntries(args.map(({ name, schema }) => [name, argumentFor(name, schema as Schema)])),
    headers: {
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(makes ? { 'Content-Type': PRIMITIVE_MEDIA_TYPE } : {}),
    },
    ...(json === undefined ? {} : { json }),
    ...(makes ? { value: Buffer.from('"plain"') } : {}),
    credentials: basic(path.startsWith('/users') ? 'service' : 'alice'),
    literalSlashes: true,
  }
}

function jsonBody(operation: ContractOperation, slot: string, unique: string): unknown {
  const schema = jsonSchemaOf(operation)
  if (schema === undefined) return undefined
  const body = sample(schema) as Record<string, unknown>
  const own: Record<string, unknown> = {
    name: unique,
    username: unique,
    about: unique,
    exceptions: ['bob'],
    role: 'user',
    queries: [[`service/id = "${THING}"`, { [`alice/${slot}/value`]: { value: 'plain' } }]],
  }
  return Object.fromEntries(Object.keys(body).map((key) => [key, own[key] ?? body[key]]))
}

/** A value that a schema admits, with all its properties. */
function sample({ examples, enum: words, properties, items, type }: Schema): unknown {
  if (examples?.[0] !== undefined) return examples[0]
  if (words?.[0] !== undefined) return words[0]
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, sample(schema)]))
  }
  return type === 'array' ? [sample(items ?? {})] : 'text'
}

/** The encoded request. */
export function rawRequest(plan: Plan): RawRequest {
  const encoded = (segment: string): string => {
    const text = plan.params[parameterOf(segment) ?? ''] ?? segment
    const tail = /_path\}$/.test(segment) && plan.literalSlashes
    return tail ? text.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(text)
  }
  const path = plan.operation.path.split('/').map(encoded).join('/')
  const query = Object.entries(plan.args).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  return {
    method: plan.operation.method.toUpperCase(),
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: { Authorization: plan.credentials, ...plan.headers },
    body: plan.value ?? (plan.json === undefined ? undefined : Buffer.from(JSON.stringify(plan.json))),
  }
}

/** Headers that are not parameters in the contract, because it describes them elsewhere. */
const HEADERS = ['Accept', 'Content-Encoding', 'Content-Type', 'Content-MD5', 'Origin', 'X-Unknown']

/** Every place for a string in an operation, found in its parameters and the schema of its body. */
export function slotsOf(operation: ContractOperation): Slot[] {
  const slot = (kind: Slot['kind'], name: string, put: Slot['put']): Slot => ({
    operation,
    kind,
    name: `${operation.operationId} ${kind} ${name}`,
    put,
  })
  const slots = (operation.parameters ?? []).flatMap(({ in: place, name }) => {
    if (place === 'query') return [slot('query', name, (plan, text) => assign(plan.args, name, text))]
    if (place === 'path') return pathSlots(name, slot)
    return [
      slot('header', name, (plan, text) => isHeaderText(text) && assign(plan.headers, name, octets(text))),
    ]
  })
  const headers = HEADERS.filter(
    (name) => !operation.parameters?.some((parameter) => parameter.name === name),
  )
  return [
    ...slots,
    ...headers.map((name) =>
      slot('header', name, (plan, text) => isHeaderText(text) && assign(plan.headers, name, octets(text))),
    ),
    slot('credentials', 'user name', (plan, text) => assign(plan, 'credentials', basic(text))),
    slot('credentials', 'password', (plan, text) => assign(plan, 'credentials', basic('bob', text))),
    ...fieldSlots(operation, slot),
    ...(takesValue(operation) && operation.method === 'put' ? valueSlots(slot) : []),
  ]
}

type MakeSlot = (kind: Slot['kind'], name: string, put: Slot['put']) => Slot

function pathSlots(name: string, slot: MakeSlot): Slot[] {
  const whole = slot('path', name, (plan, text) => assign(plan.params, name, text))
  if (!name.endsWith('_path')) return [whole]
  const inside = slot('path', `in ${name}`, (plan, text) => assign(plan.params, name, `alice/${text}/end`))
  const encoded = slot('path', `in ${name}, %2F`, (plan, text) => {
    plan.literalSlashes = false
    return assign(plan.params, name, `alice/${text}`)
  })
  return [whole, inside, encoded]
}

/** The leaves and the keys of the JSON body. */
function fieldSlots(operation: ContractOperation, slot: MakeSlot): Slot[] {
  const body = jsonBody(operation, 'slot', 'unique')
  if (body === undefined) return []
  return placesIn(body).flatMap((place) => [
    slot('field', place.join('/'), (plan, text) => {
      plan.json = replaced(plan.json, place, text)
      return true
    }),
    slot('field', `key of ${place.join('/')}`, (plan, text) => {
      plan.json = renamed(plan.json, place, text)
      return plan.json !== undefined
    }),
  ])
}

/** The leaves of a JSON value, each as the positions on the way to it: keys differ from case to case. */
function placesIn(json: unknown): number[][] {
  if (typeof json !== 'object' || json === null) return [[]]
  return Object.values(json).flatMap((child, i) => placesIn(child).map((place) => [i, ...place]))
}

/** A JSON value with the leaf at `place` replaced. */
export function replaced(json: unknown, [first, ...rest]: readonly number[], leaf: unknown): unknown {
  if (first === undefined) return leaf
  if (Array.isArray(json))
    return json.map((child, i) => (i === first ? replaced(child, rest, leaf) : (child as unknown)))
  const entries = Object.entries(json as object)
  return fromEntries(
    entries.map(([key, child], i) => [key, i === first ? replaced(child, rest, leaf) : child]),
  )
}

/** A JSON value with the last key on the way to `place` replaced. */
function renamed(json: unknown, [first, ...rest]: readonly number[], key: string): unknown {
  if (first === undefined) return undefined
  if (Array.isArray(json)) {
    const child = renamed(json[first], rest, key)
    return child && json.map((old, i) => (i === first ? child : (old as unknown)))
  }
  const entries = Object.entries(json as object)
  const child = renamed(entries[first]?.[1], rest, key)
  return fromEntries(
    entries.map(([old, value], i) => {
      if (i !== first) return [old, value]
      return child === undefined ? [key, value] : [old, child]
    }),
  )
}

/** An object from entries with any keys, even `__proto__`. */
const fromEntries = (entries: [string, unknown][]): object => Object.fromEntries(entries)

function valueSlots(slot: MakeSlot): Slot[] {
  const primitive = (name: string, value: (text: string) => unknown): Slot =>
    slot('value', name, (plan, text) => assign(plan, 'value', Buffer.from(JSON.stringify(value(text)))))
  return [
    primitive('string', (text) => text),
    primitive('list', (text) => [text, '', text]),
    slot('value', 'opaque', (plan, text) => {
      plan.headers['Content-Type'] = 'text/plain; charset=utf-8'
      return assign(plan, 'value', Buffer.from(text))
    }),
    slot('value', 'bare text as JSON', (plan, text) => assign(plan, 'value', Buffer.from(text))),
  ]
}

function assign<T extends object>(target: T, key: keyof T, value: unknown): true {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  return true
}

/** Whether a text can be sent as a header value: HTTP forbids control characters. */
const isHeaderText = (text: string): boolean => !/[^\t\x20-\x7e\u0080-\u{10ffff}]/u.test(text)
