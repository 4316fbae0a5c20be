/** Calls that fail on the files of a store on SQLite: some of those that `npm run faults` tries, each a fault that was mended. */
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SCENARIOS } from '../../scripts/faults/scenarios.ts'
import { Trace, type Call, type Fault } from '../../scripts/faults/strace.ts'
import type { Violation } from '../../scripts/faults/writes.ts'

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gloss-faults-')))
})
afterAll(() => {
  rmSync(root, { recursive: true })
})

/** Runs a prepared scenario; returns what does not hold, with the calls that were seen. */
async function run(
  scenario: string,
  name: string,
  fault?: Fault,
): Promise<{ violations: readonly Violation[] | undefined; trace: Trace }> {
  const [prepared, folder] = [join(root, scenario), join(root, name)]
  cpSync(prepared, folder, { recursive: true })
  const trace = new Trace(folder, fault)
  return { violations: await SCENARIOS[scenario]?.run({ folder, prepared, trace, goesOn: false }), trace }
}

const isSync = ({ name }: Call): boolean => /^f(?:data)?sync$/.test(name)

test.each<[what: string, scenario: string, is: (call: Call) => boolean]>([
  [
    'a write that was refused, since the log could not be synced, is not there after a kill',
    'put',
    (call) => isSync(call) && call.file === 'gloss.db-wal',
  ],
  [
    'a backup that failed, since its folder could not be synced, has left no file',
    'backup',
    (call) => isSync(call) && call.file === '',
  ],
])('%s', async (_what, scenario, is) => {
  await SCENARIOS[scenario]?.prepare(join(root, scenario))
  const calm = await run(scenario, `${scenario}-calm`)
  expect(calm.violations).toEqual([])
  let failed = 0
  // How many commits share a sync depends on time, so that a run may have fewer calls than the calm one.
  for (const [i, call] of calm.trace.calls().filter(is).reverse().entries()) {
    const { violations, trace } = await run(scenario, `${scenario}-fault-${String(i)}`, {
      call,
      error: 'EIO',
    })
    expect(violations).toEqual([])
    failed = trace.failed
    if (failed > 0) break
  }
  expect(failed).toBe(1)
})
