/** The character encodings of text files. */

/** The supported encodings, with the names of the Encoding Standard (https://encoding.spec.whatwg.org). */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Their common names. */
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

/** The encoding of the byte order mark; without one UTF-8 if the octets are valid UTF-8, otherwise Windows-1252. */
export function encodingOf(head: Uint8Array): Encoding {
  const marked = MARKS.find(([mark]) => mark.every((octet, index) => head[index] === octet))
  if (marked !== undefined) return marked[1]
  try {
    // `head` may end in the middle of a character.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}
