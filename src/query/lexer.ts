/** Turns the text of a query into tokens, one at a time, within the limits on operators and nesting. */
import moo from 'moo'
import { FOREIGN_OPERATORS, insteadOf } from './slips.ts'

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

/** Why tokens of a type are wrong wherever they are; `after` is the type of the token before. */
const FAULTS = new Map<string, (text: string, after: string) => string>([
  ['word', explainWord],
  ['foreign', (text) => `${quote(text)} is not an operator: ${insteadOf(text) ?? ''}`],
  ['brokenPath', (text) => `${quote(text)} is not a tag path: one of its names is empty`],
  ['unknown', explainUnknown],
])

const BEFORE_VALUES = ['equality', 'order', 'matches', 'contains']
const AFTER_CONDITIONS = ['string', 'number', 'constant', 'close', 'tag']

function explainWord(word: string, after: string): string {
  const text = quote(word)
  if (BEFORE_VALUES.includes(after))
    return `${text} is neither a number nor a string: put strings in double quotes`
  const instead = insteadOf(word)
  if (instead !== undefined) return `${text} is not a keyword: ${instead}`
  if (AFTER_CONDITIONS.includes(after))
    return `${text} is not a keyword: join conditions with and, or, except`
  if (after === 'path') return `${text} is not an operator: use =, !=, <, <=, >, >=, matches or contains`
  return `${text} is not a tag path: a tag path has at least two names, such as alice/rating`
}

/** Everything made of names and slashes is one token, so that `has/x` is a path and `5and` is not valid. */
function typeOfWord(text: string): string {
  if (text.includes('/')) return text.split('/').includes('') ? 'brokenPath' : 'path'
  return KEYWORDS.get(text.toLowerCase()) ?? 'word'
}

/** The first component of a path is a user name, and user names are case-insensitive. */
const foldUser = (path: string): string => path.replace(/^[^/]+/u, (user) => user.toLowerCase())

const unescape = (text: string): string => text.slice(1, -1).replace(/\\(["\\])/gu, '$1')

/** Reads one text at a time, from its beginning: nothing else runs before it has been read. */
const pieces = moo.compile({
  blank: { match: /[ \t\r\n]+/u, lineBreaks: true },
  open: '(',
  close: ')',
  foreign: FOREIGN_OPERATORS,
  equality: ['=', '!='],
  order: ['<', '<=', '>', '>='],
  string: { match: /"[^"\\]*(?:\\[^][^"\\]*)*"/u, lineBreaks: true, value: unescape },
  // Not a number if a name continues it: `1e5/x` is a path.
  number: /-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}\p{M}\p{N}_:./-])/u,
  word: { match: /[\p{L}\p{M}\p{N}_:./-]+/u, type: typeOfWord, value: foldUser },
  unknown: moo.error,
})

/** The lexer of one text: `next` throws a `Flaw` for what is no token, and beyond the limits. */
export class QueryLexer {
  readonly #limits: QueryLimits
  #operators = 0
  #depth = 0
  /** The type of the latest token; `tag` for a path that ends a condition, after `has`. */
  #latest = ''

  constructor(limits: QueryLimits) {
    this.#limits = limits
  }

  reset(text: string): void {
    pieces.reset(text)
  }

  next(): Token | undefined {
    let token = pieces.next()
    while (token?.type === 'blank') token = pieces.next()
    if (token !== undefined) this.#check(token)
    return token
  }

  // The parser requires these three, but no state outlives a text, and errors are worded elsewhere.
  save(): object {
    return {}
  }

  formatError(): string {
    return ''
  }

  has(type: string): boolean {
    return type !== ''
  }

  #check({ type = '', text, offset }: Token): void {
    const fault = FAULTS.get(type)
    if (fault !== undefined) throw new Flaw(offset, fault(text, this.#latest))
    this.#latest = type === 'path' && this.#latest === 'has' ? 'tag' : type
    if (type === 'open') this.#depth += 1
    if (type === 'close') this.#depth -= 1
    if (OPERATORS.has(type)) this.#operators += 1
    const { nesting, operators } = this.#limits
    if (this.#depth > nesting) throw new Flaw(offset, `parentheses are nested more than ${nesting} deep`)
    if (this.#operators > operators) throw new Flaw(offset, `the query has more than ${operators} operators`)
  }
}

/** The lexer that the grammar asks for the types of tokens; each text is read with a lexer of its own. */
export const lexer = new QueryLexer(QUERY_LIMITS)

/**
 * The tokens of any text, with those that are faults; blanks are left out. A character that begins no token is a token of
 * the type `unknown`, an open quote with all that follows.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let start = 0
  while (start < text.length) {
    pieces.reset(text.slice(start))
    const [from, until] = [start, text.length]
    start = until
    for (const token of pieces) {
      const offset = from + token.offset
      if (token.type === 'blank') continue
      const isStray = token.type === 'unknown' && !token.text.startsWith('"')
      const shown = isStray ? String.fromCodePoint(token.text.codePointAt(0) ?? 0) : token.text
      tokens.push({ type: token.type, text: shown, value: isStray ? shown : token.value, offset })
      if (isStray) start = offset + shown.length
    }
  }
  return tokens
}

/** `rest` is the remainder of the query, starting with a character that begins no token. */
function explainUnknown(rest: string): string {
  const [character = ''] = rest
  if (character === '"') return 'the string that begins here has no closing quote'
  if (/['‘’“”]/u.test(character)) return `found ${quote(character)}: put strings in straight double quotes`
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `the character ${quote(character)} (U+${code}) has no meaning here`
}

const SHOWN = 40

/** `text` in quotes for an error message, cut after 40 code points. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * SHOWN + 2)]
  return characters.length > SHOWN ? `"${characters.slice(0, SHOWN).join('')}..."` : `"${text}"`
}
