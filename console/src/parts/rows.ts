/** Going through rows by key: the focus is on a link of the row. */

/** The rows of the present view that a selector finds, and the place of the one that has the focus; -1 if none has. */
export function rowsOf(selector: string): { readonly all: readonly HTMLElement[]; readonly at: number } {
  const all = [...document.querySelectorAll<HTMLElement>(selector)]
  return { all, at: all.findIndex((row) => row.contains(document.activeElement)) }
}

/** Moves the focus to the first link of the next row, or of the one before; of the first row if none has it. */
export function moveRow(selector: string, by: 1 | -1): void {
  const { all, at } = rowsOf(selector)
  const next = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]
  next?.querySelector('a')?.focus()
}
