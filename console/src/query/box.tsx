/**
 * The query box on every page; the view `ask` shows the results. The page loads the typing help after it has appeared.
 */
import { useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { whenIdle } from '../parts/idle.ts'
import { go, hrefWith, route } from '../route.ts'
import type * as builderModule from './builder.tsx'
import type * as helpModule from './help.tsx'
import { ask, box, caret, helping, keys, listed, text, write } from './text.ts'
import './box.css'

type Help = typeof helpModule
type Builder = typeof builderModule

export function QueryBox(): JSX.Element {
  const asked = route.value.view === 'ask' ? (route.value.params.get('query') ?? '') : ''
  const isBuilding = route.value.params.get('build') !== null
  useLayoutEffect(() => {
    write(asked)
    helping.value = false
  }, [asked])
  const help = useHelp()
  return (
    <div class="query" role="search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          ask()
        }}
      >
        <div class="typing" onFocusOut={stopHelping}>
          <Field help={help} />
          {help && helping.value && <help.Help />}
        </div>
        <button type="submit" class="main">
          Ask
        </button>
        {help && <help.Past />}
        <button
          type="button"
          aria-expanded={isBuilding}
          onClick={() => go(hrefWith({ build: isBuilding ? undefined : '1' }))}
        >
          Build
        </button>
      </form>
      {isBuilding && <LoadedBuilder />}
    </div>
  )
}

/** The typing help, once it is loaded. Users can type a query without it. */
function useHelp(): Help | undefined {
  const [help, setHelp] = useState<Help>()
  useEffect(() => {
    // No user types before the page is visible.
    return whenIdle(() => {
      import('./help.tsx').then(setHelp, () => undefined)
    })
  }, [])
  return help
}

function LoadedBuilder(): JSX.Element {
  const [builder, setBuilder] = useState<Builder>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    import('./builder.tsx').then(setBuilder, () => setFailed(true))
  }, [])
  if (builder !== undefined) return <builder.default />
  return <p class="waiting">{failed ? 'The builder could not be loaded: reload the page' : 'Loading …'}</p>
}

/** The text, with a coloured copy behind it, because a text area shows only one colour. */
function Field({ help }: { readonly help: Help | undefined }): JSX.Element {
  const element = useRef<HTMLTextAreaElement>(null)
  const colours = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current = element.current
  }, [])
  const follow = (): void => {
    if (element.current && colours.current) colours.current.scrollTop = element.current.scrollTop
  }
  useSignalEffect(() => {
    // A new text may have another height.
    if (text.value !== '') requestAnimationFrame(follow)
  })
  return (
    <div class={help ? 'field coloured' : 'field'}>
      <div ref={colours} class="colours" aria-hidden="true">
        {help ? <help.Colours /> : text}
        {'\n'}
      </div>
      <textarea
        ref={element}
        aria-label="Query"
        aria-autocomplete="list"
        aria-controls={listed.id}
        aria-activedescendant={listed.active}
        placeholder="has cities/name and cities/population > 1000000"
        rows={1}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          text.value = event.currentTarget.value
          helping.value = true
          noteCaret(event)
        }}
        onSelect={noteCaret}
        onKeyDown={onKeyDown}
        onScroll={follow}
      />
    </div>
  )
}

function noteCaret({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }): void {
  caret.value = currentTarget.selectionEnd
}

/** Enter runs the query, unless it chooses a completion or, with Shift, inserts a line break. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.isComposing || keys.onKey(event)) return
  if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  ask()
}

/** The typing help closes when the box loses the focus. */
function stopHelping(event: FocusEvent & { readonly currentTarget: HTMLElement }): void {
  const { relatedTarget, currentTarget } = event
  if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) helping.value = false
}
