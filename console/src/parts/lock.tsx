/** A lock, for things that not all users may see. */
import type { JSX } from 'preact'
import './lock.css'

export const Lock = ({ label = 'not for everybody' }: { label?: string }): JSX.Element => (
  <svg class="lock" viewBox="0 0 12 14" width="10" height="12" role="img" aria-label={label}>
    <path
      d="M3 6V4a3 3 0 0 1 6 0v2M1.5 6h9v7h-9z"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linejoin="round"
    />
    <path d="M6 8.5v2" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
  </svg>
)
