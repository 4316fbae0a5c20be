/** `gloss backup`: writes a backup of the store into a file while the service runs. */
import { statSync } from 'node:fs'
import { backUp } from '../../src/data/maintenance/backup.ts'
import { countsText } from '../../src/copy/records.ts'
import { noteBackup } from '../../src/data/maintenance/last-backup.ts'
import { FileFailure } from '../../src/data/maintenance/new-file.ts'
import type { Store } from '../../src/data/store/store.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { tell, warn } from '../terminal/terminal.ts'
import { onStore, type Given } from './kept-store.ts'

interface Options {
  readonly to?: string
}

export async function run(_args: readonly string[], { to = '' }: Options): Promise<number> {
  if (to === '') throw misuse('it is not said where the backup goes', 'name a new file: --to FILE')
  const work = async (store: Store, { fit: { schema, later } }: Given): Promise<number> => {
    const takenAt = Date.now()
    const { counts, leftOut } = await backUp(store, to, schema).catch(fileFailure)
    const octets = statSync(to).size
    tell(`The backup is in ${to}: ${octets.toLocaleString('en')} octets, for its owner alone.`)
    tell(`It has the hashes of all passwords, and all values: keep it where few can read it.`)
    tell(`${countsText(counts)}.`)
    for (const name of later) warn(`LEFT OUT: what ${name} has added, which only later versions can back up`)
    for (const value of leftOut) warn(`LEFT OUT: ${value}`)
    await noteBackup(store, { takenAt, octets }).catch(warnNotNoted)
    return leftOut.length + later.length === 0 ? STATUS.done : STATUS.partly
  }
  return onStore(work, { use: 'back up' })
}

/** The backup is good even so: an account that may only read is enough for it. */
function warnNotNoted(error: unknown): void {
  const { message } = ((error as Error).cause ?? error) as Error
  warn(`The store does not know of this backup, so no metric shows it: ${message}`)
}

/** Throws a `Failure` for an error about the file; rethrows other errors, which concern the store. */
function fileFailure(error: unknown): never {
  if (error instanceof FileFailure) throw new Failure(error.message, '', STATUS.failed, { cause: error })
  throw error
}
