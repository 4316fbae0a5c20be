/** Corrects common mistakes of users who know other query languages, or who have forgotten a quote. */
import { tokensOf, type Token } from '../../../src/query/lexer.ts'
import { insteadOf } from '../../../src/query/slips.ts'
import { quoted } from './compose.ts'
import { readText } from './reading.ts'

/** A text with more mistakes gets no correction. */
const MOST = 20

/** The paths for names of tags. */
export type Paths = ReadonlyMap<string, string>

/** The corrected text; undefined if the text is already valid or no correction is known. */
export function mended(text: string, paths: Paths = new Map()): string | undefined {
  let now = text
  for (let left = MOST; left > 0; left -= 1) {
    const reading = readText(now)
    if ('root' in reading) return now === text ? undefined : now
    const place = placeIn(now, reading.flaw.offset, paths)
    const next = MENDINGS.reduce<string | undefined>((found, mend) => found ?? mend(place), undefined)
    if (next === undefined || next === now) return undefined
    now = next
  }
  return undefined
}

/** The names in a text that may be the last names of tags. */
export function bareNames(text: string): readonly string[] {
  const tokens = tokensOf(text)
  const names = tokens.filter(
    (token, at) =>
      token.type === 'word' &&
      insteadOf(token.text) === undefined &&
      !isOneOf(BEFORE_VALUES, tokens[at - 1]) &&
      (tokens[at - 1]?.type === 'has' || isOneOf(OPERATORS, tokens[at + 1])),
  )
  return [...new Set(names.map((token) => token.text))]
}

/** The position of a syntax error. */
interface SyntaxErrorPosition {
  readonly text: string
  readonly tokens: readonly Token[]
  /** The index of the token there. */
  readonly at: number
  /** The token, unless the text ends. */
  readonly token: Token | undefined
  readonly before: Token | undefined
  readonly paths: Paths
}

function placeIn(text: string, offset: number, paths: Paths): SyntaxErrorPosition {
  const tokens = tokensOf(text)
  const found = tokens.findIndex((token) => token.offset >= offset)
  const at = found < 0 ? tokens.length : found
  return { text, tokens, at, token: tokens[at], before: tokens[at - 1], paths }
}

const BEFORE_VALUES = ['equality', 'order', 'matches', 'contains']
const OPERATORS = [...BEFORE_VALUES, 'foreign']
const JOINTS = ['and', 'or', 'except', 'close']

const isOneOf = (types: readonly string[], token: Token | undefined): boolean =>
  token !== undefined && types.includes(token.type ?? '')

const endOf = (token: Token): number => token.offset + token.text.length

/** Returns whether a condition ends before a token. */
const endsCondition = ({ tokens, at, before }: SyntaxErrorPosition): boolean =>
  isOneOf(['string', 'number', 'constant', 'close'], before) ||
  (before?.type === 'path' && tokens[at - 2]?.type === 'has')

const replaced = (text: string, [from, to]: readonly [number, number], by: string): string =>
  text.slice(0, from) + by + text.slice(to)

const instead = ({ text }: SyntaxErrorPosition, token: Token, by: string): string =>
  replaced(text, [token.offset, endOf(token)], by)

const isWord = (token: Token | undefined, ...words: readonly string[]): token is Token =>
  token !== undefined && words.includes(token.text.toLowerCase())

type Mending = (place: SyntaxErrorPosition) => string | undefined

/** `==`, `<>`, `&&` and similar: the error message names the replacement. */
const foreign: Mending = (place) => {
  const by = /^use (\S+)/.exec(insteadOf(place.token?.text ?? '') ?? '')?.[1]
  return place.token?.type === 'foreign' && by !== undefined ? instead(place, place.token, by) : undefined
}

const QUOTES = /^(?:['‘’`]([^'‘’`]*)['‘’`]|[“”„]([^“”"]*)[“”"])/u

const quotes: Mending = ({ text, token }) => {
  if (token?.type !== 'unknown') return undefined
  if (token.text.startsWith('"')) return `${text}"`
  const [all, single, double] = QUOTES.exec(text.slice(token.offset)) ?? []
  if (all === undefined) return undefined
  return replaced(text, [token.offset, token.offset + all.length], quoted(single ?? double ?? ''))
}

const STRAY: Readonly<Record<string, string>> = { '&': 'and', '|': 'or', ';': '', '+': '' }

/** Characters without a meaning in queries, but with an obvious one. */
const stray: Mending = (place) => {
  const { token } = place
  if (token?.type !== 'unknown') return undefined
  if (/^\s$/u.test(token.text)) return instead(place, token, ' ')
  const by = STRAY[token.text]
  return by === undefined ? undefined : instead(place, token, by)
}

/** `! =`. */
const unequal: Mending = ({ text, tokens, at, token }) => {
  const next = tokens.at(at + 1)
  return isWord(token, '!') && next?.text === '='
    ? replaced(text, [token.offset, endOf(next)], '!=')
    : undefined
}

/** `and not`, `and !`: the language has the operator `except`. */
const negation: Mending = (place) => {
  const { text, tokens, at, token, before } = place
  if (!isWord(token, 'not', '!')) return undefined
  const next = tokens[at + 1]
  const end = next?.offset ?? endOf(token)
  if (before?.type === 'and') return replaced(text, [before.offset, end], 'except ')
  return endsCondition(place) ? replaced(text, [token.offset, end], 'except ') : undefined
}

/** `is null`, `is not null`, `is not 5`. */
const is: Mending = (place) => {
  const { text, tokens, at, token, before } = place
  if (!isWord(token, 'is') || before?.type !== 'path') return undefined
  const [next, last] = tokens.slice(at + 1)
  if (!isWord(next, 'not')) return instead(place, token, '=')
  if (!isWord(last, 'null')) return replaced(text, [token.offset, endOf(next)], '!=')
  return replaced(text, [before.offset, endOf(last)], `has ${before.text}`)
}

const LIKE = /^i?like\s+["'“]([^"'”]*)["'”]/iu

/** `like "new%"`: `matches` finds beginnings of words. */
const like: Mending = (place) => {
  const { text, token } = place
  if (!isWord(token, 'like', 'ilike')) return undefined
  const [all, pattern] = LIKE.exec(text.slice(token.offset)) ?? []
  if (all === undefined || pattern === undefined) return instead(place, token, 'matches')
  const words = pattern
    .replace(/^%+/, '')
    .replace(/(?<!%)%+$/, '*')
    .replace(/[%_]+/g, ' ')
  return replaced(text, [token.offset, token.offset + all.length], `matches ${quoted(words)}`)
}

/** `in ("a", "b")` becomes several comparisons. */
const among: Mending = ({ text, token, before }) => {
  if (!isWord(token, 'in') || before?.type !== 'path') return undefined
  const [all, list] = /^in\s*[([]([^()[\]]*)[)\]]/i.exec(text.slice(token.offset)) ?? []
  if (all === undefined || list === undefined) return undefined
  const conditions = list.split(',').map((value) => `${before.text} = ${value.trim()}`)
  return replaced(text, [before.offset, token.offset + all.length], `(${conditions.join(' or ')})`)
}

/** `between 1 and 2` becomes two comparisons. */
const between: Mending = ({ text, tokens, at, token, before }) => {
  if (!isWord(token, 'between') || before?.type !== 'path') return undefined
  const [low, and, high] = tokens.slice(at + 1)
  if (low === undefined || high === undefined || and?.type !== 'and') return undefined
  const both = `${before.text} >= ${low.text} and ${before.text} <= ${high.text}`
  return replaced(text, [before.offset, endOf(high)], both)
}

/** Uses only the text after `where`. */
const where: Mending = ({ text, tokens, at, token }) => {
  if (at > 0 || !isWord(token, 'select', 'where')) return undefined
  const last = tokens.find((one) => isWord(one, 'where'))
  return last && text.slice(endOf(last)).trimStart()
}

/** `5and`. */
const stuck: Mending = (place) => {
  const [, number, joint] = /^(-?\d+(?:\.\d+)?)(and|or|except)$/i.exec(place.token?.text ?? '') ?? []
  if (place.token === undefined || number === undefined || joint === undefined) return undefined
  return isOneOf(BEFORE_VALUES, place.before) ? instead(place, place.token, `${number} ${joint}`) : undefined
}

/** Words in the place of a value become a string. */
const bareValue: Mending = ({ text, tokens, at, token, before }) => {
  if (!isOneOf(BEFORE_VALUES, before) || (before?.type === 'order' && token?.type === 'constant'))
    return undefined
  let last = at - 1
  while (isPartOfValue(tokens, last + 1)) last += 1
  const end = tokens[last]
  if (token === undefined || end === undefined || last < at) return undefined
  return replaced(text, [token.offset, endOf(end)], quoted(text.slice(token.offset, endOf(end))))
}

function isPartOfValue(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (!isOneOf(['word', 'path', 'brokenPath', 'number', 'constant'], token)) return false
  return insteadOf(token?.text ?? '') === undefined && !isOneOf(OPERATORS, tokens[at + 1])
}

/** `has a/b = 5` has a redundant `has`. */
const hasTwice: Mending = ({ text, tokens, at, token, before }) => {
  const has = tokens[at - 2]
  if (!isOneOf(OPERATORS, token) || before?.type !== 'path' || has?.type !== 'has') return undefined
  return replaced(text, [has.offset, before.offset], '')
}

/** Replaces a name by the path of the only tag with that name. */
const bareName: Mending = (place) => {
  const path = place.token?.type === 'word' ? place.paths.get(place.token.text) : undefined
  if (place.token === undefined || path === undefined) return undefined
  return instead(place, place.token, endsCondition(place) ? `and ${path}` : path)
}

/** A path alone becomes a `has` condition. */
const barePath: Mending = ({ text, tokens, at, token, before }) => {
  if (before?.type !== 'path' || tokens[at - 2]?.type === 'has') return undefined
  if (token !== undefined && !isOneOf(JOINTS, token)) return undefined
  return replaced(text, [before.offset, before.offset], 'has ')
}

/** Two conditions without an operator between them. */
const unjoined: Mending = (place) => {
  const { text, token } = place
  if (token === undefined || !endsCondition(place) || !isOneOf(['has', 'path', 'open'], token))
    return undefined
  return replaced(text, [token.offset, token.offset], 'and ')
}

/** An unclosed parenthesis. */
const unclosed: Mending = (place) =>
  place.token === undefined && endsCondition(place) ? `${place.text.trimEnd()})` : undefined

const MENDINGS: readonly Mending[] = [
  ...[foreign, quotes, unequal, negation, stray, is, like, among, between, where],
  ...[stuck, bareValue, hasTwice, bareName, barePath, unjoined, unclosed],
]
