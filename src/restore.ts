/** Restores a backup into an empty store, and checks it (`npm run restore -- --from FILE`). */
import { BackupFault } from './data/keeping/backup-file.ts'
import { checkStore, isSound } from './data/keeping/check-store.ts'
import { NotEmpty, restore } from './data/keeping/restore.ts'
import type { Store } from './data/store/store.ts'
import { findingsReport } from './findings-report.ts'
import { fail, onStore, print, printCounts, readOptions } from './kept-store.ts'

const { from, anew = false } = readOptions({ from: { type: 'string' }, anew: { type: 'boolean' } })
if (from === undefined || from === '') fail('Say where from: --from FILE, which npm run backup has written.')

async function restoreInto(store: Store, file: string): Promise<number> {
  const { counts, leftOut } = await restore(store, file, anew)
  printCounts(counts)
  for (const value of leftOut) print(`LEFT OUT, since its content is not one of its type: ${value}`)
  print('Restored. Checking:')
  const found = await checkStore(store)
  for (const line of findingsReport(found)) print(line)
  const sound = isSound(found)
  print(sound ? 'Sound: the store keeps all rules.' : 'Not sound: the store breaks the rules named above.')
  return sound && leftOut.length === 0 ? 0 : 1
}

await onStore(
  async (store) => {
    try {
      return await restoreInto(store, from)
    } catch (error) {
      if (!(error instanceof NotEmpty || error instanceof BackupFault)) throw error
      process.stderr.write(`${error.message}\n`)
      return 1
    }
  },
  { mayBeNew: true },
)
