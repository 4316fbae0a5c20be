/** Shows an object: its about value, and all its values. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../../../common/values.ts'
import { AddValue } from '../edit/add-value.tsx'
import { changes } from '../edit/stored.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { moveRow, rowsOf } from '../parts/rows.ts'
import { go, hrefOf, hrefWith, route } from '../route.ts'
import { user } from '../service/service.ts'
import { onKeys } from '../parts/keys.ts'
import { fetchObject, groupsOf, type Group, type Name, type ObjectData } from './object-data.ts'
import './object.css'
import { isChangeable, Row } from './row.tsx'
import { isAddress } from './texts.ts'

export default function ObjectView(): JSX.Element {
  const { at } = route.value
  const [kind, ...rest] = at
  const text = rest.join('/')
  const name: Name = kind === 'id' ? { id: text } : { about: text }
  const shown = useLoaded((signal) => fetchObject(name, signal), [kind, text, changes.value])
  const object = shown.value
  if (object === undefined || !isNamed(object, name)) {
    const { error, again } = shown
    return (
      <>
        <h1>{visible(text)}</h1>
        {error === undefined ? (
          <p class="waiting">Reading the object …</p>
        ) : (
          <Problem error={error} again={again} />
        )}
      </>
    )
  }
  // The state of editing belongs to one object.
  return <Shown key={`${kind ?? ''} ${text}`} object={object} />
}

/** Returns whether the object is the one in the URL: the earlier object remains until the new one is loaded. */
const isNamed = ({ id, about }: ObjectData, name: Name): boolean =>
  'id' in name ? id === name.id.toLowerCase() : about === name.about

/** The value that the user edits: one with a tag, or a new one. */
type Editing = { readonly tag: string } | 'new' | undefined

function Shown({ object }: { object: ObjectData }): JSX.Element {
  const name = user.value?.name
  const [editing, setEditing] = useState<Editing>(() => firstOf(object, name))
  const close = (): void => {
    setEditing(undefined)
    if (route.peek().params.has('edit')) go(hrefWith({ edit: undefined }), true)
  }
  useObjectKeys(name === undefined ? undefined : setEditing)
  const said = object.values.filter(({ tag }) => tag !== 'service/about')
  return (
    <article class="object-page">
      <Heading object={object} />
      {said.length === 0 && <Unmentioned />}
      {editing === 'new' ? (
        <section class="object-adding" aria-label="A new value">
          <AddValue
            id={object.id}
            about={object.about ?? ''}
            beginning={name === undefined ? '' : `${name}/`}
            onClose={close}
          />
        </section>
      ) : (
        <Adding isFirst={said.length === 0} onAdd={() => setEditing('new')} />
      )}
      {object.id !== undefined &&
        groupsOf(object.values, name).map((group) => (
          <Values
            id={object.id ?? ''}
            group={group}
            editing={editing}
            onEdit={(tag) => (tag === undefined ? close() : setEditing({ tag }))}
          />
        ))}
    </article>
  )
}

/** The value to edit according to the URL: the first one that the user can change. */
function firstOf({ values }: ObjectData, name: string | undefined): Editing {
  if (route.peek().params.get('edit') !== '1') return undefined
  return groupsOf(values, name)
    .flatMap((group) => group.values)
    .find(({ tag }) => isChangeable(tag))
}

function Heading({ object: { id, about } }: { object: ObjectData }): JSX.Element {
  return (
    <header>
      <div class="object-name">
        <h1>{about === null ? 'An object about nothing in particular' : visible(about)}</h1>
        {about !== null && <CopyButton text={about} what="the about value" />}
      </div>
      <p class="actions">
        {about !== null && isAddress(about) && (
          <a href={about} target="_blank" rel="noreferrer">
            Open this address
          </a>
        )}
        {id !== undefined && (
          <>
            <span class="object-id">
              id <code>{id}</code> <CopyButton text={id} what="the id" />
            </span>
            <a href={hrefOf('recent', [], { show: 'object', id })}>Recent changes</a>
          </>
        )}
      </p>
    </header>
  )
}

const Unmentioned = (): JSX.Element => (
  <p>Nobody has said anything about this object that you may see. Any object can have values at any time.</p>
)

function Adding({ isFirst, onAdd }: { isFirst: boolean; onAdd: () => void }): JSX.Element {
  if (user.value === undefined) return <p class="hint">Sign in to add and change values.</p>
  return (
    <p class="actions">
      <button type="button" class={isFirst ? 'main' : ''} onClick={onAdd}>
        {isFirst ? 'Add the first tag' : 'Add a tag'}
      </button>
    </p>
  )
}

interface ValuesProps {
  readonly id: string
  readonly group: Group
  readonly editing: Editing
  readonly onEdit: (tag: string | undefined) => void
}

const Values = ({ id, group: { namespace, values }, editing, onEdit }: ValuesProps): JSX.Element => (
  <section>
    <h2>
      <a href={hrefOf('namespace', namespace.split('/'))}>{namespace}</a>
    </h2>
    <ul class="object-values">
      {values.map((value) => (
        <Row
          key={value.tag}
          slot={{ id, tag: value.tag }}
          value={value}
          isEdited={typeof editing === 'object' && editing.tag === value.tag}
          onEdit={onEdit}
        />
      ))}
    </ul>
  </section>
)

const ROWS = '.object-values > li'

/** Single-key shortcuts; those that change something work only for a signed-in user. */
function useObjectKeys(edit: ((editing: Editing) => void) | undefined): void {
  onKeys('Object', {
    j: ['go to the next value', () => moveRow(ROWS, 1)],
    k: ['go to the value before', () => moveRow(ROWS, -1)],
    ...(edit && {
      e: [
        'edit the focused value',
        () => {
          const { all, at } = rowsOf(ROWS)
          all[at]?.querySelector<HTMLElement>('.edit-value')?.click()
        },
      ],
      a: [
        'add a tag',
        () => {
          edit('new')
        },
      ],
    }),
  })
}
