/** A button that opens a panel below it; Escape, and a click outside, close it. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

export function Drop({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false)
  const id = useId()
  const all = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const outside = ({ target }: Event): void => {
      if (target instanceof Node && target.isConnected && all.current?.contains(target) === false)
        setOpen(false)
    }
    const kinds = ['pointerdown', 'focusin']
    for (const kind of kinds) document.addEventListener(kind, outside)
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, outside)
    }
  }, [open])
  return (
    <div
      class="drop-down"
      ref={all}
      onKeyDown={(event) => {
        // An element inside may use Escape itself.
        if (event.key !== 'Escape' || event.defaultPrevented || !open) return
        setOpen(false)
        button.current?.focus()
      }}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      <div id={id} class="dropped" role="group" aria-label={label} hidden={!open}>
        {open && children}
      </div>
    </div>
  )
}
