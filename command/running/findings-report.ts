/** Formats the findings of a check of the store: a line for each rule, and examples of violations. */
import { RULES, type Finding } from '../../src/data/maintenance/findings.ts'

const number = (count: number): string => count.toLocaleString('en')

/** The lines of a report. Examples contain ids and paths, never values. */
export function findingsReport(found: readonly Finding[]): string[] {
  const rows = found.map((finding) => ({
    finding,
    cells: [finding.rule, number(finding.checked), number(finding.broken), number(finding.remains)],
  }))
  const head = ['rule', 'checked', 'broken', 'remains']
  const widths = head.map((name, i) =>
    Math.max(name.length, ...rows.map(({ cells }) => cells[i]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('   ')
  return [line(head), ...rows.flatMap(({ finding, cells }) => [line(cells), ...explanation(finding)])]
}

function explanation({ rule, broken, repairable, examples }: Finding): string[] {
  if (broken === 0) return []
  const { holds, repair } = RULES[rule]
  const means = repair === undefined ? 'nothing here can be repaired' : `--repair ${repair}`
  return [
    `    must hold: ${holds}`,
    `    can be repaired: ${number(repairable)} of ${number(broken)}; ${means}`,
    ...examples.map((example) => `    ${example}`),
    ...(broken > examples.length ? [`    … and ${number(broken - examples.length)} more`] : []),
  ]
}
