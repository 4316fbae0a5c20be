/** The static checks of the code and the contract (`npm run check`). */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { argumentsOf, flag } from './usage.ts'

const root = dirname(import.meta.dirname)
const CACHE = 'var/checks'

/** The check that compiling the service includes. */
export const SERVICE_TYPES = 'types of the service'

/** Each check, and the option with which it keeps its results in `CACHE`. */
const CHECKS: readonly [name: string, command: string, cached?: string][] = [
  ['lint', 'eslint --max-warnings=0 .', `--cache --cache-strategy=content --cache-location=${CACHE}/eslint`],
  [SERVICE_TYPES, 'tsc --noEmit', `--incremental --tsBuildInfoFile ${CACHE}/service.tsbuildinfo`],
  [
    'types of tests, scripts and demo',
    'tsc --project test',
    `--incremental --tsBuildInfoFile ${CACHE}/test.tsbuildinfo`,
  ],
  ['types of the page that sends requests', 'tsc --project src/documents/page'],
  ['types of the console', 'tsc --project console'],
  ['types of the client in browsers', 'tsc --noEmit --project packages/client'],
  ['imports', 'depcruise --output-type err-long .'],
  ['no cycle of files or rooms', 'node scripts/map.ts'],
  ['no pattern takes more than linear time', 'node scripts/patterns.ts'],
  ['dead code', 'knip --no-progress --treat-config-hints-as-errors'],
  [
    'formatting',
    'prettier --check --log-level=warn .',
    `--cache --cache-strategy=content --cache-location=${CACHE}/prettier`,
  ],
  ['changelog', 'node scripts/changelog.ts'],
  ['contract as written, by Redocly', 'redocly lint --config openapi/redocly.yaml'],
  ['contract as bundled, by Redocly', 'redocly lint'],
  ['contract, by Spectral', 'spectral lint --fail-severity=hint openapi/spec.yaml generated/openapi.yaml'],
  ['contract, by what was released of it', 'node scripts/contract-changes.ts'],
  [
    'generated bundle is current',
    'redocly bundle written --config openapi/redocly.yaml | diff - generated/openapi.yaml',
  ],
  ['generated types are current', 'openapi-typescript --check'],
  ['generated operations are current', 'node scripts/client-operations.ts | diff - generated/operations.ts'],
  ['generated grammar is current', 'nearleyc grammar/query.ne | diff - generated/query-grammar.ts'],
]

/** The number of passed and failed checks. */
export interface Tally {
  passed: number
  failed: number
}

/** The way in which checks run. */
interface Way {
  /** Whether slow checks look only at changes since their last run. */
  readonly cached?: boolean
  /** The number of concurrent checks; by default the number of processors. */
  readonly atOnce?: number
  /** Receives a line, or the output of a failing check. */
  readonly say?: (text: string) => void
}

/** The names of all checks. */
export const CHECK_NAMES: readonly string[] = CHECKS.map(([name]) => name)

/** Runs checks by name, and shows the output of failing ones. */
export async function runChecks(
  names: readonly string[],
  { cached = false, atOnce = availableParallelism(), say = console.error }: Way = {},
): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 }
  const waiting = CHECKS.filter(([name]) => names.includes(name))
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const [name, ...parts] = check
      const passed = await runCheck(name, parts.slice(0, cached ? 2 : 1).join(' '), say)
      tally[passed ? 'passed' : 'failed'] += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return tally
}

/** Runs the command of a check; returns whether it passed. */
export async function runCheck(
  name: string,
  command: string,
  say: (text: string) => void = console.error,
): Promise<boolean> {
  const { passed, output } = await run(command)
  say(passed ? `PASS ${name}` : `FAIL ${name}: ${command}\n${output.trim()}\n`)
  return passed
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
  const { cached } = argumentsOf({
    name: 'npm run check --',
    does: 'Checks what can be said of the code and the contract without running them: lint, types, contract, formatting.',
    options: { cached: flag('slow checks look only at what changed since they last did') },
  })
  const { passed, failed } = await runChecks(CHECK_NAMES, { cached })
  console.log(`${String(passed)} passed, ${String(failed)} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
