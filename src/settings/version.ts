/** The version of the program, and the Node that it needs. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
}

/** The folder of the package, which is at another depth above this file when that is compiled. */
export const ROOT = rootAbove(import.meta.dirname)

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder))
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest

/** The version of the program, and of its contract. */
export const VERSION = manifest.version

/** The earliest version of Node that runs the program. */
export const LEAST_NODE = manifest.engines.node.replace('>=', '')
