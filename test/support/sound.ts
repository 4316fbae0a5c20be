/** The store behind the tests, held against its rules after something in it was made to fail. */
import { checkStore } from '../../src/data/maintenance/check-store.ts'
import type { Store } from '../../src/data/store/store.ts'

/** Rejects with what a check of the store finds, if that breaks any rule. */
export async function expectSound(store: Store): Promise<void> {
  const broken = (await checkStore(store)).filter((finding) => finding.broken > 0)
  if (broken.length === 0) return
  const lines = broken.map(
    ({ rule, broken: count, examples }) => `${rule}: ${String(count)}, ${examples.join('; ')}`,
  )
  throw new Error(`the store is not sound: ${lines.join('\n')}`)
}
