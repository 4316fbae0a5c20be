/** The words of a text, and those that `matches` looks for among them. */
import { findBoundaries } from 'unicode-default-word-boundary'
import { ASCII, fold, GROWTH } from './folding.ts'

/** A word of a phrase: exactly that word or, with `prefix`, any word that begins with it. */
export interface PatternWord {
  word: string
  prefix: boolean
}

/** The words of `text` in order, folded: words that differ only in letter case or compatibility forms become equal. */
export const wordsOf = (text: string): string[] => [...wordsInPortions(text)].flat()

/** How many characters are segmented at once, counted after folding: approximately, and at most. */
const [PORTION, MOST] = [32 * 1024, 64 * 1024]

/**
 * The words of `text` in portions of about `portion` characters, by default of at most `MOST` after folding: there may be
 * millions. Text of this length without a place to cut (low lines, marks) is cut as if a word ended there.
 */
export const wordsInPortions = (text: string, portion?: number): Iterable<readonly string[]> =>
  text.length <= (portion ?? PORTION / GROWTH) ? [wordsOfPortion(text)] : wordsOfLong(text, portion)

function* wordsOfLong(text: string, portion?: number): Generator<readonly string[]> {
  let start = 0
  // The beginning of the next word, if the cut was inside a word.
  let begun = ''
  for (;;) {
    const [from, until] = rangeOfCut(text, start, portion)
    if (from >= text.length) break
    const { at, next, joint } = cutAfter(text, [from, until])
    const words = goingOn(begun, wordsOfPortion(text.slice(start, at)))
    begun = joint === undefined ? '' : (words.pop() ?? '') + joint
    yield words
    start = next
  }
  yield goingOn(begun, wordsOfPortion(text.slice(start)))
}

/** The range for the next cut in a text that is cut at `start`. */
function rangeOfCut(text: string, start: number, portion: number | undefined): [from: number, until: number] {
  if (portion !== undefined) return [start + portion, start + portion + MOST]
  const growth = ASCII.test(text.slice(start, start + MOST)) ? 1 : GROWTH
  return [start + Math.floor(PORTION / growth), start + Math.floor(MOST / growth)]
}

/** `words`, whose first word continues `begun`. */
const goingOn = (begun: string, words: string[]): string[] =>
  begun === '' ? words : [begun + (words[0] ?? ''), ...words.slice(1)]

/** Where to cut a text. */
interface Cut {
  readonly at: number
  /** The start of the next portion: the characters before it, if any, are in neither portion. */
  readonly next: number
  /** If the cut is within a word: the characters between its halves. */
  readonly joint: string | undefined
}

const betweenWords = (at: number, next = at): Cut => ({ at, next, joint: undefined })

/** Characters that end a word, and that normalization does not combine with the characters before them. */
const BETWEEN = /[\t\n\r !#-&()*+\-/<-@[-^`{-~\u2028\u2029]/g

/** How many places are tried, one after the other, and in how many parts of a range. */
const [TRIES, PARTS] = [16, 8]

/** Where to cut a text in a range: between two words if such a place is found quickly, at the end of the range otherwise. */
function cutAfter(text: string, [from, until]: [number, number]): Cut {
  BETWEEN.lastIndex = 0
  const between = BETWEEN.exec(text.slice(from, until))
  if (between !== null) return betweenWords(from + between.index)
  for (let part = 0; part < PARTS; part++) {
    const first = from + Math.floor(((until - from) / PARTS) * part)
    for (let tried = 0; tried < TRIES; tried++) {
      const cut = cutAt(text, first + tried)
      if (cut !== undefined) return cut
    }
  }
  return betweenWords(HALF.test(text.charAt(until)) ? until - 1 : Math.min(until, text.length))
}

/** How many characters of a text a cut looks at on both sides: more than any rule for words does. */
const SIGHT = 64
/** Text with enough visible characters: the rules pass over marks and invisible characters. */
const SEEN =
  /^(?:[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]*[^\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]){4}/u
const HALF = /[\udc00-\udfff]/
/** Connectors are part of words, but no words by themselves. Where they end a word, they may be left out. */
const CONNECTORS = /^(?:\p{Pc}[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]*)*/u
const NO_START = /^[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Whether a place is between two characters, with enough text around it to see where words end. */
function isClear(left: string, right: string): boolean {
  if (HALF.test(right.charAt(0)) || NO_START.test(right)) return false
  return SEEN.test(left) && SEEN.test(right)
}

/**
 * The cut at a place, if the words around it are the same with and without it. A run of connectors may be longer than the
 * text that is looked at; seen alone it is no word, so a word that continues with it cannot be cut there.
 */
function cutAt(text: string, at: number): Cut | undefined {
  const [left, right] = [text.slice(at - SIGHT, at), text.slice(at, at + SIGHT)]
  const { length } = CONNECTORS.exec(right)?.[0] ?? ''
  const rest = right.slice(length)
  if (!isClear(left, rest)) return undefined
  const words = (some: string): string => wordsOfPortion(some).join(' ')
  const [whole, before] = [words(left + right), words(left)]
  if (whole === `${before} ${words(rest)}`.trim()) return betweenWords(at, at + length)
  if (length > 0) return undefined
  for (const joint of ['', right.charAt(0)]) {
    const after = words(right.slice(joint.length))
    if (before !== '' && after !== '' && whole === before + joint + after) {
      return { at, next: at + joint.length, joint }
    }
  }
  return undefined
}

function wordsOfPortion(text: string): string[] {
  const folded = fold(text)
  if (PLAIN.test(folded) || (ASCII.test(folded) && !JOINED_RUNS.test(folded))) {
    return folded.match(PLAIN_WORD) ?? []
  }
  return Array.from(spansOf(folded), ({ word }) => word)
}

/** Folded ASCII without a character that could join two words. Each run of letters and digits in it is a word. */
const PLAIN = /^[^':;.,_\x80-\uffff]*$/
const PLAIN_WORD = /[a-z\d]+/g
/** Folded ASCII in which a character may join two runs. */
const JOINED_RUNS = /_|[a-z]'[a-z]|\d[.,;']\d/

/** Whether there is a word in a text. */
export function hasWord(text: string): boolean {
  for (const words of wordsInPortions(text)) if (words.length > 0) return true
  return false
}

/** Whether folding turns some texts into more characters, all together, than are segmented at once. */
export const foldToTooMany = (texts: readonly string[]): boolean =>
  GROWTH * lengthOf(texts) > MOST && lengthOf(texts.map(fold)) > MOST

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

/** The words in the operand of `matches`, which is segmented at once; a word directly followed by `*` is a prefix. */
export function patternOf(text: string): PatternWord[] {
  const folded = fold(text)
  return Array.from(spansOf(folded), ({ word, end }) => ({
    word,
    prefix: folded[end] === '*',
  }))
}

/**
 * Characters that join two letters by UAX #29 but end a word here: a colon, a full stop, a middle dot, or low lines. Folding
 * has made their other forms equal to these. Marks after such a character belong to it (docs/decisions/0133-words.md).
 */
const ASCII_JOINT = /(?<=[a-z])(?:[:.]|_+)(?=[a-z])/g
const JOINT = /(\p{L}\p{M}*)([:.\u00b7]\p{M}*|(?:_\p{M}*)+)(?=\p{L})/gu

/** Replaces each joint by blanks. No character moves: `patternOf` looks at the character after a word. */
const partedAtJoints = (folded: string): string =>
  ASCII.test(folded)
    ? folded.replace(ASCII_JOINT, (joint) => ' '.repeat(joint.length))
    : folded.replace(JOINT, (_, before: string, joint: string) => before + ' '.repeat(joint.length))

const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u

/** UAX #29 for ASCII only, seven times as fast as the general way: runs, and the characters that join two of them. */
const ASCII_RUN = /\w+/g
const [MID_LETTER, MID_NUMBER] = [/[a-z]'[a-z]/, /\d[.,;']\d/]

/** The words among the segments of a folded text: those with a letter or a number in them. */
function* spansOf(folded: string): Generator<{ word: string; end: number }> {
  const text = partedAtJoints(folded)
  for (const [start, end] of ASCII.test(text) ? asciiSegments(text) : segments(text)) {
    const word = text.slice(start, end)
    if (LETTER_OR_NUMBER.test(word)) yield { word, end }
  }
}

function* asciiSegments(folded: string): Generator<[start: number, end: number]> {
  let [start, end] = [0, 0]
  for (const { index, 0: run } of folded.matchAll(ASCII_RUN)) {
    if (end > start && !isJoint(folded, end, index)) {
      yield [start, end]
      start = index
    }
    if (end === 0) start = index
    end = index + run.length
  }
  if (end > start) yield [start, end]
}

/** Whether exactly one character is between two runs, and it joins them. */
function isJoint(folded: string, end: number, next: number): boolean {
  if (next !== end + 1) return false
  const around = folded.slice(end - 1, next + 1)
  return MID_LETTER.test(around) || MID_NUMBER.test(around)
}

function* segments(folded: string): Generator<[start: number, end: number]> {
  let start = 0
  // A cut may leave half a character at an end, which the library would reject.
  for (const end of findBoundaries(folded.toWellFormed())) {
    yield [start, end]
    start = end
  }
}
