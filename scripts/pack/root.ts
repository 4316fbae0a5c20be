/** The data of the checkout that all packages use. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const ROOT = dirname(dirname(import.meta.dirname))

/**
 * The folder in which the scripts assemble packages, each in a folder of its name, and in which they put the packed
 * files.
 */
export const STAGE = join(ROOT, 'var', 'packages')

type Link = string | { readonly url: string }

/** The parts of the project's manifest that packages repeat. */
export interface Manifest {
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly author?: { readonly name: string; readonly email?: string }
  readonly homepage?: string
  readonly repository?: Link
  readonly bugs?: Link
}

export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
