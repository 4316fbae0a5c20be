/** The report: tables and charts in `docs/performance.md`, beside what is written by hand. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { barChart, dotChart, lineChart } from './charts.ts'
import type { Results } from './results.ts'
import { tablesOf } from './tables.ts'

const NAMES = { sqlite: 'SQLite', mysql: 'MySQL' } as const

const root = dirname(import.meta.dirname)
const RESULTS = join(root, 'bench', 'results')
const PAGE = join(root, 'docs', 'performance.md')
const CHARTS = join(root, 'docs', 'performance')

/** Keeps the results of a full run and writes what follows from them into the documentation. */
export function publish(results: Results): void {
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(join(RESULTS, `${results.database}.json`), `${JSON.stringify(results, undefined, 1)}\n`)
  mkdirSync(CHARTS, { recursive: true })
  const charts = chartsOf(results)
  for (const { file, content } of charts) writeFileSync(join(CHARTS, file), content)
  const images = charts.map(({ file, about }) => `![${about}](performance/${file})`).join('\n\n')
  const page = readFileSync(PAGE, 'utf8')
  const [begin, end] = [
    `<!-- ${results.database}: made by npm run bench -->`,
    `<!-- ${results.database}: end -->`,
  ]
  const [before, rest] = [page.indexOf(begin), page.indexOf(end)]
  if (before < 0 || rest < before) throw new Error(`${PAGE} has no place for ${results.database}`)
  const made = `${begin}\n\n${tablesOf(results)}\n\n### Charts\n\n${images}\n\n`
  writeFileSync(PAGE, page.slice(0, before) + made + page.slice(rest))
}

/** The charts of a run, and what they show in words. */
function chartsOf(results: Results): { file: string; about: string; content: string }[] {
  const { database, queries, single, growth, memory, services } = results
  const on = `on ${NAMES[database]}`
  const charts: [name: string, about: string, content: string][] = []
  const rowsOf = (
    key: 'perSecond' | 'medianMs' | 'p99Ms',
    sides: readonly ('gloss' | 'bare')[] = ['gloss', 'bare'],
  ) =>
    single.map((result) => ({
      name: `${result.operation}, ${result.connections} connection${result.connections > 1 ? 's' : ''}`,
      values: sides.map((side) => result[side][key].median),
    }))
  const both = ['Gloss', 'bare server']
  if (single.length > 0) {
    const throughput = `Throughput of single operations ${on}`
    charts.push([
      'throughput',
      throughput,
      barChart({ title: throughput, axis: 'requests per second', series: both, rows: rowsOf('perSecond') }),
    ])
    const latency = `Latency of single operations ${on}`
    const rows = single.map((result) => ({
      name: `${result.operation}, ${result.connections} connection${result.connections > 1 ? 's' : ''}`,
      values: [
        result.gloss.medianMs.median,
        result.gloss.p99Ms.median,
        result.bare.medianMs.median,
        result.bare.p99Ms.median,
      ],
    }))
    charts.push([
      'latency',
      latency,
      barChart({
        title: latency,
        axis: 'milliseconds',
        series: ['Gloss, median', 'Gloss, p99', 'bare server, median', 'bare server, p99'],
        rows,
      }),
    ])
  }
  if (queries.length > 0) {
    const title = `Queries by shape and size of the store ${on}`
    const sizes = queries.map(({ values }) => `Gloss, ${values.toLocaleString('en')} values`)
    const largest = queries.at(-1)
    const rows = (largest?.shapes ?? []).map(({ name, byHand }) => ({
      name,
      values: [
        ...queries.map(({ shapes }) => shapes.find((shape) => shape.name === name)?.gloss.median),
        byHand.median,
      ],
    }))
    const byHand = `○ by hand, ${largest?.values.toLocaleString('en') ?? ''} values`
    charts.push([
      'queries',
      title,
      dotChart({ title, axis: 'milliseconds', series: [...sizes, byHand], rows }),
    ])
  }
  if (growth.length > 0) {
    const title = `Growth of what touches the same number of values ${on}`
    const series = growth.map(({ name, stores }) => ({
      name,
      points: stores.map(({ values, ms }): [number, number] => [
        values,
        ms.median / (stores[0]?.ms.median ?? NaN),
      ]),
    }))
    const up = 'time, smallest store = 1'
    charts.push([
      'growth',
      title,
      lineChart({ title, across: 'values in the store', up, series, limit: 1.2, logarithmic: true }),
    ])
  }
  if (memory.length > 0) {
    const title = `Memory while clients read a million ids each ${on}`
    const series = memory.map(({ clients, course, idleMb }) => ({
      name: clients,
      points: course.map(([ms, mb]): [number, number] => [ms / 1000, Math.max(0, mb - idleMb)]),
    }))
    charts.push([
      'memory',
      title,
      lineChart({ title, across: 'seconds', up: 'MB over idle', series, limit: 300 }),
    ])
  }
  const measured = services.filter(({ single: loads }) => loads !== undefined)
  if (measured.length > 1) {
    const title = `Throughput of services, 16 connections, Gloss ${on}`
    const rows = measured.map(({ name, single: loads }) => ({
      name,
      values: [loads?.read.perSecond.median, loads?.write.perSecond.median],
    }))
    charts.push([
      'services',
      title,
      barChart({ title, axis: 'requests per second', series: ['reads', 'writes'], rows }),
    ])
  }
  return charts.map(([name, about, content]) => ({ file: `${database}-${name}.svg`, about, content }))
}
