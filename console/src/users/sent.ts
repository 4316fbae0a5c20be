/** Submits forms. */
import { useState } from 'preact/hooks'

/** The state of a submitted form. */
export interface Sending {
  readonly busy: boolean
  readonly error: unknown
  /** For `onSubmit`. */
  readonly submit: (event: Event) => void
}

/** Submits the fields of a form with `send`, trimmed except passwords, and keeps a thrown error. */
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
