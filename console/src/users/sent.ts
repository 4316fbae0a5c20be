/** A form that is sent. */
import { useState } from 'preact/hooks'

/** What a form shows of what was sent. */
export interface Sending {
  readonly busy: boolean
  readonly error: unknown
  /** For `onSubmit`. */
  readonly submit: (event: Event) => void
}

/** Sends the fields of a form by `send`, trimmed except passwords, and keeps what is thrown. */
export function useSending(send: (field: (name: string) => string) => Promise<void>): Sending {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined })
  const submit = (event: Event): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    setState({ busy: true, error: undefined })
    const field = (name: string): string => {
      const text = (data.get(name) as string | null) ?? ''
      return name === 'password' ? text : text.trim()
    }
    send(field).then(
      () => setState({ busy: false, error: undefined }),
      (error: unknown) => setState({ busy: false, error }),
    )
  }
  return { ...state, submit }
}
