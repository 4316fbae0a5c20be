/** What one user had must not be there for the next one. */
import { user } from '../service/service.ts'

/** Calls something whenever somebody else asks than before; `left` is the name of who did so far. */
export function onOtherUser(forget: (left: string | undefined) => void): void {
  let asks = user.peek()?.name
  user.subscribe((now) => {
    if (now?.name === asks) return
    const left = asks
    asks = now?.name
    forget(left)
  })
}
