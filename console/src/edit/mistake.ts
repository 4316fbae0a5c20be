/** Detects values that are opaque by mistake: a client sent JSON or text with the wrong content type. */
import { parsePrimitive } from '../../../src/model/tag-value.ts'
import { decoded, essenceOf, type Content } from './content.ts'

const JSON_TYPES = ['application/json', 'text/json']

/** The default content type of curl -d. */
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The probably intended value; undefined if there is no sign of a mistake. */
export function meantBy(content: Content): Content | undefined {
  if (content.type !== 'opaque') return undefined
  const type = essenceOf(content.contentType)
  const text = decoded(content.bytes)
  if (text === undefined || (!JSON_TYPES.includes(type) && type !== FORM_TYPE)) return undefined
  const primitive = primitiveIn(text)
  if (primitive !== undefined || type !== FORM_TYPE) return primitive
  // A JSON object or a list of numbers cannot become a primitive value.
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
