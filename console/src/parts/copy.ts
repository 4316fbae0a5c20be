/** Copies texts to the clipboard. */
import { notify } from './notices.tsx'

/** Copies a text, and reports whether that worked; `what` names the text. */
export async function copyText(text: string, what: string): Promise<void> {
  notify((await copied(text)) ? `Copied ${what}` : 'This browser does not let the page copy')
}

async function copied(text: string): Promise<boolean> {
  // Pages without TLS have no clipboard, and a browser may refuse access.
  const clipboard = navigator.clipboard as Clipboard | undefined
  const done = await clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  return done === true || copiedBySelection(text)
}

function copiedBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  // While a dialog is open, the page cannot select text outside it.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(field)
  field.select()
  // There is no other way without a clipboard.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const done = document.execCommand('copy')
  field.remove()
  return done
}
