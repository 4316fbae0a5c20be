/** Values that became opaque by mistake: somebody sent JSON, or a text, and named the wrong content type. */
import { parsePrimitive } from '../../../src/model/tag-value.ts'
import { decoded, essenceOf, type Content } from './content.ts'

const JSON_TYPES = ['application/json', 'text/json']

/** What curl -d names without being asked. */
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The value that was meant; undefined where the opaque one is as good as any. */
export function meantBy(content: Content): Content | undefined {
  if (content.type !== 'opaque') return undefined
  const type = essenceOf(content.contentType)
  const text = decoded(content.bytes)
  if (text === undefined || (!JSON_TYPES.includes(type) && type !== FORM_TYPE)) return undefined
  const primitive = primitiveIn(text)
  if (primitive !== undefined || type !== FORM_TYPE) return primitive
  // An object or a list of numbers is JSON of which no primitive value can be made.
  return isJson(text) ? undefined : { type: 'string', json: JSON.stringify(text) }
}

function primitiveIn(text: string): Content | undefined {
  try {
    const { type, json } = parsePrimitive(text)
    return { type, json }
  } catch {
    return undefined
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
