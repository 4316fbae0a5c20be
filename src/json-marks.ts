/** What a JSON text is structured by. */

const BACKSLASH = 0x5c
export const [QUOTE, COMMA] = [0x22, 0x2c]
export const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT] = [0x5b, 0x5d, 0x7b]
const CLOSE_OBJECT = 0x7d

/** How many characters are passed over at once. */
export const PASSED_AT_ONCE = 256 * 1024

/** Whether a character is a comma or a bracket; one bit distinguishes square brackets from braces. */
export const isMark = (character: number): boolean =>
  character === COMMA || (character | 0x20) === OPEN_OBJECT || (character | 0x20) === CLOSE_OBJECT

/** Where the string that begins at `start` ends, if that is easy to see: most strings have no backslash at their end. */
export function findEndOfString(text: string, start: number): number | undefined {
  const end = text.indexOf('"', start + 1)
  return end < 0 || text.charCodeAt(end - 1) === BACKSLASH ? undefined : end
}

/** Where the string that begins at `start` ends. Yields within a long one. */
export function* endOfString(text: string, start: number): Generator<undefined, number> {
  let next = start + PASSED_AT_ONCE
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at += 1
    else if (character === QUOTE) return at
    if (at < next) continue
    next = at + PASSED_AT_ONCE
    yield
  }
  return text.length
}

/** Whether a text is nothing but blanks, as JSON has them. */
export const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)
