/** Keeping the focus where it is. */

/** Does something that may move what has the focus to another place in the page, at which browsers take the focus away. */
export function keepingFocus(move: () => void): void {
  const { activeElement } = document
  move()
  // By then it has been rendered.
  requestAnimationFrame(() => {
    if (activeElement instanceof HTMLElement && document.activeElement === document.body)
      activeElement.focus()
  })
}
