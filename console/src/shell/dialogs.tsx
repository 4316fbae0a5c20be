/** The open dialog of the frame. Each loads when the user first opens it. */
import type { ComponentType, JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { closeDialog, shownDialog, type DialogName } from '../parts/dialogs.ts'
import { notify } from '../parts/notices.tsx'

type Closable = ComponentType<{ readonly onClose: () => void }>

const LOADS: Readonly<Record<DialogName, () => Promise<{ readonly default: Closable }>>> = {
  'sign-in': () => import('./sign-in.tsx'),
  password: () => import('../users/password.tsx'),
  keys: () => import('../help/keys-sheet.tsx'),
  palette: () => import('../help/palette.tsx'),
}

export function Dialogs(): JSX.Element | null {
  const name = shownDialog.value
  const [loaded, setLoaded] = useState<{ name: DialogName; Content: Closable } | undefined>()
  useLayoutEffect(() => {
    if (name === undefined) return
    LOADS[name]().then(
      ({ default: Content }) => setLoaded({ name, Content }),
      () => {
        closeDialog(name)
        notify('This could not be loaded: try it once more, or load the page again')
      },
    )
  }, [name])
  if (name === undefined || loaded?.name !== name) return null
  return <loaded.Content onClose={() => closeDialog(name)} key={name} />
}
