/** Where one can go to, and what can be done, by a few letters of it. */
import { visible } from '../../../shared/values.ts'
import { hrefOf } from '../route.ts'

/** Something to go to or to do. */
export interface Place {
  readonly name: string
  /** What it is. */
  readonly kind: string
  readonly href: string
}

/** A path that the service suggests. */
export interface PathFound {
  readonly kind: string
  readonly path: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether what is called so is meant by these letters: each word of them is in it. */
export const isMeant = (name: string, letters: string): boolean =>
  letters
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word))

/** The tags and namespaces that were suggested. */
export const placesOf = (paths: readonly PathFound[]): readonly Place[] =>
  paths.map(({ kind, path }) => ({ name: path, kind, href: hrefOf(kind, path.split('/')) }))

/** The objects that a text may mean: those about the values that begin with it, the one about itself, and the one with that id. */
export function objectsOf(text: string, abouts: readonly string[]): readonly Place[] {
  if (text === '') return []
  const values = [...new Set([...abouts, text])]
  const places = values.map((about) => ({
    name: visible(about),
    kind: abouts.includes(about) ? 'object' : 'the object about this, also if there is none yet',
    href: hrefOf('object', ['about', about]),
  }))
  if (!UUID.test(text)) return places
  return [{ name: text, kind: 'object with this id', href: hrefOf('object', ['id', text]) }, ...places]
}
