/** Turns the text of a query into tokens, one at a time, within the limits on operators and nesting. */
import moo from 'moo'

/** The limits of a query. `bytes` counts UTF-8; `nesting` counts open parentheses. */
export interface QueryLimits {
  readonly bytes: number
  readonly operators: number
  readonly nesting: number
}

/** The default limits. */
export const QUERY_LIMITS: QueryLimits = { bytes: 32 * 1024, operators: 1_000, nesting: 100 }

/** A piece of a query. `text` is as written, `value` is what it means; `offset` counts UTF-16 code units. */
export interface Token {
  type?: string | undefined
  text: string
  value: string
  offset: number
}

/** Why a text is not a query, and the offset (in UTF-16 code units) at which that shows. */
export class Flaw extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

const KEYWORDS = new Map(
  Object.entries({
    or: ['or'],
    and: ['and'],
    except: ['except'],
    has: ['has'],
    matches: ['matches'],
    contains: ['contains'],
    constant: ['true', 'false', 'null'],
  }).flatMap(([type, words]) => words.map((word) => [word, type])),
)

const OPERATORS = new Set(['or', 'and', 'except', 'has', 'equality', 'order', 'matches', 'contains'])

const FAULTS = new Map<string | undefined, (text: string) => string>([
  [
    'word',
    (text) => `${quote(text)} is no keyword and no number, and a tag path has at least two components`,
  ],
  ['brokenPath', (text) => `${quote(text)} is no tag path: one of its components is empty`],
  ['unknown', explainUnknown],
])

/** Everything made of names and slashes is one token, so that `has/x` is a path and `5and` is not valid. */
function typeOfWord(text: string): string {
  if (text.includes('/')) return text.split('/').includes('') ? 'brokenPath' : 'path'
  return KEYWORDS.get(text.toLowerCase()) ?? 'word'
}

/** The first component of a path is a user name, and user names are case-insensitive. */
const foldUser = (path: string): string => path.replace(/^[^/]+/u, (user) => user.toLowerCase())

const unescape = (text: string): string => text.slice(1, -1).replace(/\\(["\\])/gu, '$1')

const pieces = moo.compile({
  blank: { match: /[ \t\r\n]+/u, lineBreaks: true },
  open: '(',
  close: ')',
  equality: ['=', '!='],
  order: ['<', '<=', '>', '>='],
  string: { match: /"[^"\\]*(?:\\[^][^"\\]*)*"/u, lineBreaks: true, value: unescape },
  // Not a number if a name continues it: `1e5/x` is a path.
  number: /-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}\p{M}\p{N}_:./-])/u,
  word: { match: /[\p{L}\p{M}\p{N}_:./-]+/u, type: typeOfWord, value: foldUser },
  unknown: moo.error,
})

let limits = QUERY_LIMITS
let operators = 0
let depth = 0

/** The lexer that the grammar uses. It reads one text at a time; `next` throws a `Flaw`. */
export const lexer = {
  /** Sets the limits for the next text. */
  limit(next: QueryLimits): void {
    limits = next
  },

  reset(text: string): void {
    pieces.reset(text)
    operators = 0
    depth = 0
  },

  next(): Token | undefined {
    let token = pieces.next()
    while (token?.type === 'blank') token = pieces.next()
    if (token !== undefined) check(token)
    return token
  },

  // The parser requires these three, but no state outlives a text, and errors are worded elsewhere.
  save: (): object => ({}),
  formatError: (): string => '',
  has: (type: string): boolean => type !== '',
}

function check({ type = '', text, offset }: Token): void {
  const fault = FAULTS.get(type)
  if (fault !== undefined) throw new Flaw(offset, fault(text))
  if (type === 'open') depth += 1
  if (type === 'close') depth -= 1
  if (OPERATORS.has(type)) operators += 1
  if (depth > limits.nesting) {
    throw new Flaw(offset, `parentheses are nested more than ${limits.nesting} deep`)
  }
  if (operators > limits.operators) {
    throw new Flaw(offset, `the query has more than ${limits.operators} operators`)
  }
}

/** `rest` is the remainder of the query, starting with a character that begins no token. */
function explainUnknown(rest: string): string {
  const [character = ''] = rest
  if (character === '"') return 'the string that begins here has no closing quote'
  if (/['‘’“”]/u.test(character)) return `found ${quote(character)}: strings stand in straight double quotes`
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `the character ${quote(character)} (U+${code}) has no meaning here`
}

const SHOWN = 40

/** `text` in quotes for an error message, cut after 40 code points. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * SHOWN + 2)]
  return characters.length > SHOWN ? `"${characters.slice(0, SHOWN).join('')}…"` : `"${text}"`
}
