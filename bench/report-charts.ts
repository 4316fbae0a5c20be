/** The charts of the report, with the figures of a run in each. */
import { barChart, dotChart, lineChart, type Rows } from './charts.ts'
import type { Results } from './results.ts'
import { bytesEach, partsOf, storesOf } from './space-tables.ts'

const NAMES = { sqlite: 'SQLite', mysql: 'MySQL' } as const

/** Draws a chart of a run; undefined if the run has no data for it. */
type Chart = (results: Results, on: string) => { readonly title: string; readonly svg: string } | undefined

/** The charts by name, in the order of the report. */
const CHARTS: Readonly<Record<string, Chart>> = {
  throughput: throughputChart,
  latency: latencyChart,
  queries: queryChart,
  searches: searchChart,
  loads: loadChart,
  growth: growthChart,
  space: spaceChart,
  memory: memoryChart,
  services: serviceChart,
}

/** The charts of a run as files, with their titles. */
export const chartsOf = (results: Results): { file: string; title: string; svg: string }[] =>
  Object.entries(CHARTS).flatMap(([name, draw]) => {
    const chart = draw(results, `on ${NAMES[results.database]}`)
    return chart === undefined ? [] : [{ file: `${results.database}-${name}.svg`, ...chart }]
  })

const loadName = ({ operation, connections }: Results['single'][number]): string =>
  `${operation}, ${connections} connection${connections > 1 ? 's' : ''}`

function throughputChart({ single }: Results, on: string): ReturnType<Chart> {
  if (single.length === 0) return undefined
  const title = `Throughput of single operations ${on}`
  const rows = single.map((result) => ({
    name: loadName(result),
    values: [result.gloss.perSecond.median, result.bare.perSecond.median],
  }))
  return bars({ title, axis: 'requests per second', series: ['Gloss', 'bare server'], rows })
}

function latencyChart({ single }: Results, on: string): ReturnType<Chart> {
  if (single.length === 0) return undefined
  const title = `Latency of single operations ${on}`
  const series = ['Gloss, median', 'Gloss, p99', 'bare server, median', 'bare server, p99']
  const rows = single.map((result) => ({
    name: loadName(result),
    values: [result.gloss, result.bare].flatMap(({ medianMs, p99Ms }) => [medianMs.median, p99Ms.median]),
  }))
  return bars({ title, axis: 'milliseconds', series, rows })
}

function queryChart({ queries }: Results, on: string): ReturnType<Chart> {
  const largest = queries.at(-1)
  if (largest === undefined) return undefined
  const title = `Queries by shape and size of the store ${on}`
  const series = [
    ...queries.map(({ values }) => `Gloss, ${values.toLocaleString('en')} values`),
    `○ by hand, ${largest.values.toLocaleString('en')} values`,
  ]
  const rows = largest.shapes.map(({ name, byHand }) => ({
    name,
    values: [
      ...queries.map(({ shapes }) => shapes.find((shape) => shape.name === name)?.gloss.median),
      byHand.median,
    ],
  }))
  return { title, svg: dotChart({ title, axis: 'milliseconds', series, rows }) }
}

function searchChart({ search = [] }: Results, on: string): ReturnType<Chart> {
  const works = search.flatMap(({ pages, counts, facets }) => [
    ...pages,
    ...counts,
    ...facets.map((facet) => ({ ...facet, name: `facets of ${facet.name}` })),
  ])
  if (works.length === 0) return undefined
  const title = `Searches ${on}`
  const series = ['Gloss', '○ a bare server for pages, SQL by hand for the rest']
  const rows = works.map(({ name, gloss, other }) => ({ name, values: [gloss.median, other.median] }))
  return { title, svg: dotChart({ title, axis: 'milliseconds', series, rows }) }
}

function loadChart({ loads = [] }: Results, on: string): ReturnType<Chart> {
  if (loads.length === 0) return undefined
  const rows = loads.map(({ name, perSecond, valuesEach }) => ({
    name,
    values: [perSecond.gloss, perSecond.byHand].map(({ median }) => median * valuesEach),
  }))
  return bars({ title: `Loads ${on}`, axis: 'values per second', series: ['Gloss', 'SQL by hand'], rows })
}

function spaceChart(results: Results, on: string): ReturnType<Chart> {
  const stores = storesOf(results)
  if (stores.length === 0) return undefined
  const rows = partsOf(stores).map((part) => ({
    name: part,
    values: stores.map((store) => bytesEach(store, part)),
  }))
  const series = stores.map(({ name }) => name)
  return bars({ title: `What a value takes ${on}`, axis: 'bytes', series, rows })
}

function growthChart({ growth }: Results, on: string): ReturnType<Chart> {
  if (growth.length === 0) return undefined
  const title = `Growth of what touches the same number of values ${on}`
  const series = growth.map(({ name, stores }) => ({
    name,
    points: stores.map(({ values, ms }): [number, number] => [
      values,
      ms.median / (stores[0]?.ms.median ?? NaN),
    ]),
  }))
  const [across, up] = ['values in the store', 'time, smallest store = 1']
  return { title, svg: lineChart({ title, across, up, series, limit: 1.2, logarithmic: true }) }
}

function memoryChart({ memory }: Results, on: string): ReturnType<Chart> {
  if (memory.length === 0) return undefined
  const title = `Memory while clients read a million ids each ${on}`
  const series = memory.map(({ clients, course, idleMb }) => ({
    name: clients,
    points: course.map(([ms, mb]): [number, number] => [ms / 1000, Math.max(0, mb - idleMb)]),
  }))
  return { title, svg: lineChart({ title, across: 'seconds', up: 'MB over idle', series, limit: 300 }) }
}

function serviceChart({ services }: Results, on: string): ReturnType<Chart> {
  const measured = services.filter(({ single }) => single !== undefined)
  if (measured.length < 2) return undefined
  const title = `Throughput of services, 16 connections, Gloss ${on}`
  const rows = measured.map(({ name, single }) => ({
    name,
    values: [single?.read.perSecond.median, single?.write.perSecond.median],
  }))
  return bars({ title, axis: 'requests per second', series: ['reads', 'writes'], rows })
}

const bars = (rows: Rows): ReturnType<Chart> => ({ title: rows.title, svg: barChart(rows) })
