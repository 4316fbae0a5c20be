/** The head of the page of a tag or namespace: its path, the users who see it, and the parts of the page. */
import type { ComponentChildren, JSX } from 'preact'
import type { PolicyOwner } from '../permissions/policies.ts'
import { Who } from '../permissions/who.tsx'
import { hrefOf, hrefWith, route } from '../route.ts'
import { ancestorsOf, baseName } from '../tree/rows.ts'
import './thing.css'

interface HeadProps {
  readonly place: PolicyOwner
  /** The name of the first part of the page. */
  readonly first: string
  /** The buttons. */
  readonly children?: ComponentChildren
}

export function Head({ place: { path, kind }, first, children }: HeadProps): JSX.Element {
  const above = ancestorsOf(path)
  return (
    <header class="thing-head">
      {above.length > 0 && (
        <nav class="above" aria-label="Namespaces above">
          {above.map((one) => (
            <span key={one}>
              <a href={hrefOf('namespace', one.split('/'))}>{baseName(one)}</a> /{' '}
            </span>
          ))}
        </nav>
      )}
      <div class="title">
        <h1>
          {baseName(path)} <span class="thing-kind">{kind}</span>
        </h1>
        <div class="actions">{children}</div>
      </div>
      <Who path={path} kind={kind} />
      <nav class="page-parts" aria-label={`Parts of the page of this ${kind}`}>
        <Part label={first} show={undefined} />
        <Part label="Permissions" show="permissions" />
      </nav>
    </header>
  )
}

function Part({ label, show }: { label: string; show: string | undefined }): JSX.Element {
  const isShown = (route.value.params.get('show') ?? undefined) === show
  return (
    <a href={hrefWith({ show, as: undefined })} aria-current={isShown ? 'page' : undefined}>
      {label}
    </a>
  )
}
