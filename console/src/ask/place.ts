/** Where somebody was in a table, kept with the entry of the browser's history, so that `back` leads there. */

/** A place in a table. */
export interface Place {
  /** The row at the top. */
  readonly top: number
  /** The row that keys act on. */
  readonly active: number
  /** Whether it had the focus. */
  readonly focused: boolean
}

/** Where somebody was when they left this entry of the history. */
export function placeBefore(): Place | undefined {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'top' in state ? (state as Place) : undefined
}

/** Keeps the place. */
export function keepPlace(place: Place): void {
  history.replaceState(place, '')
}
