/** Calls that fail on the files of a store on SQLite: one case of those that `npm run faults` tries. */
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SCENARIOS } from '../../scripts/faults/scenarios.ts'
import { Trace, type Call, type Fault } from '../../scripts/faults/strace.ts'
import type { Violation } from '../../scripts/faults/writes.ts'

let root: string
let prepared: string

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gloss-faults-')))
  prepared = join(root, 'prepared')
  await SCENARIOS['put']?.prepare(prepared)
})
afterAll(() => {
  rmSync(root, { recursive: true })
})

/** Runs the scenario of single writes; returns what does not hold, with the calls that were seen. */
async function run(
  name: string,
  fault?: Fault,
): Promise<{ violations: readonly Violation[] | undefined; trace: Trace }> {
  const folder = join(root, name)
  cpSync(prepared, folder, { recursive: true })
  const trace = new Trace(folder, fault)
  return { violations: await SCENARIOS['put']?.run({ folder, prepared, trace, goesOn: false }), trace }
}

const syncsLog = ({ name, file }: Call): boolean => /^f(?:data)?sync$/.test(name) && file === 'gloss.db-wal'

test('a write is not there after a kill if it was refused because the log could not be synced', async () => {
  const calm = await run('calm')
  expect(calm.violations).toEqual([])
  const call = calm.trace.calls().findLast(syncsLog)
  if (call === undefined) throw new Error('no commit was synced')
  const { violations, trace } = await run('fault', { call, error: 'EIO' })
  expect(violations).toEqual([])
  expect(trace.failed).toBe(1)
})
