/** Makes the fields of a row from a JSON object: nested objects become fields with a path, such as `name.common`. */
import { isObject, type Field } from './fields.ts'

/** The column of a shape in GeoJSON that is no point. */
export const GEOMETRY = 'geometry'
/** The column for the names of the members of an object whose members are rows. */
const KEY = 'key'

/** The fields of an object, with the name under which it stands. Returns a string, the name, if two have one name. */
export function flatFields(value: object, key?: string): Map<string, Field> | string {
  const fields = new Map<string, Field>()
  const own = isFeature(value) ? ofFeature(value) : Object.entries(value)
  for (const [name, field] of [...(key === undefined ? [] : [[KEY, key] as const]), ...own]) {
    const twice = add(fields, name, field as Field)
    if (twice !== undefined) return twice
  }
  return fields
}

/** Adds a field, or those of an object. Returns a name that is taken. */
function add(fields: Map<string, Field>, name: string, field: Field): string | undefined {
  if (!isObject(field) || isWhole(name, field as object)) {
    if (fields.has(name)) return name
    fields.set(name, field)
    return undefined
  }
  for (const [inner, value] of Object.entries(field as object)) {
    const twice = add(fields, `${name}.${inner}`, value as Field)
    if (twice !== undefined) return twice
  }
  return undefined
}

/** Returns whether an object is one thing: an opaque value as exports describe it, or a shape. */
const isWhole = (name: string, value: object): boolean =>
  ('value-type' in value && 'size' in value) || (name === GEOMETRY && 'coordinates' in value)

interface Feature {
  readonly id?: unknown
  readonly properties: object | null
  readonly geometry: { readonly type?: unknown; readonly coordinates?: unknown } | null
}

/** Returns whether an object is a feature of GeoJSON (RFC 7946, section 3.2). */
const isFeature = (value: object): value is Feature =>
  'type' in value && value.type === 'Feature' && 'properties' in value && 'geometry' in value

/** The properties of a feature, its id, and the coordinates of a point. */
function ofFeature({ id, properties, geometry }: Feature): [string, unknown][] {
  const own: [string, unknown][] = Object.entries(properties ?? {})
  const name = properties !== null && 'id' in properties ? 'feature id' : 'id'
  const ids: [string, unknown][] = id === undefined ? [] : [[name, id]]
  if (geometry === null) return [...ids, ...own]
  const { type, coordinates } = geometry
  if (type !== 'Point' || !Array.isArray(coordinates)) return [...ids, ...own, [GEOMETRY, geometry]]
  const point = ['longitude', 'latitude', 'altitude'].flatMap((axis, index): [string, unknown][] =>
    index < coordinates.length ? [[axis, coordinates[index]]] : [],
  )
  return [...ids, ...own, ...point]
}
