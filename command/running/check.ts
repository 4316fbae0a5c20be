/** `gloss check`: checks the rules between the tables of a store; `--repair` corrects the violations that it can. */
import { aboutDetached, detachedFrom } from '../../src/data/database/sqlite/detached.ts'
import { checkStore, isSound, repairStore } from '../../src/data/maintenance/check-store.ts'
import type { Store } from '../../src/data/store/store.ts'
import { STATUS } from '../../common/failure.ts'
import { findingsReport } from './findings-report.ts'
import { onStore, print } from './kept-store.ts'
import { readSettings } from '../settings/settings.ts'

interface Options {
  readonly repair?: true
}

export async function run(_args: readonly string[], { repair }: Options): Promise<number> {
  // This check comes first, because the store may lack the data that these processes write.
  const detached = detachedFrom(readSettings().databaseUrl)
  for (const { what, remedy } of detached.map(aboutDetached)) print(`Not sound: ${what}.\n  → ${remedy}`)
  const status = await onStore((store) => (repair ? checkAndRepair(store) : check(store)))
  return detached.length === 0 ? status : STATUS.failed
}

/** Prints the findings; returns 0 if the store violates no rule. */
export async function check(store: Store): Promise<number> {
  const found = await checkStore(store)
  for (const line of findingsReport(found)) print(line)
  const sound = isSound(found)
  print(sound ? 'Sound: the store keeps all rules.' : 'Not sound: the store breaks the rules named above.')
  return sound ? STATUS.done : STATUS.failed
}

/** Prints what a repair will do, repairs, and prints what remains. */
async function checkAndRepair(store: Store): Promise<number> {
  if ((await check(store)) === STATUS.done) {
    print('There is nothing to repair.')
    return STATUS.done
  }
  print('\nRepairing what other tables tell, as said above; all else stays as it is.')
  const repaired = await repairStore(store)
  for (const [rule, count] of repaired) print(`  ${rule}: repaired ${count.toLocaleString('en')}`)
  if (repaired.size === 0) print('  nothing could be repaired')
  print('\nChecking again:')
  return check(store)
}
