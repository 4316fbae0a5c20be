/** Finds the dependencies to include in a package, with the tested versions of package-lock.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.ts'

type Names = Readonly<Record<string, string>>

/** A package in the lock file. */
interface Locked {
  readonly integrity?: string
  readonly resolved?: string
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The packages by path below the root, such as `node_modules/a/node_modules/b`. */
export type Packages = Readonly<Record<string, Locked>>

const MODULES = 'node_modules/'

/** Types, which no program loads, although mysql2 depends on them. */
const NOT_LOADED = ['@types/node']

const { packages: LOCKED } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Packages
}

/** The paths of the packages with these names and of all their dependencies, sorted. */
export function placesOf(names: readonly string[], packages: Packages = LOCKED): string[] {
  const found = new Set<string>()
  const waiting = names.map((name) => ({ name, from: '' }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const place = placeOf(next.name, next.from, packages)
    if (place === undefined || found.has(place)) continue
    found.add(place)
    waiting.push(...needsOf(packages[place]).map((name) => ({ name, from: place })))
  }
  return [...found].sort()
}

/**
 * The path at which a package finds another one: in its own folder, or in a folder around it. Optional packages may be
 * missing.
 */
export function placeOf(name: string, from: string, packages: Packages): string | undefined {
  const place = `${from === '' ? '' : `${from}/`}${MODULES}${name}`
  if (place in packages) return place
  if (from === '') return undefined
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf(MODULES) - 1)), packages)
}

/** The names of the dependencies of a package, on any system. */
export function needsOf(locked: Locked | undefined): string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = locked ?? {}
  const peers = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  )
  const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
  return names.filter((name) => !NOT_LOADED.includes(name))
}
