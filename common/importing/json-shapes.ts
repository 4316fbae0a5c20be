/** Detects where the rows of a JSON text are, from its beginning. */
import { Failure } from '../failure.ts'
import type { JsonFormat } from './formats.ts'

type Value = object | string | number | boolean | null | undefined

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRows = (value: unknown): value is object[] => Array.isArray(value) && value.some(isRecord)

/** Names the whole JSON as a row. */
const TOP = '.'
/** The most containers around a list of rows. */
const DEEPEST = 3

/** A shape, and what the user should know about it. */
export interface Shape {
  readonly format: JsonFormat
  readonly notes: readonly string[]
}

/** The shape of JSON that begins with `head`. `rows` is the path of the rows, if the user names it. */
export function shapeOf(head: string, rows: string | undefined): Shape {
  const { value, rest } = firstIn(head)
  if (rows !== undefined) return namedShape(value, rows)
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    !value.some((one) => typeof one === 'object' && one !== null)
  )
    throw noRows('an array of single values')
  return isRecord(value) && rest.trim() === '' ? shapeOfObject(value) : AT_TOP
}

const AT_TOP: Shape = { format: { name: 'json' }, notes: [] }

/** The shape of JSON with a single object. */
function shapeOfObject(value: Readonly<Record<string, unknown>>): Shape {
  if (value['type'] === 'Topology')
    throw new Failure(
      'this is TopoJSON, whose shapes share their borders',
      'convert it to GeoJSON, and import that',
    )
  const lists = listsIn(value)
  const [first, ...others] = lists
  if (first === undefined) return isKeyed(value) ? keyed(undefined) : AT_TOP
  if (others.length === 0 || value['type'] === 'FeatureCollection')
    return { format: { name: 'json', rows: first }, notes: [`the rows are the objects in '${first}'`] }
  throw new Failure(
    `the JSON has several lists of objects: ${lists.join(', ')}`,
    `choose one, such as --rows ${first}`,
  )
}

const noRows = (what: string): Failure =>
  new Failure(`this is ${what}, and a row is an object`, 'write objects with names, such as [{"name": "x"}]')

function namedShape(value: Value, rows: string): Shape {
  if (rows === TOP) return AT_TOP
  const there = rows.split('.').reduce<unknown>((one, name) => (isRecord(one) ? one[name] : undefined), value)
  return isRecord(there) && isKeyed(there) ? keyed(rows) : { format: { name: 'json', rows }, notes: [] }
}

const keyed = (rows: string | undefined): Shape => ({
  format: { name: 'json', ...(rows === undefined ? {} : { rows }), keyed: true },
  notes: ["each member is a row, and its name is in the column 'key'"],
})

/** Returns whether all members of an object are objects alike, so that they are rows. */
function isKeyed(value: object): boolean {
  const members: readonly unknown[] = Object.values(value)
  const first: unknown = members[0]
  if (members.length < 2 || !isRecord(first)) return false
  return members.every((one) => isRecord(one) && isLike(Object.keys(one), first))
}

/** An object without names may be one that the text cuts off. */
const isLike = (names: readonly string[], other: object): boolean =>
  names.length === 0 || names.some((name) => Object.hasOwn(other, name))

/** The paths of all lists of objects, but of none within another one. */
function listsIn(value: object, path: readonly string[] = []): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = [...path, name]
    if (isRows(member)) return [inner.join('.')]
    return isRecord(member) && inner.length < DEEPEST ? listsIn(member, inner) : []
  })
}

/** A string that is cut off goes to the end, so that the pattern takes linear time. */
const TOKENS = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},]/gs

/** The first value of a text that may be incomplete, as far as it goes, and the text after it. */
function firstIn(head: string): { value: Value; rest: string } {
  const open: string[] = []
  let whole = ''
  for (const { 0: token, index } of head.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token === '{' ? '}' : ']')
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ',') continue
    const end = index + (token === ',' ? 0 : 1)
    if (open.length === 0) return { value: parse(head.slice(0, end)), rest: head.slice(end) }
    // After an opening bracket, the text is as complete as after a value.
    whole = head.slice(0, end) + open.toReversed().join('')
  }
  return { value: parse(whole), rest: '' }
}

function parse(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    return undefined
  }
}
