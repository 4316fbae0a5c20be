/** Puts the manual, which the reference shows beside the contract, into the bundle. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isClass } from '../common/sentences.ts'
import { ROOT } from './digest.ts'
import { tableOfErrors } from './error-table.ts'

/** The parts of a contract that are read and written here. */
export interface Explained {
  /** The manual, in Markdown. */
  'x-manual'?: string
  /** Additional texts about classes for the table of errors. */
  'x-error-notes'?: Readonly<Record<string, string>>
}

/** The line in the manual in whose place the table of errors comes. */
const TABLE =
  '<!-- The table of errors, with the sentence of each class: scripts/contract-manual.ts makes it. -->'

/** Adds a manual with the table of errors to a bundle in place. Throws if a note is about no class, or the table has no place. */
export function explain(contract: Explained, manual: string): void {
  const { 'x-error-notes': notes = {} } = contract
  const unknown = Object.keys(notes).filter((name) => !isClass(name))
  if (unknown.length > 0) throw new Error(`the table of errors has no ${unknown.join()}`)
  if (!manual.includes(TABLE)) throw new Error(`the manual has no line ${TABLE}`)
  delete contract['x-error-notes']
  contract['x-manual'] = manual.replace(TABLE, () => tableOfErrors(notes))
}

/** Adds the manual of the project. */
export function addManual(contract: Explained): void {
  explain(contract, readFileSync(join(ROOT, 'openapi/manual.md'), 'utf8'))
}
