/** A button that copies a text. */
import type { JSX } from 'preact'
import './copy.css'
import { notify } from './notices.tsx'

/** `what` says what is copied: `the id`. */
export function Copy({ text, what }: { text: string; what: string }): JSX.Element {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      notify(`Copied ${what}`)
    } catch {
      // Browsers refuse it on pages that came over plain HTTP.
      notify(`This browser did not copy ${what}. Select it, and copy it yourself.`)
    }
  }
  return (
    <button type="button" class="small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      Copy
    </button>
  )
}
