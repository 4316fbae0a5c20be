/** Keeps the user's position in a table in the browser history, so that `back` returns there. */

/** A position in a table. */
export interface TablePosition {
  /** The row at the top. */
  readonly top: number
  /** The row for keyboard commands. */
  readonly active: number
  /** Whether it had the focus. */
  readonly focused: boolean
}

/** The position when the user left this entry of the history. */
export function placeBefore(): TablePosition | undefined {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'top' in state ? (state as TablePosition) : undefined
}

/** Stores the position. */
export function keepPlace(place: TablePosition): void {
  history.replaceState(place, '')
}
