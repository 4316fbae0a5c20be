/** Runs the race tests of test/data with many more rounds than in the suite, on each database (`npm run races`). */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Random } from '../test/search/random.ts'
import { argumentsOf, option, optional, wholeNumber } from './usage.ts'

const FILES = ['permission-races', 'accounts-across-processes'].map((name) => `test/data/${name}.test.ts`)

const DATABASES = ['sqlite', 'mariadb', 'mysql']

const given = argumentsOf({
  name: 'npm run races --',
  does: 'Withdraws permissions and changes accounts while requests wait that need them, in many rounds, on each database.',
  options: {
    rounds: option(wholeNumber(1), 'how many rounds', 1000),
    seed: optional(wholeNumber(0), 'asks what was asked in a run that printed this seed', 'at random'),
  },
})
const { seed } = new Random(given.seed)
console.log(`seed ${String(seed)}`)
const args = [join(import.meta.dirname, 'test.ts'), ...FILES, '--selectProjects', ...DATABASES]
const { status } = spawnSync(process.execPath, args, {
  stdio: 'inherit',
  env: { ...process.env, RACE_ROUNDS: String(given.rounds), SEED: String(seed) },
})
process.exitCode = status ?? 1
