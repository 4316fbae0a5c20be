/** The version of Gloss. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The version in the package.json around this file, which lies at another depth when it is compiled. */
function readVersion(folder = import.meta.dirname): string {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return readVersion(dirname(folder))
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

export const VERSION = readVersion()
