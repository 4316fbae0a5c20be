/** A button that copies a text. */
import type { JSX } from 'preact'
import { copyText } from './copy.ts'
import './copy-button.css'

/** `what` names the copied text, such as `the id`. */
export const CopyButton = ({ text, what }: { text: string; what: string }): JSX.Element => (
  <button type="button" class="small" aria-label={`Copy ${what}`} onClick={() => void copyText(text, what)}>
    Copy
  </button>
)
