/** A value while somebody edits it: what stands in the fields, and the value that comes of it. */
import { int64Of } from '../../../src/model/int64.ts'
import { parsePrimitive } from '../../../src/model/tag-value.ts'
import { decoded, type Content, type ValueType } from './content.ts'

/** What stands in the fields of all types, so that trying another type loses nothing. */
export interface Draft {
  readonly type: ValueType
  /** For int, float and string. */
  readonly text: string
  readonly truth: boolean
  readonly items: readonly string[]
  readonly contentType: string
  /** Undefined until a file is chosen. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined
}

/** What the field of each type gets: the draft, and what takes the changed one. */
export interface FieldProps {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
}

/** The value, or what is wrong with what was typed, as a sentence. */
export type Outcome = { readonly content: Content } | { readonly fault: string }

const EMPTY: Draft = { type: 'string', text: '', truth: true, items: [''], contentType: '', bytes: undefined }

/** Longer files are not offered as a text. */
const LONGEST_TEXT = 65_536

/** What to begin with: the fields of a value, or empty ones. */
export function draftOf(content: Content | undefined): Draft {
  if (content === undefined) return EMPTY
  const { type } = content
  if (type === 'opaque') {
    const { contentType, bytes } = content
    const text = (bytes.length > LONGEST_TEXT ? undefined : decoded(bytes)) ?? ''
    return { ...EMPTY, type, contentType, bytes, text }
  }
  const value = JSON.parse(content.json) as unknown
  if (type === 'boolean') return { ...EMPTY, type, truth: value === true }
  if (type === 'list-of-strings') return { ...EMPTY, type, items: value as string[] }
  return { ...EMPTY, type, text: type === 'string' ? (value as string) : type === 'null' ? '' : content.json }
}

/** The draft as another type, with what can be taken over. */
export function withType(draft: Draft, type: ValueType): Draft {
  const { text, items } = draft
  if (type === 'int') return { ...draft, type, text: text.replace(/\.0+$/, '') }
  if (type === 'list-of-strings' && draft.type === 'string' && text !== '') {
    return { ...draft, type, items: text.split('\n') }
  }
  if (type === 'string' && draft.type === 'list-of-strings') return { ...draft, type, text: items.join('\n') }
  return { ...draft, type }
}

/** The value that a draft is. */
export const outcomeOf = (draft: Draft): Outcome => READERS[draft.type](draft)

const READERS: Readonly<Record<ValueType, (draft: Draft) => Outcome>> = {
  null: () => ({ content: { type: 'null', json: 'null' } }),
  boolean: ({ truth }) => ({ content: { type: 'boolean', json: String(truth) } }),
  int: ({ text }) => intOf(text.trim()),
  float: ({ text }) => floatOf(text.trim()),
  string: ({ text }) => ({ content: { type: 'string', json: JSON.stringify(text) } }),
  'list-of-strings': ({ items }) => ({ content: { type: 'list-of-strings', json: JSON.stringify(items) } }),
  opaque: fileOf,
}

function intOf(text: string): Outcome {
  if (!/^-?\d+$/.test(text)) return { fault: 'An int is digits, with or without - before them: 9, -3.' }
  const int = int64Of(text)
  if (int !== undefined) return { content: { type: 'int', json: String(int) } }
  return {
    fault: 'An int has 64 bits: from -9,223,372,036,854,775,808 to 9,223,372,036,854,775,807.',
  }
}

function floatOf(text: string): Outcome {
  try {
    const { type, json } = parsePrimitive(/^-?\d+$/.test(text) ? `${text}.0` : text)
    if (type === 'float') return { content: { type, json } }
  } catch {
    // What is no JSON, and what is out of range, is no float.
  }
  return { fault: 'A float is a number of at most 1.8e308, such as 7.5, 9 or 1e-3.' }
}

/** A media type as a header can hold it (RFC 9110, section 8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[\t ]*(;[\t\x20-\x7e]*)?$/

function fileOf({ bytes, contentType }: Draft): Outcome {
  const type = contentType.trim()
  if (bytes === undefined) return { fault: 'Choose a file first.' }
  if (!MEDIA_TYPE.test(type)) return { fault: 'A content type is two names with / between them: image/png.' }
  if (/^application\/vnd\.service\.value\+json\b/i.test(type)) {
    return { fault: 'That content type is the one of primitive values: choose another type of value.' }
  }
  return { content: { type: 'opaque', contentType: type, bytes } }
}

/** An edited text with the line breaks of the original: fields of browsers turn all of them into line feeds. */
export const withBreaksOf = (original: string, edited: string): string =>
  /\r\n/.test(original) && !/(^|[^\r])\n|\r(?!\n)/.test(original) ? edited.replace(/\r?\n/g, '\r\n') : edited
