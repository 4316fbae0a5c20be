/**
 * The races of test/data in many more rounds than the suite has time for (`npm run races`, `npm run races -- --rounds 5000`):
 * 1,000 unless told otherwise, on both databases.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const FILES = ['permission-races', 'accounts-across-processes'].map((name) => `test/data/${name}.test.ts`)

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1000' } } })
if (!/^[1-9]\d*$/.test(values.rounds)) throw new Error(`--rounds must be a number, not '${values.rounds}'`)
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'test.ts'), ...FILES], {
  stdio: 'inherit',
  env: { ...process.env, RACE_ROUNDS: values.rounds },
})
process.exitCode = status ?? 1
