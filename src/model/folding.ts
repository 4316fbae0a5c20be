/** Folds texts, so that texts that differ only in letter case or compatibility forms become equal. */

export const ASCII = /^[\0-\x7f]*$/

/** How many characters folding makes of one at most; of an ASCII character, never more than one. */
export const GROWTH = 18

/** Emoji, including keycaps, and the zero width space: none is part of a word, and each separates words. */
const BETWEEN_WORDS = /[\d#*]\ufe0f?\u20e3|\p{Emoji_Presentation}|\p{Extended_Pictographic}|\u200b/gu

/**
 * Unicode's compatibility caseless form (NFKC_Casefold) of `text`. Folding comes before the segmentation, so that texts
 * that fold to the same form have the same words: `CO₂` and `co2`, `Ｃａｆｅ́` and `café`. Before that, blanks replace
 * emoji; otherwise `™` would fold to letters and stick to the name before it.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const visible = text.replace(BETWEEN_WORDS, ' ').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const parted = visible.replace(MANY_MARKS, `$&${JOINER}`)
  const once = foldCase(parted.normalize('NFD')).normalize('NFKC')
  return foldCase(once).normalize('NFKC').replaceAll(JOINER, '')
}

/** As many marks as a letter may have in the Stream-Safe Text Format of UAX #15, followed by more. */
const MANY_MARKS = /\p{M}{30}(?=\p{M})/gu

/**
 * The combining grapheme joiner, over which normalization moves no mark. Without it, sorting the marks of one letter would
 * take time that grows with the square of their number.
 */
const JOINER = '\u034f'

/**
 * Full case folding, which JavaScript lacks. Lower, upper, lower gives the same classes of equal letters as Unicode's
 * table, with two exceptions: it would merge `ı` with `i`, and a `σ` becomes `ς` at the end of a word.
 */
function foldCase(text: string): string {
  const parts = text.split('ı').map((part) => part.toLowerCase().toUpperCase().toLowerCase())
  return parts.join('ı').replaceAll('ς', 'σ')
}
