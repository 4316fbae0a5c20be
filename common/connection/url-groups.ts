/** Divides what a query names among requests, whose URLs have a bounded length. */

/**
 * The most characters of a percent-encoded query in a URL, unless it names a single thing. Proxies accept lines of 8 KiB by
 * default, and the URL also has tags.
 */
export const LONGEST_QUERY = 5500

/** The length of a text in a URL, percent-encoded. */
export const lengthInUrl = (text: string): number => encodeURIComponent(text.toWellFormed()).length

/** Groups consecutive items: at most `most()` of them, with at most `longest` characters in a URL unless it is one item. */
export function* groupsOf<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  most: () => number,
  longest = LONGEST_QUERY,
): Generator<T[]> {
  let group: T[] = []
  let length = 0
  for (const item of items) {
    const more = lengthInUrl(textOf(item))
    if (group.length > 0 && (group.length >= most() || length + more > longest)) {
      yield group
      group = []
      length = 0
    }
    group.push(item)
    length += more
  }
  if (group.length > 0) yield group
}
