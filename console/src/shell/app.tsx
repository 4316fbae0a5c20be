/** The frame around each view: the query, the tree, the user, and the requests. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { closeDialog, openDialog, shownDialog } from '../parts/dialogs.ts'
import { focusContents } from '../parts/focus.ts'
import { Notices, undoLatest } from '../parts/notices.tsx'
import { focusQuery } from '../parts/problem.tsx'
import { QueryBox } from '../query/box.tsx'
import { go, hrefOf, route } from '../route.ts'
import { Account } from './account.tsx'
import { Dialogs } from './dialogs.tsx'
import { onKeys } from '../parts/keys.ts'
import { RequestBar } from './request-bar.tsx'
import { drawer, focusTree, Side, TreeButton } from './side.tsx'
import { titleOf } from './title.ts'
import { View } from './view.tsx'

export function App(): JSX.Element {
  useKeys()
  const title = titleOf(route.value)
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <>
      <a class="skip-link" href="#main" onClick={toMain}>
        Skip to the contents
      </a>
      <header class="top" inert={drawer.value}>
        <TreeButton />
        <a class="home" href={hrefOf('start')}>
          Gloss
        </a>
        <QueryBox />
        <Account />
      </header>
      <div class="columns">
        <Side />
        <main id="main" tabIndex={-1} inert={drawer.value}>
          <View />
        </main>
      </div>
      <RequestBar />
      <Notices />
      <Dialogs />
    </>
  )
}

function useKeys(): void {
  onKeys('Everywhere', {
    '/': ['to the query', focusQuery],
    'Mod+k': ['go to anything', togglePalette],
    'g s': ['go to the start', () => go(hrefOf('start'))],
    'g t': ['go to the tree', focusTree],
    'g r': ['go to recent changes', () => go(hrefOf('recent'))],
    'g i': ['go to the import', () => go(hrefOf('import'))],
    'g h': ['go to the help', () => go(hrefOf('help'))],
    u: ['undo the latest change', undoLatest],
    '?': ['show the keys', () => openDialog('keys')],
  })
}

function togglePalette(): void {
  if (shownDialog.value === 'palette') closeDialog('palette')
  else openDialog('palette')
}

/** The fragment is the state of the view, so the link cannot use a fragment. */
function toMain(event: Event): void {
  event.preventDefault()
  focusContents()
}
