/** What the browser keeps of a person's choices, from one visit to the next. */

/** What was kept under this name; undefined if nothing was, or the browser keeps nothing for pages. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(`gloss-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a text under this name, or drops it. */
export function keep(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(`gloss-${name}`)
    else localStorage.setItem(`gloss-${name}`, text)
  } catch {
    // A browser that keeps nothing, or has no more room, still has the choice until the page is left.
  }
}
