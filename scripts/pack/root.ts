/** What all packages take from the checkout. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const ROOT = dirname(dirname(import.meta.dirname))

/** Where packages are put together, each in a folder of its name, and where they lie when they are packed. */
export const STAGE = join(ROOT, 'var', 'packages')

/** The manifest of the project, as far as packages repeat it. */
interface Manifest {
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
