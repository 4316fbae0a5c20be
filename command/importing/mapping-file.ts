/** Reads and writes mappings in files. */
import { readFileSync, writeFileSync } from 'node:fs'
import { Failure, misuse } from '../../common/failure.ts'
import { flawOf, mappingText, type Mapping } from '../../common/importing/mapping.ts'

/** Writes a mapping into a file. Throws a `Failure` if it cannot write. */
export function saveMapping(file: string, mapping: Mapping): void {
  try {
    writeFileSync(file, mappingText(mapping))
  } catch (error) {
    throw new Failure(`'${file}' cannot be written`, (error as Error).message, 1, { cause: error })
  }
}

/** Reads a mapping from a file. Throws a `Failure` that names the fault in the file. */
export function loadMapping(file: string): Mapping {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw misuse(`'${file}' cannot be read: ${(error as Error).message}`, 'make one with --save')
  }
  const flaw = flawOf(value)
  if (flaw === undefined) return value as Mapping
  throw misuse(`'${file}' is no mapping: ${flaw}`, 'docs/command.md describes it; --save makes one')
}
