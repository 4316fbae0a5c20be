/** The static checks: whatever can be said of the code and the contract without running them (`npm run check`). */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)

const CHECKS: readonly [name: string, command: string][] = [
  ['lint', 'eslint --max-warnings=0 .'],
  ['types of the service', 'tsc --noEmit'],
  ['types of tests, scripts and demo', 'tsc --project test'],
  ['types of the page that sends requests', 'tsc --project src/documents/page'],
  ['no circles', 'node scripts/map.ts'],
  ['dead code', 'knip --no-progress --treat-config-hints-as-errors'],
  ['formatting', 'prettier --check --log-level=warn .'],
  ['changelog', 'node scripts/changelog.ts'],
  ['contract, by Redocly', 'redocly lint'],
  ['contract, by Spectral', 'spectral lint --fail-severity=hint openapi/spec.yaml'],
  ['contract, by what was released of it', 'node scripts/contract-changes.ts'],
  ['generated types are current', 'openapi-typescript --check'],
  ['generated grammar is current', 'nearleyc grammar/query.ne | diff - generated/query-grammar.ts'],
]

/** How many checks passed and how many did not. */
export interface Tally {
  passed: number
  failed: number
}

/** Runs all checks, as many at a time as there are processors, and shows what the failing ones print. */
export async function runChecks(): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 }
  const waiting = [...CHECKS]
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const [name, command] = check
      const { passed, output } = await run(command)
      tally[passed ? 'passed' : 'failed'] += 1
      console.error(passed ? `PASS ${name}` : `FAIL ${name}: ${command}\n${output.trim()}\n`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return tally
}

function run(command: string): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    }
    const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'], env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    child.on('close', (code) => {
      resolve({ passed: code === 0, output })
    })
  })
}

if (import.meta.main) {
  const { passed, failed } = await runChecks()
  console.log(`${String(passed)} passed, ${String(failed)} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
