/** The character encodings of text files. */
import { Failure, misuse } from '../failure.ts'

/** The common names of usual encodings, by their names in the Encoding Standard (https://encoding.spec.whatwg.org). */
const NAMES: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, high octet first',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250 (Central Europe)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  macintosh: 'Mac Roman',
  shift_jis: 'Shift_JIS',
  gb18030: 'GB 18030 (Chinese)',
  'euc-kr': 'EUC-KR (Korean)',
}

/** The usual encodings. */
export const ENCODINGS: readonly string[] = Object.keys(NAMES)

/** The common name of an encoding. */
export const encodingName = (encoding: string): string => NAMES[encoding] ?? encoding

/** Returns whether a text is a label of the Encoding Standard. */
export function isEncoding(label: unknown): boolean {
  try {
    return typeof label === 'string' && new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}

/** The encoding with a label. Throws a `Failure` if there is none. */
export function namedEncoding(label: string): string {
  if (!isEncoding(label)) throw misuse(`there is no encoding '${label}'`, `such as ${ENCODINGS.join(', ')}`)
  return new TextDecoder(label).encoding
}

const MARKS: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** An encoding, and what the user should know if it is a guess. */
export interface FoundEncoding {
  readonly encoding: string
  readonly note: string | undefined
}

/**
 * The encoding of the byte order mark; without one UTF-16 if every other octet is often 0, UTF-8 if the octets are that,
 * otherwise the most plausible of Shift_JIS, Mac Roman and Windows-1252. Throws a `Failure` if the octets are no text.
 */
export function encodingOf(head: Uint8Array): FoundEncoding {
  const marked = MARKS.find(([mark]) => mark.every((octet, index) => head[index] === octet))
  if (marked !== undefined) return { encoding: marked[1], note: undefined }
  if (head.includes(0)) return { encoding: wideIn(head), note: undefined }
  if (decoded(head, 'utf-8') !== undefined) return { encoding: 'utf-8', note: undefined }
  const [encoding, isSure] = isJapanese(head) ? ['shift_jis', true] : westernIn(head)
  const sure = isSure ? '' : ', or Mac Roman'
  return {
    encoding,
    note: `the file is not UTF-8; its encoding seems to be ${encodingName(encoding)}${sure}: look at the letters, and choose another one if they are wrong`,
  }
}

/** The text of octets, whose last character may be incomplete; undefined if they are not in this encoding. */
function decoded(head: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
  } catch {
    return undefined
  }
}

/** The share of the octets that are 0 which must be at even, or at odd positions. */
const ONE_SIDED = 0.95

/** UTF-16 of the kind that puts zeros where they are. */
function wideIn(head: Uint8Array): string {
  let [even, odd] = [0, 0]
  for (const [index, octet] of head.entries()) {
    if (octet !== 0) continue
    if (index % 2 === 0) even += 1
    else odd += 1
  }
  if (odd >= (even + odd) * ONE_SIDED && odd > head.length / 50) return 'utf-16le'
  if (even >= (even + odd) * ONE_SIDED && even > head.length / 50) return 'utf-16be'
  throw new Failure(
    'this is no text: it has octets that are 0',
    'export its rows as CSV or JSON, and import those',
  )
}

/** Returns whether Shift_JIS has kana in octets, or characters whose second octet is no ASCII. Other texts hardly have both. */
function isJapanese(head: Uint8Array): boolean {
  const text = decoded(head, 'shift_jis')
  if (text === undefined) return false
  let [pairs, japanese] = [0, 0]
  for (let index = 0; index < head.length - 1; index++) {
    const [first, second] = [head[index] ?? 0, head[index + 1] ?? 0]
    if (!isLead(first)) continue
    pairs += 1
    if (second >= 0x80 || isLeadOfKana(first)) japanese += 1
    index += 1
  }
  return pairs > 0 && japanese >= pairs / 2
}

/** Returns whether an octet begins a character of two octets in Shift_JIS. */
const isLead = (octet: number): boolean => (octet > 0x80 && octet < 0xa0) || octet >= 0xe0

const isLeadOfKana = (octet: number): boolean => octet === 0x82 || octet === 0x83

/** Windows-1252 or Mac Roman, and whether one of them is more plausible than the other. */
function westernIn(head: Uint8Array): [string, boolean] {
  const [windows = 0, mac = 0] = ['windows-1252', 'macintosh'].map((encoding) =>
    plausibility(new TextDecoder(encoding).decode(head)),
  )
  return [mac > windows ? 'macintosh' : 'windows-1252', mac !== windows]
}

/** The number of characters beyond ASCII that usually stand where they do in texts of Western Europe. */
const plausibility = (text: string): number =>
  text.match(
    /[\xe0-\xf6\xf8-\xff\xdf\u0153](?!\p{Lu}{2})|(?<!\p{Ll})[\xc0-\xd6\xd8-\xde](?!\P{L}*$)|(?<=\s|^)[\u2013\u2014](?=\s)|[\u2018\u201c](?=\p{L})|(?<=[\p{L}.,!?])[\u2019\u201d]|(?<=\d ?)[\u20ac\xa3\xb0]/gu,
  )?.length ?? 0
