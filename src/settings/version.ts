/** The version of the program, and the Node that it needs. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
}

/** The package.json around this file, which lies at another depth when it is compiled. */
function readManifest(folder = import.meta.dirname): Manifest {
  const file = join(folder, 'package.json')
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest)
    : readManifest(dirname(folder))
}

const manifest = readManifest()

/** The version of the program, and of its contract. */
export const VERSION = manifest.version

/** The earliest version of Node that runs the program. */
export const LEAST_NODE = manifest.engines.node.replace('>=', '')
