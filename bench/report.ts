/** Writes the main tables and the charts into `docs/performance.md`, between its hand-written parts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chartsOf } from './report-charts.ts'
import type { Results } from './results.ts'
import { summaryOf } from './tables.ts'

const root = dirname(import.meta.dirname)
const RESULTS = join(root, 'bench', 'results')
const PAGE = join(root, 'docs', 'performance.md')
const CHARTS = join(root, 'docs', 'performance')

/** Saves the results of a full run and writes them into the documentation. */
export function publish(results: Results): void {
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(join(RESULTS, `${results.database}.json`), `${JSON.stringify(results, undefined, 1)}\n`)
  mkdirSync(CHARTS, { recursive: true })
  const charts = chartsOf(results)
  for (const { file, svg } of charts) writeFileSync(join(CHARTS, file), svg)
  const links = charts.map(({ file, title }) => `[${title}](performance/${file})`).join(', ')
  const page = readFileSync(PAGE, 'utf8')
  const [begin, end] = [
    `<!-- ${results.database}: made by npm run bench -->`,
    `<!-- ${results.database}: end -->`,
  ]
  const [before, rest] = [page.indexOf(begin), page.indexOf(end)]
  if (before < 0 || rest < before) throw new Error(`${PAGE} has no place for ${results.database}`)
  const made = `${begin}\n\n${summaryOf(results)}\n\nCharts: ${links}.\n\n`
  writeFileSync(PAGE, page.slice(0, before) + made + page.slice(rest))
}
