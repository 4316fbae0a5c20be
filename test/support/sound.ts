/** Checks the rules of the store behind the tests after a forced failure. */
import { checkStore } from '../../src/data/maintenance/check-store.ts'
import type { Store } from '../../src/data/store/store.ts'

/** Rejects with the findings of a check of the store, if any. */
export async function expectSound(store: Store): Promise<void> {
  const broken = (await checkStore(store)).filter((finding) => finding.broken > 0)
  if (broken.length === 0) return
  const lines = broken.map(
    ({ rule, broken: count, examples }) => `${rule}: ${String(count)}, ${examples.join('; ')}`,
  )
  throw new Error(`the store is not sound: ${lines.join('\n')}`)
}
