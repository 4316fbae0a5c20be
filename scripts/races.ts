/**
 * The races of test/data in many more rounds than the suite has time for (`npm run races`, `npm run races -- --rounds 5000`):
 * 1,000 unless told otherwise, on each database. `--seed 7` has the clients ask again what they have asked in a run of that
 * seed.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomFor } from '../test/search/random.ts'

const FILES = ['permission-races', 'accounts-across-processes'].map((name) => `test/data/${name}.test.ts`)

const DATABASES = ['sqlite', 'mariadb', 'mysql']

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, seed: { type: 'string' } },
})
if (!/^[1-9]\d*$/.test(values.rounds)) throw new Error(`--rounds must be a number, not '${values.rounds}'`)
const { seed } = randomFor(values.seed)
console.log(`seed ${String(seed)}`)
const args = [join(import.meta.dirname, 'test.ts'), ...FILES, '--selectProjects', ...DATABASES]
const { status } = spawnSync(process.execPath, args, {
  stdio: 'inherit',
  env: { ...process.env, RACE_ROUNDS: values.rounds, SEED: String(seed) },
})
process.exitCode = status ?? 1
