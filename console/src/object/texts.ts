/** Converts stored bytes and texts to readable text, without characters that a browser interprets. */
import { toJson, parseExact } from '../../../packages/client/json.ts'
import { visible } from '../../../common/values.ts'
import { decoded, essenceOf } from '../edit/content.ts'

/** The kind of preview for a content type. */
type PreviewKind = 'image' | 'json' | 'text' | 'bytes'

const IMAGE = /^image\/(png|jpeg|gif|webp|svg\+xml)$/
const JSON_TYPE = /^(application|text)\/json$|\+json$/
const TEXT = /^text\/|\+xml$|^application\/(xml|yaml|toml|sql|javascript|x-www-form-urlencoded|x-ndjson)$/

export function previewKind(contentType: string): PreviewKind {
  const essence = essenceOf(contentType)
  if (IMAGE.test(essence)) return 'image'
  if (JSON_TYPE.test(essence)) return 'json'
  return TEXT.test(essence) ? 'text' : 'bytes'
}

/** A text on several lines, with visible control characters. */
export const readable = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((part, at) => (at % 2 === 1 ? part : visible(part)))
    .join('')

/** The text of an opaque value, JSON with indents and exact numbers; undefined if it is not text. */
export function textIn(bytes: Uint8Array, contentType: string): string | undefined {
  const encoding = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1]
  const text = decoded(bytes, encoding)
  if (text === undefined || previewKind(contentType) !== 'json') return text
  try {
    return toJson(parseExact(text), 2)
  } catch {
    return text
  }
}

/** The number of bytes per line. */
const WIDTH = 16

/** Positions, hexadecimal values and ASCII characters of bytes. */
export function hexOf(bytes: Uint8Array): string {
  const lines = Array.from({ length: Math.ceil(bytes.length / WIDTH) }, (_, line) => {
    const part = [...bytes.slice(line * WIDTH, (line + 1) * WIDTH)]
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const ascii = part.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
    return `${(line * WIDTH).toString(16).padStart(4, '0')}  ${hex.padEnd(WIDTH * 3 - 1)}  ${ascii}`
  })
  return lines.join('\n')
}

/** Returns whether a text is the URL of a page. */
export function isAddress(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text)) return false
  try {
    return new URL(text).href !== ''
  } catch {
    return false
  }
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/svg+xml': 'svg',
  'image/jpeg': 'jpg',
  'text/plain': 'txt',
  'text/javascript': 'js',
  'application/octet-stream': 'bin',
  'application/x-www-form-urlencoded': 'txt',
}

/** The name of a file for a value: that of its tag, with an extension for the content type. */
export function fileName(tag: string, contentType: string): string {
  const essence = essenceOf(contentType)
  const name = tag.slice(tag.lastIndexOf('/') + 1)
  const ending = ENDINGS[essence] ?? /\/([a-z0-9]{1,5})$/.exec(essence)?.[1] ?? 'bin'
  return name.endsWith(`.${ending}`) ? name : `${name}.${ending}`
}
