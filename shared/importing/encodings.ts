/** How text is written in octets. */

/** What is read, by the names of the Encoding Standard (https://encoding.spec.whatwg.org). */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** What people call them. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
}

const MARKS: readonly (readonly [readonly number[], Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** The encoding that a byte order mark says; else UTF-8 if the octets are that, and Windows-1252 if not. */
export function encodingOf(head: Uint8Array): Encoding {
  const marked = MARKS.find(([mark]) => mark.every((octet, index) => head[index] === octet))
  if (marked !== undefined) return marked[1]
  try {
    // The last character may have been cut.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}
