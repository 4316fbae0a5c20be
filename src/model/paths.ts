/** Names, paths and user names: which are allowed, and how to split them. */
import { invalidPath, invalidUsername, ServiceError } from './errors.ts'
import { MAX_PATH_CODE_POINTS, MAX_USERNAME_CODE_POINTS } from './name-lengths.ts'

/** A well-formed path: one or more names joined by `/`, its first component (a user name) in lower case. */
export type Path = string & { readonly brand: unique symbol }

/** A well-formed user name, in lower case. */
export type Username = string & { readonly usernameBrand: unique symbol }

/** Longer texts, in UTF-16 code units, cannot be valid: a code point takes at most two, and folding removes none. */
const [MAX_PATH_UNITS, MAX_USERNAME_UNITS] = [2 * MAX_PATH_CODE_POINTS, 2 * MAX_USERNAME_CODE_POINTS]

const NAME = /^[\p{L}\p{M}\p{N}_:.-]+$/u

const codePoints = (text: string): number => [...text].length

/**
 * The path that `raw` spells, or undefined if it is no valid path. `components` is the minimum number of its components: 1
 * for a namespace, 2 for a tag.
 */
export function findPath(raw: string, components: 1 | 2): Path | undefined {
  if (raw.length > MAX_PATH_UNITS) return undefined
  const names = raw.split('/')
  if (names.length < components || !names.every((name) => NAME.test(name))) return undefined
  const path = foldPath(raw)
  // A string has no more code points than code units.
  const fits = path.length <= MAX_PATH_CODE_POINTS || codePoints(path) <= MAX_PATH_CODE_POINTS
  return fits ? (path as Path) : undefined
}

/** A path as sent, well-formed or not, with its user name in lower case, so that each path has one spelling. */
export function foldPath(raw: string): string {
  const slash = raw.indexOf('/')
  const username = slash < 0 ? raw : raw.slice(0, slash)
  const folded = username.toLowerCase()
  return folded === username ? raw : `${folded}${raw.slice(username.length)}`
}

/** The path that `raw` spells, for something to be created or written. Throws `TInvalidPath`. */
export function readPath(raw: string, components: 1 | 2): Path {
  const path = findPath(raw, components)
  if (path === undefined) throw invalidPath(raw, flawOf(raw, components))
  return path
}

const TWO_NAMES = 'a tag path has at least two names, such as alice/rating'

/** The hint for a tag that is named without its namespace. */
export const hintForOneName = (name: string): string =>
  name === '' || NAME.test(name) ? TWO_NAMES : `${flawOfName(name)}; and ${TWO_NAMES}`

/** Why a path is not valid. */
function flawOf(raw: string, components: 1 | 2): string {
  if (raw.startsWith('/')) return 'it begins with a slash; percent-encode those of an about value before it'
  const names = raw.slice(0, MAX_PATH_UNITS).split('/')
  const flawed = names.find((name) => !NAME.test(name))
  if (flawed !== undefined) return flawOfName(flawed)
  return names.length < components ? TWO_NAMES : `it is longer than ${MAX_PATH_CODE_POINTS} characters`
}

/** Why a name is not valid. */
function flawOfName(name: string): string {
  const character = [...name.slice(0, MAX_PATH_UNITS)].find((one) => !NAME.test(one))
  return character === undefined
    ? 'one of its names is empty'
    : `a name is made of letters, digits and _ : . -, not of "${character}"`
}

/** The path of the namespace or tag called `name` in the namespace `parent`. Throws `TInvalidPath`. */
export function childPath(parent: string, name: string): Path {
  const raw = `${parent}/${name}`
  if (!NAME.test(name)) throw invalidPath(raw, flawOfName(name))
  return readPath(raw, 2)
}

/** The path of the namespace that holds `path`; undefined for a top-level namespace. */
export function parentOf(path: Path): Path | undefined {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? undefined : (path.slice(0, slash) as Path)
}

/** The user name with which a path begins. */
export const topOf = (path: string): string => path.split('/', 1)[0] ?? ''

/** The last component of a path. */
export const baseName = (path: Path): string => path.slice(path.lastIndexOf('/') + 1)

/** The well-formed paths among `raw` and its ancestors, nearest first. */
export function lineageOf(raw: string): Path[] {
  // Cuts an endless path off: what remains is itself too long, and its ancestors are not.
  const names = raw.slice(0, MAX_PATH_UNITS + 1).split('/')
  return names.flatMap((_, i) => findPath(names.slice(0, names.length - i).join('/'), 1) ?? [])
}

/** A path as sent, split into its last component and what precedes that, which may be empty. */
export function splitPath(raw: string): { parent: string; name: string } {
  const slash = raw.lastIndexOf('/')
  return { parent: raw.slice(0, Math.max(slash, 0)), name: raw.slice(slash + 1) }
}

/** Names that URL normalization removes, and names of invisible characters only. */
const NO_USERNAME = /^(?:\.{1,2}|\p{Default_Ignorable_Code_Point}+)$/u

/** The user name that `raw` spells, or undefined if no user can have that name. */
export function findUsername(raw: string): Username | undefined {
  // A client that signs in may send 64 KiB: counting its code points takes a thousand times as long as the rest here.
  if (raw.length > MAX_USERNAME_UNITS) return undefined
  const username = raw.toLowerCase()
  if (!NAME.test(username) || NO_USERNAME.test(username)) return undefined
  return codePoints(username) <= MAX_USERNAME_CODE_POINTS ? (username as Username) : undefined
}

/** The user name that `raw` spells, to be stored. Throws `TInvalidUsername` and `TUsernameTooLong`. */
export function readUsername(raw: string): Username {
  const username = findUsername(raw)
  if (username !== undefined) return username
  if (NAME.test(raw) && !NO_USERNAME.test(raw)) throw new ServiceError('TUsernameTooLong', { name: raw })
  throw invalidUsername(raw, flawOfUsername(raw))
}

/** Why no user can have this name. */
function flawOfUsername(raw: string): string {
  if (raw === '') return 'it is empty'
  if (!NAME.test(raw)) return flawOfName(raw)
  return raw.startsWith('.') ? 'URLs lose . and ..' : 'all of it is invisible'
}

/** The path of a user's top-level namespace, which is the user name. */
export const namespaceOf = (username: Username): Path => username as string as Path
