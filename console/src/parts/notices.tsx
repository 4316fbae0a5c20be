/** Short messages that go by themselves, such as that something was saved, with a way back where there is one. */
import { signal } from '@preact/signals'
import type { JSX, TargetedFocusEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { focusAgain } from './focus.ts'
import { onOtherUser } from './other-user.ts'

interface Notice {
  readonly text: string
  readonly undo: (() => void) | undefined
  /** When it goes, as `performance.now()` tells it. */
  readonly until: number
}

/** How long one stays, in milliseconds: as long as what it says can be undone. */
const STAYS = 30_000

/** So many stay of those that nothing can be undone by. */
const MOST = 3

const notices = signal<readonly Notice[]>([])

/** Says something. */
export function notify(text: string, undo?: () => void): void {
  const all = [...notices.value, { text, undo, until: performance.now() + STAYS }]
  const last = all.filter((one) => one.undo === undefined).slice(-MOST)
  notices.value = all.filter((one) => one.undo !== undefined || last.includes(one))
}

/** Drops all: what one user did, another must neither see nor undo. */
function clearNotices(): void {
  notices.value = []
}

onOtherUser(clearNotices)

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

/** It stays as long as it has the pointer or the focus. If it has the focus when it goes, that goes back. */
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
