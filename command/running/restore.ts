/** `gloss restore`: restores a backup into an empty store, and checks it. */
import { CopyFault } from '../../src/copy/copy-file.ts'
import { countsText } from '../../src/copy/records.ts'
import { NotEmpty, restore, verifiedBackup, type VerifiedBackup } from '../../src/data/maintenance/restore.ts'
import type { Store } from '../../src/data/store/store.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { tell } from '../terminal/terminal.ts'
import { check } from './check.ts'
import { onStore } from './kept-store.ts'

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
  await restore(store, backup, anew).catch(notInOrder)
  tell(`${countsText(backup.counts)}.`)
  tell('Restored. Checking:')
  return check(store)
}

/** Throws a `Failure` about a fault in the backup or in the target. */
function notInOrder(error: unknown): never {
  if (error instanceof NotEmpty || error instanceof CopyFault)
    throw new Failure(error.message, '', STATUS.failed, { cause: error })
  throw error
}
