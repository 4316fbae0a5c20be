/** Formats how often Schemathesis ran each check in each phase, as a table. */

export const PHASES = ['examples', 'coverage', 'fuzzing', 'stateful']

/** The counts of the hooks of Schemathesis. */
export interface Summary {
  readonly cases: Readonly<Record<string, number>>
  readonly checks: readonly { phase: string; check: string; status: string; count: number }[]
}

/** Prints one table for several runs. */
export function printTable(summaries: readonly Summary[]): void {
  const line = (title: string, cells: readonly string[]): void => {
    console.log(title.padEnd(32) + cells.map((cell) => cell.padStart(20)).join(''))
  }
  const checks = summaries.flatMap((summary) => summary.checks)
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
  const cell = (check: string, phase: string): string => {
    const here = checks.filter((one) => one.check === check && one.phase === phase)
    const failures = sum(here.filter(({ status }) => status !== 'success').map(({ count }) => count))
    const all = sum(here.map(({ count }) => count)).toLocaleString('en')
    return failures === 0 ? all : `${all}, ${failures.toLocaleString('en')} failed`
  }
  line('', PHASES)
  const requests = (phase: string): number => sum(summaries.map(({ cases }) => cases[phase] ?? 0))
  const counts = PHASES.map((phase) => requests(phase).toLocaleString('en'))
  line('requests', counts)
  for (const check of new Set(checks.map((one) => one.check))) {
    line(
      check,
      PHASES.map((phase) => cell(check, phase)),
    )
  }
}
