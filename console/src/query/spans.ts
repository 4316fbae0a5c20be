/** Divides a query into pieces by kind. */
import { tokensOf } from '../../../src/query/lexer.ts'

/** A faulty part of a text. */
export interface Fault {
  readonly start: number
  readonly end: number
}

/** A piece of a text. */
export interface Span {
  readonly text: string
  readonly look: 'keyword' | 'path' | 'operator' | 'string' | 'number' | 'plain'
  readonly isFault: boolean
}

const LOOKS: Readonly<Record<string, Span['look']>> = {
  ...{ or: 'keyword', and: 'keyword', except: 'keyword', has: 'keyword' },
  ...{ matches: 'keyword', contains: 'keyword', constant: 'number', number: 'number' },
  ...{ path: 'path', equality: 'operator', order: 'operator', string: 'string' },
}

/** The pieces of the whole text, in order. */
export function spansOf(text: string, faults: readonly Fault[]): readonly Span[] {
  const spans: Span[] = []
  let end = 0
  const add = (until: number, look: Span['look']): void => {
    // Errors begin and end at tokens, but an error may contain blanks.
    if (until > end) {
      const isFault = faults.some((fault) => end < fault.end && until > fault.start)
      spans.push({ text: text.slice(end, until), look, isFault })
    }
    end = until
  }
  for (const token of tokensOf(text)) {
    add(token.offset, 'plain')
    const isOpenString = token.type === 'unknown' && token.text.startsWith('"')
    add(token.offset + token.text.length, isOpenString ? 'string' : (LOOKS[token.type ?? ''] ?? 'plain'))
  }
  add(text.length, 'plain')
  return spans
}

/** The range to underline for an error at an offset: the token there, or nothing at the end of the text. */
export function faultAt(text: string, offset: number): readonly Fault[] {
  const token = tokensOf(text).find((one) => one.offset + one.text.length > offset)
  return token === undefined ? [] : [{ start: token.offset, end: token.offset + token.text.length }]
}
