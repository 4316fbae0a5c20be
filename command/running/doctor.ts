/** `gloss doctor`: checks everything that a service needs, and prints the result of each check. */
import { examineConfig } from '../../src/settings/config.ts'
import { serviceUrl } from '../connection/connect.ts'
import { tsvField, visible } from '../../common/values.ts'
import { STATUS } from '../../common/failure.ts'
import { formatOf, show, type OutputOptions } from '../terminal/output.ts'
import { styled, tell } from '../terminal/terminal.ts'
import { databaseChecks } from './doctor/database-checks.ts'
import type { Finding, State } from './doctor/finding.ts'
import { machineChecks } from './doctor/machine-checks.ts'
import { proxyChecks } from './doctor/proxy-checks.ts'
import { settingChecks } from './doctor/setting-checks.ts'
import { readEnvFile } from '../settings/env-file.ts'

interface Options extends OutputOptions {
  readonly url?: string
}

const COLUMNS = ['check', 'state', 'found', 'remedy'] as const

export async function run(_args: readonly string[], options: Options): Promise<number> {
  const url = options.url === undefined ? undefined : serviceUrl(options.url)
  const envFile = readEnvFile()
  const examined = examineConfig(process.env)
  const findings = [
    ...settingChecks({ ...examined, env: process.env, envFile }),
    ...(await machineChecks(examined.config)),
    ...(await databaseChecks(examined)),
    ...(url === undefined ? [] : await proxyChecks(url)),
  ]
  const format = options.columns === undefined && options.output === undefined ? formatOf(options) : undefined
  if (format === 'table') list(findings)
  else if (format === 'tsv') listFields(findings)
  else
    await show({ columns: COLUMNS, rows: findings.map((one) => COLUMNS.map((name) => one[name])) }, options)
  const number = (state: State): number => findings.filter((one) => one.state === state).length
  tell(
    [
      `${findings.length} checks: ${number('ok')} ok`,
      counted(number('warning'), 'warning'),
      counted(number('failure'), 'failure'),
      ...(number('unknown') === 0 ? [] : [`${number('unknown')} not known`]),
    ].join(', '),
  )
  return number('failure') === 0 ? STATUS.done : STATUS.failed
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const MARKS = {
  ok: ['green', '✓'],
  warning: ['yellow', '!'],
  failure: ['red', '✗'],
  unknown: ['dim', '?'],
} as const satisfies Readonly<Record<State, readonly [string, string]>>

/** Prints lines of fields, without the field of a remedy if there is none. */
function listFields(findings: readonly Finding[]): void {
  for (const { check, state, found, remedy } of findings) {
    const fields = [check, state, found, ...(remedy === '' ? [] : [remedy])]
    process.stdout.write(`${fields.map(tsvField).join('\t')}\n`)
  }
}

/** Prints whole sentences; a table would cut them. */
function list(findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ check }) => check.length))
  for (const { check, state, found, remedy } of findings) {
    const [style, mark] = MARKS[state]
    process.stdout.write(`${styled(style, mark)} ${check.padEnd(width)}  ${visible(found)}\n`)
    if (remedy !== '') process.stdout.write(`  ${' '.repeat(width)}  → ${visible(remedy)}\n`)
  }
}
