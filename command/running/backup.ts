/** `gloss backup`: writes a backup of the store into a file while the service runs. */
import { statSync } from 'node:fs'
import { backUp } from '../../src/data/maintenance/backup.ts'
import { noteBackup } from '../../src/data/maintenance/last-backup.ts'
import { FileFailure } from '../../src/data/maintenance/new-file.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { tell, warn } from '../terminal/terminal.ts'
import { onStore, tellCounts } from './kept-store.ts'

interface Options {
  readonly to?: string
}

export async function run(_args: readonly string[], { to = '' }: Options): Promise<number> {
  if (to === '') throw misuse('it is not said where the backup goes', 'name a new file: --to FILE')
  return onStore(async (store) => {
    const takenAt = Date.now()
    const { counts, leftOut } = await backUp(store, to).catch(fileFailure)
    const octets = statSync(to).size
    tell(`The backup is in ${to}: ${octets.toLocaleString('en')} octets, for its owner alone.`)
    tell(`It has the hashes of all passwords, and all values: keep it where few can read it.`)
    tellCounts(counts)
    for (const value of leftOut) warn(`LEFT OUT: ${value}`)
    await noteBackup(store, { takenAt, octets }).catch(warnNotNoted)
    return leftOut.length === 0 ? STATUS.done : STATUS.partly
  })
}

/** The backup is good even so: an account that may only read is enough for it. */
function warnNotNoted(error: unknown): void {
  const { message } = ((error as Error).cause ?? error) as Error
  warn(`The store does not know of this backup, so no metric shows it: ${message}`)
}

/**
 * Throws a `Failure` for an error about a file that the command cannot write or read; rethrows other errors, which
 * concern the store.
 */
export function fileFailure(error: unknown): never {
  if (error instanceof FileFailure) throw new Failure(error.message, '', STATUS.failed, { cause: error })
  throw error
}
