/** What a misspelt name was probably meant to be. */
import leven from 'leven'

const MOST_WRONG = 2

/** How many letters may be wrong in a name for it to count as a misspelt one. */
const wrongLetters = ({ length }: string, inShort: number): number =>
  length < 7 ? inShort : length < 8 ? 1 : MOST_WRONG

/** The known name that `name` is nearly; `inShort` letters may be wrong in those of less than seven letters. */
export function nearest(name: string, known: Iterable<string>, inShort = 0): string | undefined {
  return [...known].find(
    (one) =>
      // Comparing takes as long as both lengths multiplied, and a name may be as long as its sender likes.
      Math.abs(name.length - one.length) <= MOST_WRONG && leven(name, one) <= wrongLetters(one, inShort),
  )
}

/** Variables that are nearly settings: whoever set them believes that they count. */
export function misspeltSettings(env: object, names: ReadonlySet<string>): string[] {
  return Object.keys(env)
    .filter((name) => !names.has(name))
    .flatMap((name) => {
      const meant = nearest(name, names)
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`]
    })
}
