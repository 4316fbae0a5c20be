/** Checks the tables of a store against each other, in one view, and repairs rows that other tables determine. */
import { SERVICE } from '../entities/users.ts'
import type { Store } from '../store/store.ts'
import type { WriteTx } from '../store/views.ts'
import { checkExceptions } from './check-exceptions.ts'
import { checkIndexes } from './check-indexes.ts'
import { checkSystemValues } from './check-system-tags.ts'
import { checkThings } from './check-things.ts'
import { checkValues } from './check-values.ts'
import { Findings, type Finding, type Repair, type Rule, type TakeRepair } from './findings.ts'

/**
 * Checks all tables of a store against each other, in one consistent view, while others read and write. It reads every row,
 * and keeps in memory no more than portions of them. Changes nothing. The schema must be up to date.
 */
export const checkStore = (store: Store): Promise<readonly Finding[]> => pass(store)

/** How many repairs share a transaction. */
const REPAIRS_AT_ONCE = 100

/**
 * Checks a store and repairs the rows that other tables determine, in transactions of `REPAIRS_AT_ONCE` repairs; returns the
 * number of repairs by rule. Each repair reads again what it changes, so others may write meanwhile. The bounds of tags are
 * an exception: the service's processes keep them in memory.
 */
export async function repairStore(store: Store): Promise<ReadonlyMap<Rule, number>> {
  const repaired = new Map<Rule, number>()
  let waiting: (readonly [rule: Rule, repair: Repair])[] = []
  const flush = async (): Promise<void> => {
    const some = waiting
    waiting = []
    const work = async <V>(tx: WriteTx<V>): Promise<Rule[]> => {
      const rules: Rule[] = []
      for (const [rule, repair] of some) if (await repair(tx)) rules.push(rule)
      return rules
    }
    // With a signal, statements may take long; those that repair a value with many words do.
    const done = await store.write(SERVICE, work, new AbortController().signal)
    for (const rule of done) repaired.set(rule, (repaired.get(rule) ?? 0) + 1)
  }
  await pass(store, async (rule, repair) => {
    if (waiting.push([rule, repair]) >= REPAIRS_AT_ONCE) await flush()
  })
  await flush()
  return repaired
}

/** Whether a store keeps all rules. */
export const isSound = (found: readonly Finding[]): boolean => found.every(({ broken }) => broken === 0)

function pass(store: Store, repair?: TakeRepair): Promise<readonly Finding[]> {
  return store.scan(SERVICE, new AbortController().signal, async (tx) => {
    // Made here: a pass that lost its connection starts again with empty findings.
    const findings = new Findings(repair)
    const highest = await checkValues(tx, findings)
    await checkThings(tx, findings, highest)
    await checkExceptions(tx, findings)
    await checkSystemValues(tx, findings)
    await checkIndexes(tx, findings)
    return findings.all()
  })
}
