/** A value during editing: the content of the fields, and the value in them. */
import { int64Of } from '../../../src/model/int64.ts'
import { parsePrimitive } from '../../../src/model/tag-value.ts'
import { decoded, type Content, type ValueType } from './content.ts'

/** The content of the fields of all types, so that a change of the type loses nothing. */
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

/** The properties of each type's field: the draft, and the function for a changed one. */
export interface FieldProps {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
}

/** The value, or a sentence about the error in the input. */
export type Outcome = { readonly content: Content } | { readonly fault: string }

const EMPTY: Draft = { type: 'string', text: '', truth: true, items: [''], contentType: '', bytes: undefined }

/** The form offers no text field for larger files. */
const LONGEST_TEXT = 65_536

/** The initial draft: the fields of a value, or empty ones. */
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

/** The draft with another type; it converts the content if possible. */
export function withType(draft: Draft, type: ValueType): Draft {
  const { text, items } = draft
  if (type === 'int') return { ...draft, type, text: text.replace(/\.0+$/, '') }
  if (type === 'list-of-strings' && draft.type === 'string' && text !== '') {
    return { ...draft, type, items: text.split('\n') }
  }
  if (type === 'string' && draft.type === 'list-of-strings') return { ...draft, type, text: items.join('\n') }
  return { ...draft, type }
}

/** The value in a draft. */
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
    // Invalid JSON, and numbers out of range, are not floats.
  }
  return { fault: 'A float is a number of at most 1.8e308, such as 7.5, 9 or 1e-3.' }
}

/** A media type in the syntax of a header (RFC 9110, section 8.3.1). */
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

/** Restores the line breaks of the original in an edited text, because text fields convert all of them to line feeds. */
export const withBreaksOf = (original: string, edited: string): string =>
  /\r\n/.test(original) && !/(^|[^\r])\n|\r(?!\n)/.test(original) ? edited.replace(/\r?\n/g, '\r\n') : edited
