/** The report: tables of ratios against the goals, and charts, in `docs/performance.md` beside what is written by hand. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { barChart, dotChart, lineChart } from './charts.ts'
import type { Results } from './results.ts'
import { median, type Spread } from './statistics.ts'

const NAMES = { sqlite: 'SQLite', mysql: 'MySQL' } as const

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(value < 1 ? 2 : 3)))
const spread = ({ median: middle, low, high }: Spread): string =>
  `${number(middle)} (${number(low)}–${number(high)})`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, 3, ...rows.map((row) => row[i]?.length ?? 0)))
  const lineOf = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [
    lineOf(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rows.map(lineOf),
  ].join('\n')
}

interface Goal {
  readonly work: string
  readonly goal: string
  readonly measured: string
  readonly met: boolean
}

/** The goal for one figure, with its spread. */
const atMost = (work: string, limit: number, measured: Spread, of: string): Goal => ({
  work,
  goal: `≤ ${limit} x ${of}`,
  measured: spread(measured),
  met: measured.median <= limit,
})

const worst = <T>(items: readonly T[], ratio: (item: T) => Spread): T | undefined =>
  [...items].sort((a, b) => ratio(b).median - ratio(a).median)[0]

/** What was reached of the goals; what was not measured is left out. */
export function goalsOf(results: Results): Goal[] {
  const goals: Goal[] = []
  const shapes = results.queries.at(-1)?.shapes ?? []
  const worstShape = worst(shapes, ({ ratio }) => ratio)
  if (worstShape !== undefined) {
    const middle = median(shapes.map(({ ratio }) => ratio.median))
    goals.push({
      work: `ids of a query, median of ${shapes.length} shapes`,
      goal: '≤ 1.3 x SQL by hand',
      measured: number(middle),
      met: middle <= 1.3,
    })
    goals.push(
      atMost(`ids of a query, slowest shape: ${worstShape.name}`, 2, worstShape.ratio, 'SQL by hand'),
    )
  }
  const refusal = worst(results.refusals, ({ ratio }) => ratio)
  if (refusal !== undefined)
    goals.push(atMost(`413, slowest: ${refusal.name}`, 1.1, refusal.ratio, 'the count that proves it'))
  for (const single of results.single.filter(({ connections }) => connections > 1)) {
    if (single.operation === 'read') {
      goals.push(atMost('read of one value, processor time', 2.5, single.cpuRatio, 'a bare server'))
    } else {
      const measured = spread(single.throughputRatio)
      goals.push({
        work: 'write of one value, throughput',
        goal: '≥ 0.7 x a bare server',
        measured,
        met: single.throughputRatio.median >= 0.7,
      })
    }
  }
  for (const { name, ratios } of results.services.slice(1)) {
    if (ratios === undefined) continue
    goals.push({
      work: 'read of one value, throughput',
      goal: `≥ 3 x ${name}`,
      measured: spread(ratios.read),
      met: ratios.read.median >= 3,
    })
  }
  for (const { name, ratio } of results.bulk.filter((result) => result.name.startsWith('PUT'))) {
    goals.push(atMost(name, 1.5, ratio, 'SQL by hand'))
  }
  const growth = worst(results.growth, ({ ratio }) => ratio)
  if (growth !== undefined) {
    const [first, last] = [growth.stores[0], growth.stores.at(-1)]
    goals.push(
      atMost(
        `growth, most: ${growth.name}`,
        1.2,
        growth.ratio,
        `from ${first?.values.toLocaleString('en')} to ${last?.values.toLocaleString('en')} values`,
      ),
    )
  }
  for (const { clients, octets, overIdleMb } of results.memory) {
    goals.push({
      work: `memory, ${clients} of ${number(octets / 1e6)} MB each`,
      goal: '≤ 300 MB over idle',
      measured: `${number(overIdleMb)} MB`,
      met: overIdleMb <= 300,
    })
  }
  for (const { name, ratio } of results.isolation)
    goals.push(atMost(`99th percentile of single reads during '${name}'`, 3, ratio, 'alone'))
  for (const { ratio } of results.signIn) {
    goals.push(atMost('median of single reads during 10,000 wrong passwords a minute', 1.2, ratio, 'alone'))
  }
  return goals
}

/** The goals as a table, for a terminal as well. */
export const goalTable = (results: Results): string =>
  table(
    ['Work', 'Goal', 'Measured', ''],
    goalsOf(results).map(({ work, goal, measured, met }) => [
      work,
      goal,
      measured,
      met ? 'met' : '**missed**',
    ]),
  )

function queryTable(shapes: Results['queries'][number]['shapes']): string {
  return table(
    [
      'Shape',
      'Found',
      'Gloss, ms',
      'By hand, ms',
      'Bare server, ms',
      'Gloss / by hand',
      'Gloss / bare',
      'CPU / by hand',
    ],
    shapes.map((shape) => [
      shape.name,
      shape.found.toLocaleString('en'),
      number(shape.gloss.median),
      number(shape.byHand.median),
      number(shape.bare.median),
      spread(shape.ratio),
      spread(shape.ratioToBare),
      number(shape.glossCpuMs / shape.byHandCpuMs),
    ]),
  )
}

function singleTable(results: Results['single']): string {
  const rows = results.flatMap((result) =>
    (['gloss', 'bare'] as const).map((side) => {
      const { perSecond, medianMs, p99Ms, cpuMs, databaseCpuMs } = result[side]
      const what = `${result.operation}, ${result.connections} connection${result.connections > 1 ? 's' : ''}`
      const micro = ({ median: middle }: Spread): string => number(middle * 1000)
      return [
        what,
        side === 'gloss' ? 'Gloss' : 'bare server',
        spread(perSecond),
        number(medianMs.median),
        number(p99Ms.median),
        micro(cpuMs),
        micro(databaseCpuMs),
      ]
    }),
  )
  return table(
    [
      'Operation',
      '',
      'Requests/s',
      'Median, ms',
      'p99, ms',
      'CPU of the server, µs',
      'CPU of the database, µs',
    ],
    rows,
  )
}

const againstTable = (
  results: readonly { name: string; gloss: Spread; byHand: Spread; ratio: Spread }[],
): string =>
  table(
    ['Work', 'Gloss, ms', 'By hand, ms', 'Ratio'],
    results.map(({ name, gloss, byHand, ratio }) => [name, spread(gloss), spread(byHand), spread(ratio)]),
  )

function growthTable(results: Results['growth']): string {
  const sizes = results[0]?.stores.map(({ values }) => `${values.toLocaleString('en')} values, ms`) ?? []
  return table(
    ['Work', ...sizes, 'Last / first', 'CPU, last / first'],
    results.map(({ name, stores, ratio, cpuRatio }) => [
      name,
      ...stores.map(({ ms }) => spread(ms)),
      spread(ratio),
      number(cpuRatio),
    ]),
  )
}

function serviceTable(results: Results['services']): string {
  return table(
    [
      'Service',
      'Load, s',
      'Reads/s',
      'Writes/s',
      'CPU a read, µs',
      'Find, ms',
      'Change, ms',
      'Gloss: reads',
      'writes',
      'find',
      'change',
    ],
    results.map(({ name, version, unavailable, loadMs, single, find, change, ratios }) =>
      unavailable !== undefined || single === undefined || find === undefined || change === undefined
        ? [`${name}: ${unavailable ?? 'not measured'}`, ...Array<string>(10).fill('')]
        : [
            `${name} ${version}`,
            number((loadMs ?? 0) / 1000),
            spread(single.read.perSecond),
            spread(single.write.perSecond),
            number(single.read.cpuMs * 1000),
            spread(find),
            spread(change),
            ...(['read', 'write', 'find', 'change'] as const).map(
              (kind) => `${number(ratios?.[kind].median ?? NaN)} x`,
            ),
          ],
    ),
  )
}

/** The tables of a run. */
export function tablesOf(results: Results): string {
  const { machine, values, queries, refusals, single, bulk, growth, memory, isolation, services } = results
  const sections: [title: string, body: string][] = [
    ['Goals', goalTable(results)],
    ...queries.map(({ values: size, shapes }): [string, string] => [
      `Queries, ${size.toLocaleString('en')} values`,
      queryTable(shapes),
    ]),
    ['Refusals (413)', againstTable(refusals)],
    ['Single values', singleTable(single)],
    ['Bulk', againstTable(bulk)],
    ['Growth', growthTable(growth)],
    [
      'Memory',
      table(
        ['Clients', 'Idle, MB', 'Peak, MB', 'Over idle, MB'],
        memory.map(({ clients, idleMb, peakMb, overIdleMb }) => [
          clients,
          number(idleMb),
          number(peakMb),
          number(overIdleMb),
        ]),
      ),
    ],
    [
      'Isolation',
      table(
        [
          'Query meanwhile',
          'Alone: median, ms',
          'p99, ms',
          'During: median, ms',
          'p99, ms',
          'Ratio of p99',
          'Queries',
        ],
        isolation.map(({ name, alone, during, ratio, queries: count }) => [
          name,
          number(alone.medianMs.median),
          spread(alone.p99Ms),
          number(during.medianMs.median),
          spread(during.p99Ms),
          spread(ratio),
          String(count),
        ]),
      ),
    ],
    [
      'Sign-in',
      table(
        ['Wrong passwords a minute', 'Median, ms', 'p99, ms', 'Ratio of medians', 'Answers to wrong ones'],
        results.signIn.flatMap(({ alone, attacked, ratio, attempts }) => {
          const answers = Object.entries(attempts).map(
            ([status, count]) => `${status}: ${count.toLocaleString('en')}`,
          )
          return [
            ['none', spread(alone.medianMs), spread(alone.p99Ms), '', ''],
            ['10,000', spread(attacked.medianMs), spread(attacked.p99Ms), spread(ratio), answers.join(', ')],
          ]
        }),
      ),
    ],
    ['Other services', serviceTable(services)],
  ]
  const filled = sections.filter(([, body]) => body.split('\n').length > 2)
  const about = `${results.databaseVersion}, ${values.toLocaleString('en')} values, ${results.at.slice(0, 10)}; ${machine.processors} x ${machine.processor}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}.`
  return [
    `${about} Medians of rounds, with the quartiles in parentheses.`,
    ...filled.map(([title, body]) => `### ${title}\n\n${body}`),
  ].join('\n\n')
}

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
export function chartsOf(results: Results): { file: string; about: string; content: string }[] {
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
