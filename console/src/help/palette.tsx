/** Finds pages, commands, tags, namespaces and objects by a few letters. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { openDialog } from '../parts/dialogs.ts'
import { useLoaded } from '../parts/loaded.ts'
import { focusQuery, Problem } from '../parts/problem.tsx'
import { go, hrefOf } from '../route.ts'
import { base, client, signOut, user } from '../service/service.ts'
import { setTheme, THEMES, type Theme } from '../parts/theme.ts'
import { isMeant, objectsOf, placesOf, type PathFound } from './places.ts'
import './help.css'

interface Choice {
  readonly name: string
  readonly kind: string
  readonly run: () => void
}

export default function Palette({ onClose }: { onClose: () => void }): JSX.Element {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const wanted = text.trim()
  const found = useLoaded((signal) => suggested(wanted, signal), [wanted])
  const places = found.value?.of === wanted ? found.value.places : []
  const choices = [...commands().filter(({ name }) => isMeant(name, wanted)), ...places]
  const chosen = Math.min(at, choices.length - 1)
  const take = (choice: Choice | undefined): void => {
    if (choice === undefined) return
    onClose()
    // While the dialog is open, no other element can take the focus.
    requestAnimationFrame(() => setTimeout(choice.run))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: choices.length - 1 }
    const move = moves[event.key]
    if (event.key === 'Enter') take(choices[chosen])
    else if (move !== undefined && choices.length > 0) setAt((chosen + move) % choices.length)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        class="palette"
        role="combobox"
        aria-label="Page, command, tag, namespace or about value"
        aria-expanded={choices.length > 0}
        aria-controls="palette"
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `palette-${chosen}` : undefined}
        placeholder="Page, command, tag, namespace or about value"
        autocomplete="off"
        spellcheck={false}
        autofocus
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <Choices choices={choices} chosen={chosen} take={take} />
      {found.error !== undefined && <Problem error={found.error} again={found.again} />}
    </Dialog>
  )
}

interface ChoicesProps {
  readonly choices: readonly Choice[]
  readonly chosen: number
  readonly take: (choice: Choice) => void
}

const Choices = ({ choices, chosen, take }: ChoicesProps): JSX.Element => (
  <ul id="palette" role="listbox" aria-label="Where to">
    {choices.map((choice, index) => (
      <li
        key={`${choice.kind} ${choice.name}`}
        id={`palette-${index}`}
        role="option"
        aria-selected={index === chosen}
        ref={(element) => {
          if (index === chosen) element?.scrollIntoView({ block: 'nearest' })
        }}
        onClick={() => take(choice)}
      >
        <span class="name">{choice.name}</span> <span class="kind">{choice.kind}</span>
      </li>
    ))}
  </ul>
)

/** Milliseconds from the last key to the request. */
const AFTER = 150

interface Suggested {
  /** The text for which the service suggested them. */
  readonly of: string
  readonly places: readonly Choice[]
}

async function suggested(text: string, signal: AbortSignal): Promise<Suggested> {
  if (text === '') return { of: text, places: [] }
  await new Promise((resolve) => setTimeout(resolve, AFTER))
  signal.throwIfAborted()
  const [paths, abouts] = await Promise.all([
    client().GET('/search/suggest', { params: { query: { text, limit: 8 } }, signal }),
    client().GET('/search/suggest', { params: { query: { text, tag: 'service/about', limit: 5 } }, signal }),
  ])
  const found = paths.data.suggestions.filter((one): one is typeof one & PathFound => 'path' in one)
  const values = abouts.data.suggestions.flatMap((one) =>
    'value' in one && typeof one.value === 'string' ? [one.value] : [],
  )
  const places = [...placesOf(found), ...objectsOf(text, values)]
  return { of: text, places: places.map(({ name, kind, href }) => ({ name, kind, run: () => go(href) })) }
}

function commands(): readonly Choice[] {
  const who = user.value
  const page = (name: string, href: string): Choice => ({ name, kind: 'page', run: () => go(href) })
  const command = (name: string, run: () => void): Choice => ({ name, kind: 'command', run })
  return [
    page('Start', hrefOf('start')),
    page('Recent changes', hrefOf('recent')),
    page('Import', hrefOf('import')),
    page('Help', hrefOf('help')),
    ...(who === undefined
      ? [command('Sign in', () => openDialog('sign-in'))]
      : [
          page(who.isSuperuser ? 'Users' : 'My name and e-mail', usersOf(who)),
          command('Change my password', () => openDialog('password')),
          command('Sign out', signOut),
        ]),
    command('Write a query', focusQuery),
    command('Keys', () => openDialog('keys')),
    command('Reference of the service', () => open(`${base}/docs`, '_blank', 'noreferrer')),
    ...Object.entries(THEMES).map(([name, says]) =>
      command(`Colours: ${says.toLowerCase()}`, () => setTheme(name as Theme)),
    ),
  ]
}

const usersOf = ({ name, isSuperuser }: { readonly name: string; readonly isSuperuser: boolean }): string =>
  hrefOf('users', isSuperuser ? [] : [name])
