/** Shows the signed-in user, with a menu: page, password, colours. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { openDialog } from '../parts/dialogs.ts'
import { hrefOf, route } from '../route.ts'
import { base, signOut, user } from '../service/service.ts'
import { setTheme, theme, THEMES, type Theme } from '../parts/theme.ts'

export function Account(): JSX.Element {
  return (
    <div class="account">
      {user.value === undefined && (
        <button type="button" onClick={() => openDialog('sign-in')}>
          Sign in
        </button>
      )}
      <Menu />
    </div>
  )
}

/** A button that opens a panel; Escape, a click outside and a loss of focus close it. */
function Menu(): JSX.Element {
  const [open, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const name = user.value?.name
  useEffect(() => setOpen(false), [route.value, name])
  useEffect(() => {
    if (!open) return undefined
    const elsewhere = ({ target }: Event): void => {
      if (target instanceof Node && !whole.current?.contains(target)) setOpen(false)
    }
    addEventListener('pointerdown', elsewhere)
    addEventListener('focusin', elsewhere)
    return () => {
      removeEventListener('pointerdown', elsewhere)
      removeEventListener('focusin', elsewhere)
    }
  }, [open])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!open || event.key !== 'Escape') return
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div class="menu" ref={whole} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={button}
        aria-expanded={open}
        aria-controls="menu"
        onClick={() => setOpen(!open)}
      >
        <span class="name">{name ?? 'Menu'}</span> <span aria-hidden="true">▾</span>
      </button>
      <div id="menu" hidden={!open} onClick={({ target }) => closesMenu(target) && setOpen(false)}>
        <Entries />
      </div>
    </div>
  )
}

/** Returns whether a click was on a link or button that leads elsewhere. */
const closesMenu = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button') !== null

function Entries(): JSX.Element {
  const who = user.value
  return (
    <>
      {who !== undefined && (
        <>
          <p class="signed-in">
            Signed in as <strong>{who.name}</strong>
            {who.isSuperuser && ', a superuser'}
          </p>
          <a href={hrefOf('users', [who.name])}>My name and e-mail</a>
          <button type="button" class="plain" onClick={() => openDialog('password')}>
            Change my password
          </button>
        </>
      )}
      <div class="colours" role="radiogroup" aria-labelledby="colours">
        <p id="colours">Colours</p>
        {Object.entries(THEMES).map(([name, says]) => (
          <label class="choice" key={name}>
            <input
              type="radio"
              name="theme"
              checked={theme.value === name}
              onChange={() => setTheme(name as Theme)}
            />{' '}
            {says}
          </label>
        ))}
      </div>
      <button type="button" class="plain" onClick={() => openDialog('palette')}>
        Go to …
      </button>
      <button type="button" class="plain" onClick={() => openDialog('keys')}>
        Keys
      </button>
      <a href={hrefOf('help')}>Help</a>
      <a href={`${base}/docs`} target="_blank" rel="noreferrer">
        Reference of the service
      </a>
      {who !== undefined && (
        <button type="button" class="plain" onClick={signOut}>
          Sign out
        </button>
      )}
    </>
  )
}
