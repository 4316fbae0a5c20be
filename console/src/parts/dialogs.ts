/** The dialogs of the frame, which anything on a page may open; there is one at a time. */
import { signal, type ReadonlySignal } from '@preact/signals'

/** Their names. */
export type DialogName = 'sign-in' | 'password' | 'keys' | 'palette'

const shown = signal<DialogName | undefined>()

/** The one that is open. */
export const shownDialog: ReadonlySignal<DialogName | undefined> = shown

/** Opens one in the place of another. */
export function openDialog(name: DialogName): void {
  shown.value = name
}

/** Closes one, unless another is open by now: browsers tell only afterwards that they have closed one. */
export function closeDialog(name: DialogName): void {
  if (shown.value === name) shown.value = undefined
}
