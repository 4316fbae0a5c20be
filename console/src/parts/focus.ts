/** Where the focus goes when what had it is no more, so that keys and readers go on from there. */

/** Puts it on what is shown, which each page has. */
export function focusContents(options?: FocusOptions): void {
  document.getElementById('main')?.focus(options)
}

/** Puts it back on what had it before; on the contents if that is gone, or cannot have it now. */
export function focusAgain(before: EventTarget | null): void {
  if (before instanceof HTMLElement && before !== document.body) before.focus()
  if (document.activeElement !== before) focusContents({ preventScroll: true })
}
