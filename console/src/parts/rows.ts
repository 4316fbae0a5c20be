/** Moves through rows with keys. The focus is on a link of the row. */

/** The rows of the current view that a selector finds, and the index of the focused one; -1 if there is none. */
export function rowsOf(selector: string): { readonly all: readonly HTMLElement[]; readonly at: number } {
  const all = [...document.querySelectorAll<HTMLElement>(selector)]
  return { all, at: all.findIndex((row) => row.contains(document.activeElement)) }
}

/** Moves the focus to the first link of the next or the previous row; of the first row if none has the focus. */
export function moveRow(selector: string, by: 1 | -1): void {
  const { all, at } = rowsOf(selector)
  const next = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]
  next?.querySelector('a')?.focus()
}
