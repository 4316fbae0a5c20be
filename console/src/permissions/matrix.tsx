/** Shows and changes all permissions of a tag or namespace. It describes a change before the user saves it. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  allActions,
  actionName,
  type Action,
  type Category,
  type Permission,
} from '../../../common/changing/policies.ts'
import type { Client } from '../../../packages/client/client.ts'
import { notify } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { client, user } from '../service/service.ts'
import { explain } from './explain.ts'
import { CATEGORIES, save, takeBack, type Change, type PolicyOwner, type Policies } from './policies.ts'
import { PolicyRow } from './policy-row.tsx'
import { difference } from './words.ts'

const TITLES: Readonly<Record<Category, string>> = {
  'tag-values': 'The values of the tag',
  tags: 'The tag itself',
  namespaces: 'The namespace',
}

type Draft = ReadonlyMap<string, Permission>

export function Matrix({ place, policies }: { place: PolicyOwner; policies: Policies }): JSX.Element {
  const [draft, setDraft] = useState<Draft>(new Map())
  useEffect(() => setDraft(new Map()), [user.value])
  const categories = CATEGORIES[place.kind].filter((category) => !policies.withheld.includes(category))
  const changes = changesOf(policies, draft, categories)
  const box = useRef<HTMLDivElement>(null)
  const onDone = (): void => {
    // After a save there are no changes, and the buttons disappear.
    box.current?.focus()
    setDraft(new Map())
  }
  return (
    <>
      <div class="scroll" role="region" aria-label="Permissions" tabIndex={0} ref={box}>
        <table class="matrix" role="table">
          <Head />
          {categories.map((category) => (
            <tbody key={category} role="rowgroup">
              <tr role="row">
                <th role="rowheader" class="category" scope="rowgroup" colSpan={4}>
                  {TITLES[category]}
                </th>
              </tr>
              {allActions({ categories: [category] }).map((action) => (
                <Row
                  key={actionName(action)}
                  action={action}
                  policies={policies}
                  draft={draft}
                  onDraft={setDraft}
                />
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <Changes place={place} changes={changes} onDone={onDone} />
    </>
  )
}

const Head = (): JSX.Element => (
  <thead role="rowgroup">
    <tr role="row">
      <th scope="col" role="columnheader">
        Action
      </th>
      <th scope="col" role="columnheader">
        Policy
      </th>
      <th scope="col" role="columnheader">
        Exceptions
      </th>
      <th scope="col" role="columnheader">
        Who may
      </th>
    </tr>
  </thead>
)

interface RowProps {
  readonly action: Action
  readonly policies: Policies
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
}

function Row({ action, policies, draft, onDraft }: RowProps): JSX.Element | null {
  const name = actionName(action)
  const before = policies.known.get(name)
  if (before === undefined) return null
  const permission = draft.get(name) ?? before
  return (
    <PolicyRow
      action={action}
      permission={permission}
      isChanged={difference(action, before, permission) !== undefined}
      onChange={(after) => onDraft(new Map([...draft, [name, after]]))}
    />
  )
}

function changesOf({ known }: Policies, draft: Draft, categories: readonly Category[]): Change[] {
  return allActions({ categories }).flatMap((action) => {
    const [before, after] = [known.get(actionName(action)), draft.get(actionName(action))]
    if (before === undefined || after === undefined) return []
    return difference(action, before, after) === undefined ? [] : [{ action, before, after }]
  })
}

interface ChangesProps {
  readonly place: PolicyOwner
  readonly changes: readonly Change[]
  readonly onDone: () => void
}

/** Describes the changes, and saves them. */
function Changes({ place: { path }, changes, onDone }: ChangesProps): JSX.Element | null {
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const submit = async (): Promise<void> => {
    setSaving(true)
    const as = client()
    const saved = await save(as, path, changes)
    setSaving(false)
    setError(saved.error)
    if (saved.done.length > 0) tellSaved(as, path, saved.done)
    if (saved.error === undefined) onDone()
  }
  if (changes.length === 0) return null
  return (
    <section class="changes" aria-labelledby="changes-title">
      <h3 id="changes-title">What changes</h3>
      <ul>
        {changes.map((change) => (
          <li key={actionName(change.action)}>{sentenceOf(change)}</li>
        ))}
      </ul>
      {losesControl(path, changes) && (
        <p class="warning">You will no longer control this: only others can change it back.</p>
      )}
      {error !== undefined && <Problem error={error} />}
      <p class="actions">
        <button type="button" class="main" disabled={isSaving} onClick={() => void submit()}>
          {isSaving ? 'Saving …' : 'Save changes'}
        </button>
        <button type="button" onClick={onDone}>
          Discard
        </button>
      </p>
    </section>
  )
}

const sentenceOf = ({ action, before, after }: Change): string => difference(action, before, after) ?? ''

const losesControl = (path: string, changes: readonly Change[]): boolean =>
  changes.some(({ action, after }) => {
    const { name, isSuperuser = false } = user.value ?? {}
    return action.action === 'control' && explain({ name, isSuperuser }, path, action, after).may === false
  })

/** Confirms a save, with an undo. */
export function tellSaved(as: Client, path: string, done: readonly Change[]): void {
  notify(`Saved: ${done.map(sentenceOf).join('. ')}`, () => {
    takeBack(as, path, done).then(
      () => notify(`Taken back: the permissions of ${path} are what they were`),
      (error: unknown) => notify(`Not taken back: ${error instanceof Error ? error.message : String(error)}`),
    )
  })
}
