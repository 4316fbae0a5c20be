/** A dialog that takes the focus, and returns it when it closes; Escape closes it. */
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { focusAgain } from './focus.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    return () => {
      // No other element can have the focus while the dialog is open. The code that closed it may already have set the
      // focus.
      queueMicrotask(() => {
        const isLost = document.activeElement === document.body || document.activeElement === null
        if (isLost) focusAgain(before)
      })
    }
  }, [])
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={onClose}>
      <header>
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  )
}
