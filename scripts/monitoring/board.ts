/** Checks that each panel of the board in deploy/ has data. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Prometheus } from './prometheus.ts'

interface Board {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

/** The values with which Grafana replaces its variables. */
const VARIABLES = [
  [/\$job/g, 'gloss'],
  [/\$__rate_interval/g, '20s'],
] as const

/** Metrics that have no series before an error occurs. */
const ONLY_AFTER_TROUBLE = /gloss_retries_total/

/** The longest time until the board has data, in milliseconds: a rate needs two samples. */
const PATIENCE_MS = 180_000

/** The number of expressions of the board that get no data. */
export async function emptyPanels(prometheus: Prometheus): Promise<number> {
  const file = new URL('../../deploy/grafana.json', import.meta.url)
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as Board
  const until = performance.now() + PATIENCE_MS
  let empty = 0
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      if (ONLY_AFTER_TROUBLE.test(expr) || (await hasDataBy(until, prometheus, expr))) continue
      console.log(`no data: ${title}`)
      empty += 1
    }
  }
  console.log(`${String(panels.length)} panels, ${String(empty)} expressions without data`)
  return empty
}

/** Whether an expression gets data before a point in time. */
async function hasDataBy(until: number, prometheus: Prometheus, expr: string): Promise<boolean> {
  const expression = VARIABLES.reduce((text, [name, value]) => text.replace(name, value), expr)
  while ((await prometheus.seriesOf(expression)) === 0) {
    if (performance.now() > until) return false
    await sleep(500)
  }
  return true
}
