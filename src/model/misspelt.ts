/** Guesses the name that a misspelt one was meant to be. */
import leven from 'leven'

const MOST_WRONG = 2

/** How many letters of a name may be wrong for it to count as misspelt. */
const wrongLetters = ({ length }: string, inShort: number): number =>
  length < 7 ? inShort : length < 8 ? 1 : MOST_WRONG

/** The known name that `name` nearly is; in names of less than seven letters, `inShort` letters may be wrong. */
export function nearest(name: string, known: Iterable<string>, inShort = 0): string | undefined {
  return [...known].find(
    (one) =>
      // Comparing takes time in proportion to the product of both lengths, and a client may send a name of any length.
      Math.abs(name.length - one.length) <= MOST_WRONG && leven(name, one) <= wrongLetters(one, inShort),
  )
}

/** Messages about variables that are nearly settings: the operator probably meant them as settings. */
export function misspeltSettings(env: object, names: ReadonlySet<string>): string[] {
  return Object.keys(env)
    .filter((name) => !names.has(name))
    .flatMap((name) => {
      const meant = nearest(name, names)
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`]
    })
}
