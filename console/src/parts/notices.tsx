/** Short messages that go by themselves, such as that something was saved, with a way back where there is one. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'

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

export function Notices(): JSX.Element {
  return (
    <div class="notices" role="status">
      {notices.value.map((notice) => (
        <p key={notice}>
          {notice.text}
          {notice.undo && (
            <button
              type="button"
              onClick={() => {
                drop(notice)
                notice.undo?.()
              }}
            >
              Undo
            </button>
          )}
          <button
            type="button"
            class="plain"
            aria-label="Dismiss"
            onClick={() => {
              drop(notice)
            }}
          >
            ×
          </button>
        </p>
      ))}
    </div>
  )
}
