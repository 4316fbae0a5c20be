/** Checks that everything holds between the tables of a store (`npm run check-store`), and repairs it with `--repair`. */
import { checkStore, isSound, repairStore } from './data/keeping/check-store.ts'
import type { Store } from './data/store/store.ts'
import { findingsReport } from './findings-report.ts'
import { onStore, print, readOptions } from './kept-store.ts'

const { repair = false } = readOptions({ repair: { type: 'boolean' } })

/** Prints what is found; returns whether the store keeps all rules. */
async function check(store: Store): Promise<boolean> {
  const found = await checkStore(store)
  for (const line of findingsReport(found)) print(line)
  return isSound(found)
}

/** Says before what a repair will do, and after what it has left. */
async function checkAndRepair(store: Store): Promise<boolean> {
  if (await check(store)) {
    print('The store keeps all rules: there is nothing to repair.')
    return true
  }
  print('\nRepairing what other tables tell, as said above; all else stays as it is.')
  const repaired = await repairStore(store)
  for (const [rule, count] of repaired) print(`  ${rule}: repaired ${count.toLocaleString('en')}`)
  if (repaired.size === 0) print('  nothing could be repaired')
  print('\nChecking again:')
  return check(store)
}

await onStore(async (store) => {
  const sound = await (repair ? checkAndRepair(store) : check(store))
  print(sound ? 'Sound: the store keeps all rules.' : 'Not sound: the store breaks the rules named above.')
  return sound ? 0 : 1
})
