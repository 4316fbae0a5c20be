/** Phrases: whether a text contains words in sequence. */
import { wordsInPortions, type PatternWord } from './words.ts'

/** Whether `words` contains all words of `pattern` in sequence; true for an empty pattern. */
export function phraseMatches(words: readonly string[], pattern: readonly PatternWord[]): boolean {
  return phraseMatcher(pattern)(words)
}

/** Whether a text contains all words of `pattern` in sequence. Yields, because a text may be long. */
export function* phraseIsIn(text: string, pattern: readonly PatternWord[]): Generator<undefined, boolean> {
  const matches = phraseMatcher(pattern)
  for (const words of wordsInPortions(text)) {
    if (matches(words)) return true
    yield
  }
  return false
}

/** Returns a function that takes words, portion by portion, and returns whether they contained the pattern so far. */
function phraseMatcher(pattern: readonly PatternWord[]): (words: readonly string[]) => boolean {
  if (pattern.length === 0) return () => true
  const placesOf = placesIn(pattern)
  const whole = 1n << BigInt(pattern.length - 1)
  // Bit i is set if the words so far end with the first i + 1 words of the pattern. All partial matches advance at
  // once: starting over at each word would take hours for `a a a … b` in a long text of nothing but `a`.
  let begun = 0n
  return (words) => {
    for (const word of words) {
      begun = ((begun << 1n) | 1n) & placesOf(word)
      if ((begun & whole) !== 0n) return true
    }
    return false
  }
}

/**
 * A quick test of canonical JSON: it passes all texts that contain the words of `pattern` in sequence, and few others
 * that contain all the words.
 */
export function phraseTest(pattern: readonly PatternWord[]): (json: string) => boolean {
  if (pattern.some(({ prefix }) => prefix)) return () => true
  // In ASCII, only characters other than letters and digits separate words, and the dot is the only character in these
  // words that is special in a regular expression.
  const together = new RegExp(pattern.map(({ word }) => word.replaceAll('.', '\\.')).join('[^a-z0-9]+'))
  return (json) => !PLAIN_JSON.test(json) || together.test(json.toLowerCase())
}

const PLAIN_JSON = /^[ -[\]-~]*$/

/** For a word, the positions in `pattern` that it can match, as bits. */
function placesIn(pattern: readonly PatternWord[]): (word: string) => bigint {
  const exact = new Map<string, bigint>()
  const prefixes = new Map<string, bigint>()
  pattern.forEach(({ word, prefix }, place) => {
    const places = prefix ? prefixes : exact
    places.set(word, (places.get(word) ?? 0n) | (1n << BigInt(place)))
  })
  const lengths = [...new Set([...prefixes.keys()].map((prefix) => prefix.length))].sort((a, b) => a - b)
  return (word) => {
    let places = exact.get(word) ?? 0n
    for (const length of lengths) {
      if (length > word.length) break
      places |= prefixes.get(word.slice(0, length)) ?? 0n
    }
    return places
  }
}
