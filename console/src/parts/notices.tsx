/** Short messages that disappear by themselves, for example after a save, with an undo if possible. */
import { signal } from '@preact/signals'
import type { JSX, TargetedFocusEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { focusAgain } from './focus.ts'
import { onOtherUser } from './other-user.ts'

interface Notice {
  readonly text: string
  readonly undo: (() => void) | undefined
  /** The time of its end, as of `performance.now()`. */
  readonly until: number
}

/** The duration of a notice, in milliseconds; it is also the time for an undo. */
const STAYS = 30_000

/** The most notices without an undo. */
const MOST = 3

const notices = signal<readonly Notice[]>([])

/** Shows a notice. */
export function notify(text: string, undo?: () => void): void {
  const all = [...notices.value, { text, undo, until: performance.now() + STAYS }]
  const last = all.filter((one) => one.undo === undefined).slice(-MOST)
  notices.value = all.filter((one) => one.undo !== undefined || last.includes(one))
}

/** Removes all notices, because another user must neither see nor undo the changes of the earlier one. */
function clearNotices(): void {
  notices.value = []
}

onOtherUser(clearNotices)

function drop(notice: Notice): void {
  notices.value = notices.value.filter((one) => one !== notice)
}

/** Undoes the latest change that has an undo. */
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
  /** The element that had the focus before the notices. */
  readonly before: { readonly current: EventTarget | null }
}

/**
 * The notice stays while it has the pointer or the focus. When it disappears with the focus, the earlier element gets
 * that back.
 */
function Shown({ notice, before }: ShownProps): JSX.Element {
  const element = useRef<HTMLParagraphElement>(null)
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const isHeld = isPointedAt || isFocused
  useLayoutEffect(
    () => () => {
      if (element.current?.contains(document.activeElement)) focusAgain(before.current)
    },
    [],
  )
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => drop(notice), Math.max(0, notice.until - performance.now()))
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    <p
      ref={element}
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
      onFocusIn={() => setIsFocused(true)}
      onFocusOut={() => setIsFocused(false)}
    >
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
