/** Sets the focus when the focused element disappears, so that keyboard and screen-reader users can continue. */

/** Focuses the main content, which each page has. */
export function focusContents(options?: FocusOptions): void {
  document.getElementById('main')?.focus(options)
}

/** Returns the focus to the earlier element, or to the main content if that cannot take it. */
export function focusAgain(before: EventTarget | null): void {
  if (before instanceof HTMLElement && before !== document.body) before.focus()
  if (document.activeElement !== before) focusContents({ preventScroll: true })
}
