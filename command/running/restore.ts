/** Restores a backup into an empty store, and checks it (`npm run restore -- --from FILE`). */
import { BackupFault } from './data/keeping/backup-file.ts'
import { checkStore, isSound } from './data/keeping/check-store.ts'
import { FileFailure } from './data/keeping/new-file.ts'
import { NotEmpty, restore, verifiedBackup, type VerifiedBackup } from './data/keeping/restore.ts'
import type { Store } from './data/store/store.ts'
import { findingsReport } from './findings-report.ts'
import { fail, onStore, print, printCounts, readOptions } from './kept-store.ts'

const { from, anew = false } = readOptions({ from: { type: 'string' }, anew: { type: 'boolean' } })
if (from === undefined || from === '') fail('Say where from: --from FILE, which npm run backup has written.')

/** The status for a store or a file that is not in order. */
const NOT_IN_ORDER = 1

async function restoreInto(store: Store, backup: VerifiedBackup): Promise<number> {
  const { counts, leftOut } = await restore(store, backup, anew)
  printCounts(counts)
  for (const value of leftOut) print(`LEFT OUT, since its content is not one of its type: ${value}`)
  print('Restored. Checking:')
  const found = await checkStore(store)
  for (const line of findingsReport(found)) print(line)
  const sound = isSound(found)
  print(sound ? 'Sound: the store keeps all rules.' : 'Not sound: the store breaks the rules named above.')
  return sound && leftOut.length === 0 ? 0 : NOT_IN_ORDER
}

// Before the store is opened, which makes a file of SQLite.
const backup = await verifiedBackup(from).catch((error: unknown) => {
  if (error instanceof BackupFault) fail(error.message, NOT_IN_ORDER)
  if (error instanceof FileFailure) fail(error.message)
  throw error
})

await onStore(
  async (store) => {
    try {
      return await restoreInto(store, backup)
    } catch (error) {
      if (!(error instanceof NotEmpty || error instanceof BackupFault)) throw error
      process.stderr.write(`${error.message}\n`)
      return NOT_IN_ORDER
    }
  },
  { mayBeNew: true },
)
