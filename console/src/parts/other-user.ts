/** Deletes data of one user before the next one signs in. */
import { user } from '../service/service.ts'

/** Calls a function whenever the user changes; `left` is the name of the earlier one. */
export function onOtherUser(forget: (left: string | undefined) => void): void {
  let asks = user.peek()?.name
  user.subscribe((now) => {
    if (now?.name === asks) return
    const left = asks
    asks = now?.name
    forget(left)
  })
}
