/** Self-contained SVG charts for light and dark backgrounds. */

/** A scale: the position of a value on its axis, from 0 to 1, and the values marked on it. */
interface Scale {
  at(value: number): number
  readonly ticks: readonly number[]
}

function linear(greatest: number): Scale {
  const rough = greatest / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power
  const top = Math.ceil(greatest / step) * step
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step)
  return { at: (value) => value / top, ticks }
}

function logarithmic(values: readonly number[]): Scale {
  const positive = values.filter((value) => value > 0)
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...positive))),
    Math.ceil(Math.log10(Math.max(...positive))),
  ]
  const span = Math.max(1, high - low)
  const ticks = Array.from({ length: span + 1 }, (_, i) => 10 ** (low + i))
  return { at: (value) => Math.max(0, (Math.log10(value) - low) / span), ticks }
}

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .axis { fill: #57606a }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .limit { stroke: #cf222e; stroke-width: 1.5; stroke-dasharray: 5 4 }
  .line { fill: none; stroke-width: 2 }
  .c0 { fill: #0969da; stroke: #0969da } .c1 { fill: #bc4c00; stroke: #bc4c00 } .c2 { fill: #1a7f37; stroke: #1a7f37 }
  .c3 { fill: #8250df; stroke: #8250df } .c4 { fill: #9a6700; stroke: #9a6700 } .c5 { fill: #bf3989; stroke: #bf3989 }
  .hollow { fill: none; stroke-width: 1.5 } .line { fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .axis { fill: #9198a1 } .grid { stroke: #3d444d } .limit { stroke: #f85149 }
    .c0 { fill: #4493f8; stroke: #4493f8 } .c1 { fill: #f0883e; stroke: #f0883e } .c2 { fill: #3fb950; stroke: #3fb950 }
    .c3 { fill: #ab7df8; stroke: #ab7df8 } .c4 { fill: #d29922; stroke: #d29922 } .c5 { fill: #db61a2; stroke: #db61a2 }
    .hollow, .line { fill: none }
  }`

const COLOURS = 6
const WIDTH = 860
const ROW = 18
const [TOP, BOTTOM, RIGHT] = [66, 46, 30]

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const text = (x: number, y: number, what: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(what)}</text>`
const line = (x1: number, y1: number, x2: number, y2: number, kind: string): string =>
  `<line class="${kind}" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`
const colour = (series: number): string => `c${series % COLOURS}`
const tickText = (value: number): string =>
  value >= 1 || value === 0 ? value.toLocaleString('en') : String(Number(value.toPrecision(1)))

function svg(height: number, title: string, series: readonly string[], parts: readonly string[]): string {
  let x = 16
  const legend = series.flatMap((name, i) => {
    const hollow = name.startsWith('○ ')
    const label = name.replace(/^○ /, '')
    const here = x
    x += 26 + label.length * 6.6
    return [
      `<circle class="${colour(i)}${hollow ? ' hollow' : ''}" cx="${here + 5}" cy="42" r="5"/>`,
      text(here + 15, 46, label),
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title).replaceAll('"', '&quot;')}">
<style>${STYLE}
</style>
${[text(16, 22, title, 'class="title"'), ...legend, ...parts].join('\n')}
</svg>
`
}

/** Rows with one value, or none, for each series. */
export interface Rows {
  readonly title: string
  /** The label of the axis, with its unit. */
  readonly axis: string
  readonly series: readonly string[]
  readonly rows: readonly { readonly name: string; readonly values: readonly (number | undefined)[] }[]
}

/** The vertical lines of a horizontal axis, with the values below them. */
function horizontalAxis(scale: Scale, left: number, bottom: number, axis: string): string[] {
  const width = WIDTH - left - RIGHT
  const ticks = scale.ticks.flatMap((tick) => {
    const x = left + scale.at(tick) * width
    return [
      line(x, TOP, x, bottom, 'grid'),
      text(x, bottom + 16, tickText(tick), 'class="axis" text-anchor="middle"'),
    ]
  })
  return [...ticks, text(left + width / 2, bottom + 36, axis, 'class="axis" text-anchor="middle"')]
}

const labelWidth = (rows: Rows['rows']): number => 30 + Math.max(...rows.map(({ name }) => name.length)) * 6.4

/** Shows each value as a dot on a logarithmic axis; series whose names begin with `○ ` have circles. */
export function dotChart({ title, axis, series, rows }: Rows): string {
  const left = labelWidth(rows)
  const bottom = TOP + rows.length * ROW + 6
  const scale = logarithmic(rows.flatMap(({ values }) => values.filter((value) => value !== undefined)))
  const dots = rows.flatMap(({ name, values }, i) => {
    const y = TOP + (i + 0.5) * ROW + 3
    const circles = values.map((value, k) => {
      if (value === undefined) return ''
      const x = left + scale.at(value) * (WIDTH - left - RIGHT)
      return `<circle class="${colour(k)}${series[k]?.startsWith('○ ') === true ? ' hollow' : ''}" cx="${x.toFixed(1)}" cy="${y}" r="4.5"/>`
    })
    return [text(left - 10, y + 4, name, 'text-anchor="end"'), ...circles]
  })
  return svg(bottom + BOTTOM, title, series, [...horizontalAxis(scale, left, bottom, axis), ...dots])
}

/** Shows each value as a bar with its figure beside it. */
export function barChart(
  { title, axis, series, rows }: Rows,
  kind: 'linear' | 'logarithmic' = 'linear',
): string {
  const left = labelWidth(rows)
  const [bar, gap] = [14, 10]
  const height = series.length * bar + gap
  const bottom = TOP + rows.length * height + 4
  const values = rows.flatMap((row) => row.values.filter((value) => value !== undefined))
  const scale = kind === 'linear' ? linear(Math.max(...values) * 1.08) : logarithmic(values)
  const bars = rows.flatMap((row, i) => {
    const y = TOP + i * height + gap / 2
    const boxes = row.values.flatMap((value, k) => {
      if (value === undefined) return []
      const width = Math.max(1, scale.at(value) * (WIDTH - left - RIGHT - 50))
      const top = y + k * bar
      return [
        `<rect class="${colour(k)}" x="${left}" y="${top}" width="${width.toFixed(1)}" height="${bar - 3}"/>`,
        text(left + width + 5, top + bar - 4, figure(value)),
      ]
    })
    return [text(left - 10, y + (height - gap) / 2 + 3, row.name, 'text-anchor="end"'), ...boxes]
  })
  // The axis ends before the figures at the right of the bars.
  const shown = {
    ...scale,
    at: (value: number) => (scale.at(value) * (WIDTH - left - RIGHT - 50)) / (WIDTH - left - RIGHT),
  }
  return svg(bottom + BOTTOM, title, series, [...horizontalAxis(shown, left, bottom, axis), ...bars])
}

const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))

/** Series of points, each connected by a line. */
export interface Lines {
  readonly title: string
  readonly across: string
  readonly up: string
  readonly series: readonly {
    readonly name: string
    readonly points: readonly (readonly [number, number])[]
  }[]
  /** A limit, shown as a line. */
  readonly limit?: number
  /** Whether the horizontal axis is logarithmic. */
  readonly logarithmic?: boolean
}

const limitLine = (left: number, width: number, y: number): string[] => [
  line(left, y, left + width, y, 'limit'),
  text(left + width - 4, y - 5, 'goal', 'class="axis" text-anchor="end"'),
]

/** Shows each series as a line, with a legend beside them. */
export function lineChart({ title, across, up, series, limit, logarithmic: log = false }: Lines): string {
  const [left, height] = [70, 300]
  const right = 60 + Math.max(...series.map(({ name }) => name.length)) * 6.6
  const [width, bottom] = [WIDTH - left - right, TOP + height]
  const points = series.flatMap((one) => one.points)
  const xs = points.map(([x]) => x)
  const horizontal = log ? logarithmic(xs) : linear(Math.max(...xs))
  const vertical = linear(Math.max(...points.map(([, y]) => y), limit ?? 0))
  const place = ([x, y]: readonly [number, number]): [number, number] => [
    left + horizontal.at(x) * width,
    bottom - vertical.at(y) * height,
  ]
  const grid = [
    ...vertical.ticks.flatMap((tick) => {
      const y = bottom - vertical.at(tick) * height
      return [
        line(left, y, left + width, y, 'grid'),
        text(left - 8, y + 4, tickText(tick), 'class="axis" text-anchor="end"'),
      ]
    }),
    ...horizontal.ticks.map((tick) =>
      text(
        left + horizontal.at(tick) * width,
        bottom + 18,
        tickText(tick),
        'class="axis" text-anchor="middle"',
      ),
    ),
    text(left + width / 2, bottom + 38, across, 'class="axis" text-anchor="middle"'),
    text(
      18,
      TOP + height / 2,
      up,
      `class="axis" text-anchor="middle" transform="rotate(-90 18 ${TOP + height / 2})"`,
    ),
  ]
  const limits = limit === undefined ? [] : limitLine(left, width, place([0, limit])[1])
  const lines = series.flatMap((one, i) => {
    const places = one.points.map(place)
    const path = places.map(([x, y], k) => `${k === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
    const dash = i >= COLOURS ? ' stroke-dasharray="6 4"' : ''
    const y = TOP + 8 + i * 18
    return [
      `<path class="line ${colour(i)}"${dash} d="${path}"/>`,
      line(left + width + 16, y, left + width + 36, y, `line ${colour(i)}`).replace('/>', `${dash}/>`),
      text(left + width + 42, y + 4, one.name),
    ]
  })
  return svg(
    Math.max(bottom + BOTTOM, TOP + series.length * 18 + 20),
    title,
    [],
    [...grid, ...limits, ...lines],
  )
}
