/** The tables of a run. */
import { goalsOf } from './goals.ts'
import type { Results } from './results.ts'
import { searchTable } from './search-tables.ts'
import { spaceTable } from './space-tables.ts'
import type { Spread } from './statistics.ts'
import { number, spread, table } from './text.ts'

const goalTable = (results: Results): string =>
  table(
    ['Work', 'Goal', 'Measured', ''],
    goalsOf(results).map(({ work, goal, measured, verdict }) => [
      work,
      goal,
      measured,
      verdict === 'missed' ? '**missed**' : verdict,
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
      'CPU / bare',
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
      shape.cpuRatioToBare === undefined ? '' : spread(shape.cpuRatioToBare),
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

const loadTable = (loads: NonNullable<Results['loads']>): string =>
  table(
    ['Work', '', 'Objects/s', 'Values/s', 'ms', 'CPU, ms', 'Ratio', 'CPU ratio'],
    loads.flatMap(({ name, valuesEach, perSecond, ...took }) => [
      [
        name,
        'Gloss',
        spread(perSecond.gloss),
        number(perSecond.gloss.median * valuesEach),
        number(took.gloss.median),
        number(took.glossCpuMs),
        spread(took.ratio),
        spread(took.cpuRatio),
      ],
      [
        '',
        'SQL by hand',
        spread(perSecond.byHand),
        number(perSecond.byHand.median * valuesEach),
        number(took.other.median),
        number(took.otherCpuMs),
        '',
        '',
      ],
    ]),
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
  const { queries, refusals, single, bulk, growth, memory, isolation, services } = results
  const sections: [title: string, body: string][] = [
    ['Goals', goalTable(results)],
    ...queries.map(({ values: size, shapes }): [string, string] => [
      `Queries, ${size.toLocaleString('en')} values`,
      queryTable(shapes),
    ]),
    ['Refusals (413)', againstTable(refusals)],
    ['Single values', singleTable(single)],
    ['Bulk', againstTable(bulk)],
    ['Loads', loadTable(results.loads ?? [])],
    ['Searching', searchTable(results.search ?? [])],
    ['Growth', growthTable(growth)],
    ['Space', spaceTable(results)],
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
  return withHeading(results, sections)
}

/** The tables of a run for a page: goals and other services. */
export const summaryOf = (results: Results): string =>
  withHeading(results, [
    ['Goals', goalTable(results)],
    ['Other services', serviceTable(results.services)],
  ])

/** The tables with rows, below a line about the measurement and the machine. */
function withHeading(
  { databaseVersion, values, at, machine }: Results,
  sections: readonly [title: string, body: string][],
): string {
  const filled = sections.filter(([, body]) => body.split('\n').length > 2)
  const about = `${databaseVersion}, ${values.toLocaleString('en')} values, ${at.slice(0, 10)}; ${machine.processors} x ${machine.processor}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}.`
  return [
    `${about} Medians of rounds, with the quartiles in parentheses.`,
    ...filled.map(([title, body]) => `### ${title}\n\n${body}`),
  ].join('\n\n')
}
