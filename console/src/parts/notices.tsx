/** Short messages that go by themselves, such as that something was saved, with a way back where there is one. */
import { signal } from '@preact/signals'
import type { JSX, TargetedFocusEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { focusAgain } from './focus.ts'

interface Notice {
  readonly text: string
  readonly undo: (() => void) | undefined
}

/** How long one stays, in milliseconds: as long as what it says can be undone. */
const STAYS = 30_000

const notices = signal<readonly Notice[]>([])

/** Says something. */
export function notify(text: string, undo?: () => void): void {
  const notice = { text, undo }
  notices.value = [...notices.value, notice].slice(-3)
  setTimeout(() => {
    drop(notice)
  }, STAYS)
}

function drop(notice: Notice): void {
  notices.value = notices.value.filter((one) => one !== notice)
}

/** Undoes the latest change that can be. */
export function undoLatest(): void {
  const latest = notices.value.findLast((notice) => notice.undo !== undefined)
  if (latest === undefined) notify('There is nothing to undo')
  else undo(latest)
}

function undo(notice: Notice): void {
  drop(notice)
  notice.undo?.()
}

export function Notices(): JSX.Element {
  const before = useRef<EventTarget | null>(null)
  const noteBefore = ({ relatedTarget, currentTarget }: TargetedFocusEvent<HTMLElement>): void => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
      before.current = relatedTarget
  }
  return (
    <div class="notices" role="status" onFocusIn={noteBefore}>
      {notices.value.map((notice) => (
        <Shown key={notice} notice={notice} before={before} />
      ))}
    </div>
  )
}

interface ShownProps {
  readonly notice: Notice
  /** What had the focus before the notices. */
  readonly before: { readonly current: EventTarget | null }
}

/** If it has the focus when it goes, that goes back. */
function Shown({ notice, before }: ShownProps): JSX.Element {
  const element = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(
    () => () => {
      if (element.current?.contains(document.activeElement)) focusAgain(before.current)
    },
    [],
  )
  return (
    <p ref={element}>
      {notice.text}
      {notice.undo && (
        <button type="button" onClick={() => undo(notice)}>
          Undo
        </button>
      )}
      <button type="button" class="plain" aria-label="Dismiss" onClick={() => drop(notice)}>
        ×
      </button>
    </p>
  )
}
