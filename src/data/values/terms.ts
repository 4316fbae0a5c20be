/** Terms: a word, or an item of a list, as octets that databases compare. */
import { hash } from 'node:crypto'

const WORD = 'w'
const ITEM = 'l'
const LONG_TERM_BYTES = 64
const LONG_TERM_PREFIX_BYTES = 32

/** A term as text with a character for each octet: such texts compare like the octets, and faster. */
export type Term = string & { readonly termBrand: unique symbol }

/** The octets of a term, in the form for storing. */
export const termBytes = (term: Term): Buffer => Buffer.from(term, 'latin1')

/** The term for a word of a value. */
export const termOfWord = (word: string): Term => term(WORD, word)

/** The term for an item of a list. */
export const termOfItem = (item: string): Term => term(ITEM, item)

/** The octets of a word's term. */
export const wordTerm = (word: string): Buffer => termBytes(termOfWord(word))

/** The octets of an item's term. */
export const itemTerm = (item: string): Buffer => termBytes(termOfItem(item))

/** The range of the terms of items: `from` is included, `to` is not. */
export const ITEM_TERMS = {
  from: Buffer.from(ITEM),
  to: Buffer.from(String.fromCharCode(ITEM.charCodeAt(0) + 1)),
}

/** The item of an item's term; for a long item the beginning that the term holds. */
export function itemOfTerm(term: Buffer): { readonly text: string; readonly whole: boolean } {
  const whole = term.length <= ITEM.length + LONG_TERM_BYTES
  const bytes = term.subarray(ITEM.length, whole ? term.length : ITEM.length + LONG_TERM_PREFIX_BYTES)
  return { text: textWithin(bytes), whole }
}

/** The text of octets of UTF-8, without a character that is cut off at the end. */
export const textWithin = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true })

const ASCII = /^[\0-\x7f]*$/

/** A term for a text; a long one ends in 0xFF, which no UTF-8 text contains, and the text's SHA-256. */
function term(prefix: string, text: string): Term {
  if (text.length <= LONG_TERM_BYTES && ASCII.test(text)) return `${prefix}${text}` as Term
  const bytes = Buffer.from(text)
  if (bytes.length <= LONG_TERM_BYTES) return `${prefix}${bytes.toString('latin1')}` as Term
  const digest = hash('sha256', bytes, 'buffer')
  const end = Buffer.concat([bytes.subarray(0, LONG_TERM_PREFIX_BYTES), Buffer.of(0xff), digest])
  return `${prefix}${end.toString('latin1')}` as Term
}

/** The range of terms, both ends included, that contains every word with that beginning, and perhaps a few more. */
export function wordRange(beginning: string): { first: Buffer; last: Buffer; exact: boolean } {
  const bytes = Buffer.from(beginning).subarray(0, LONG_TERM_PREFIX_BYTES)
  const first = Buffer.concat([Buffer.from(WORD), bytes])
  return {
    first,
    last: Buffer.concat([first, Buffer.alloc(66, 0xff)]),
    exact: bytes.length === Buffer.byteLength(beginning),
  }
}
