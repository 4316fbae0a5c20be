/** `gloss restore`: restores a backup into an empty store, and checks it. */
import { BackupFault } from '../../src/data/maintenance/backup-file.ts'
import { NotEmpty, restore, verifiedBackup, type VerifiedBackup } from '../../src/data/maintenance/restore.ts'
import type { Store } from '../../src/data/store/store.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { tell, warn } from '../terminal/terminal.ts'
import { fileFailure } from './backup.ts'
import { check } from './check.ts'
import { onStore, tellCounts } from './kept-store.ts'

interface Options {
  readonly from?: string
  readonly anew?: boolean
}

export async function run(_args: readonly string[], { from = '', anew = false }: Options): Promise<number> {
  if (from === '') throw misuse('it is not said which backup', 'name the file of one: --from FILE')
  // Verifies the backup before it opens the store, because that would create an SQLite file.
  const backup = await verifiedBackup(from).catch(notInOrder)
  return onStore((store) => restoreInto(store, backup, anew), { mayBeNew: true })
}

async function restoreInto(store: Store, backup: VerifiedBackup, anew: boolean): Promise<number> {
  const { counts, leftOut } = await restore(store, backup, anew).catch(notInOrder)
  tellCounts(counts)
  for (const value of leftOut) warn(`LEFT OUT, since its content is not one of its type: ${value}`)
  tell('Restored. Checking:')
  const status = await check(store)
  return status === STATUS.done && leftOut.length > 0 ? STATUS.partly : status
}

/** Throws a `Failure` about a fault in the backup or in the target. */
function notInOrder(error: unknown): never {
  if (error instanceof NotEmpty || error instanceof BackupFault)
    throw new Failure(error.message, '', STATUS.failed, { cause: error })
  return fileFailure(error)
}
