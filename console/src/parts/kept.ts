/** Stores a user's choices in the browser. */

/** The stored text; undefined if there is none, or if the browser stores nothing for pages. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(`gloss-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a text under this name, or deletes it. */
export function keep(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(`gloss-${name}`)
    else localStorage.setItem(`gloss-${name}`, text)
  } catch {
    // If the browser cannot store it, the choice lasts until the user leaves the page.
  }
}
