/** Finds pages, commands, tags and objects by some letters. */
import { visible } from '../../../common/values.ts'
import { hrefOf } from '../route.ts'

/** A page to open or a command to run. */
export interface PaletteEntry {
  readonly name: string
  /** The kind of the entry. */
  readonly kind: string
  readonly href: string
}

/** A path in the service's suggestions. */
export interface PathFound {
  readonly kind: string
  readonly path: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns whether a name contains each word of the letters. */
export const isMeant = (name: string, letters: string): boolean =>
  letters
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word))

/** The suggested tags and namespaces. */
export const placesOf = (paths: readonly PathFound[]): readonly PaletteEntry[] =>
  paths.map(({ kind, path }) => ({ name: path, kind, href: hrefOf(kind, path.split('/')) }))

/**
 * The objects for a text: those with the suggested about values that begin with it, the one with exactly this about
 * value, and the one with that id.
 */
export function objectsOf(text: string, abouts: readonly string[]): readonly PaletteEntry[] {
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
