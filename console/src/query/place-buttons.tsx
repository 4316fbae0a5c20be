/** Buttons that move and remove a part of a group in the builder. */
import type { JSX } from 'preact'

/** The position of a part, and the functions that change it. */
export interface PartPosition {
  readonly at: number
  readonly remove: () => void
  /** Undefined for the first one. */
  readonly moveUp: (() => void) | undefined
}

interface PlaceButtonsProps {
  readonly place: PartPosition
  readonly what: string
}

/** Buttons that move a part up and remove it. */
export const PlaceButtons = ({ place: { at, moveUp, remove }, what }: PlaceButtonsProps): JSX.Element => (
  <span class="place">
    <button
      type="button"
      class="plain"
      aria-label={`Move ${what} ${at + 1} up`}
      title="Move up"
      disabled={moveUp === undefined}
      onClick={moveUp}
    >
      ↑
    </button>
    <button
      type="button"
      class="plain"
      aria-label={`Remove ${what} ${at + 1}`}
      title="Remove"
      onClick={remove}
    >
      ×
    </button>
  </span>
)
