/** The service's own headers, which headers a page of another origin may read, and what a header can hold. */
import { FACTS, type Fact } from '../../model/errors.ts'

/** The class of an error. */
export const ERROR_CLASS = 'X-Service-Error-Class'
/** The id of a failed request, which is also in the log. */
export const REQUEST_ID = 'X-Service-Request-Id'
/** The sentence of an error, or a notice about a success. */
export const MESSAGE = 'X-Service-Message'
/** The type of a primitive value. */
export const VALUE_TYPE = 'X-Service-Type'

/** The header of a fact: `X-Service-` and its name. */
export const factHeader = (fact: Fact): string => `X-Service-${fact.charAt(0).toUpperCase()}${fact.slice(1)}`

/** Whether a header can hold a text, which has one character per octet. */
export const canStandInHeader = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** `Access-Control-Expose-Headers`; no answer has `X-Service-Rangetype` and `RateLimit` so far. */
export const EXPOSED_HEADERS = [
  'ETag',
  'Last-Modified',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  ERROR_CLASS,
  REQUEST_ID,
  ...FACTS.map(factHeader),
  'X-Service-Rangetype',
  VALUE_TYPE,
].join(', ')

const MAX_HEADER_CHARACTERS = 1024

/**
 * Text in a form that a header can hold: visible ASCII and blanks are kept; everything else, and `%`, becomes
 * percent-encoded UTF-8. Text longer than 1,024 characters is cut there, between two characters of the text, and ends
 * in `...`.
 */
export function headerValue(text: string): string {
  if (text.length <= MAX_HEADER_CHARACTERS && PLAIN.test(text)) return text
  let value = ''
  for (const character of text.slice(0, MAX_HEADER_CHARACTERS + 1).toWellFormed()) {
    const encoded = PLAIN.test(character) ? character : percentEncoded(character)
    if (value.length + encoded.length > MAX_HEADER_CHARACTERS) return `${value}...`
    value += encoded
  }
  return value
}

const PLAIN = /^[\x20-\x24\x26-\x7e]*$/

const percentEncoded = (character: string): string =>
  Array.from(Buffer.from(character), (octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join(
    '',
  )
