/** Computes a digest of the sources of a build. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the project. */
export const ROOT = dirname(import.meta.dirname)

/** The files that match patterns, relative to the project, in order. */
export const filesOf = (patterns: readonly string[]): string[] => globSync(patterns, { cwd: ROOT }).sort()

/** A digest of the names and contents of these files, in hexadecimal digits. */
export function digestOf(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of filesOf(patterns)) {
    const content = readFileSync(join(ROOT, file))
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}
