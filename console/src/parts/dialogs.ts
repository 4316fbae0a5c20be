/** The dialogs of the frame. Any part of a page may open one; only one is open at a time. */
import { signal, type ReadonlySignal } from '@preact/signals'

/** The names of the dialogs. */
export type DialogName = 'sign-in' | 'password' | 'keys' | 'palette'

const shown = signal<DialogName | undefined>()

/** The open dialog. */
export const shownDialog: ReadonlySignal<DialogName | undefined> = shown

/** Opens a dialog, and closes another one. */
export function openDialog(name: DialogName): void {
  shown.value = name
}

/** Closes a dialog, unless another one has opened meanwhile: browsers report the close only afterwards. */
export function closeDialog(name: DialogName): void {
  if (shown.value === name) shown.value = undefined
}
