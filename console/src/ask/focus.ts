/** Keeps the focus on an element that moves. */

/**
 * Runs a function that may move the focused element in the page, which makes browsers remove the focus, and restores the
 * focus.
 */
export function keepingFocus(move: () => void): void {
  const { activeElement } = document
  move()
  // The next frame has rendered the change.
  requestAnimationFrame(() => {
    if (activeElement instanceof HTMLElement && document.activeElement === document.body)
      activeElement.focus()
  })
}
