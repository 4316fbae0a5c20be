/**
 * Tests the delivered alert rules and dashboard with a Prometheus that watches a running service (`npm run
 * test:monitoring`, on Debian): all rules load, and each panel of the dashboard has data.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/support/ports.ts'
import { listening, runProcess } from '../test/support/process.ts'
import { argumentsOf } from './usage.ts'

const root = dirname(import.meta.dirname)
const ALERTS = join(root, 'deploy', 'alerts.yaml')
const JOB = 'gloss'
/** The values with which Grafana replaces its variables. */
const VARIABLES = [
  [/\$job/g, JOB],
  [/\$__rate_interval/g, '10s'],
] as const

interface Board {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

/**
 * Unpacks Debian's Prometheus into a folder, because an installed one would start by itself. Throws if it is not
 * available.
 */
function unpackPrometheus(folder: string): string {
  const options = { cwd: folder, encoding: 'utf8' } as const
  const download = spawnSync('apt-get', ['download', 'prometheus'], options)
  if (download.status !== 0) throw new Error(`apt has no Prometheus here: ${download.stderr}`)
  spawnSync('sh', ['-c', 'dpkg-deb -x prometheus_*.deb .'], options)
  return join(folder, 'usr', 'bin')
}

function startPrometheus(
  programs: string,
  folder: string,
  ports: { admin: number; own: number },
): ChildProcess {
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [ALERTS],
    scrape_configs: [{ job_name: JOB, static_configs: [{ targets: [`127.0.0.1:${String(ports.admin)}`] }] }],
  }
  const file = join(folder, 'prometheus.yml')
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify(config))
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${String(ports.own)}`,
  ]
  return spawn(join(programs, 'prometheus'), args, { stdio: 'ignore' })
}

/** Calls the API of Prometheus; undefined while it does not answer. */
async function asked(port: number, path: string): Promise<unknown> {
  try {
    const response = await fetch(`http://127.0.0.1:${String(port)}/api/v1/${path}`)
    const { status, data, error } = (await response.json()) as {
      status: string
      data: unknown
      error?: string
    }
    if (status !== 'success') throw new SyntaxError(`${path}: ${error ?? status}`)
    return data
  } catch (error) {
    if (error instanceof SyntaxError) throw error
    return undefined
  }
}

/** The number of series of an expression now. */
async function seriesOf(port: number, expression: string): Promise<number> {
  const data = await asked(port, `query?query=${encodeURIComponent(expression)}`)
  return (data as { result: unknown[] } | undefined)?.result.length ?? 0
}

/** Metrics that have no series before an error occurs. */
const ONLY_AFTER_TROUBLE = /gloss_retries_total/

/** The longest time until the dashboard has data, in milliseconds: a rate needs two samples. */
const PATIENCE_MS = 180_000

/** The number of expressions of the dashboard without a series. */
async function check(port: number): Promise<number> {
  while ((await seriesOf(port, `up{job="${JOB}"} == 1`)) === 0) await sleep(500)
  const { groups } = (await asked(port, 'rules')) as {
    groups: { rules: { name: string; query: string }[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  for (const { name, query } of rules) console.log(`${name}: ${String(await seriesOf(port, query))} series`)
  const { panels } = JSON.parse(readFileSync(join(root, 'deploy', 'grafana.json'), 'utf8')) as Board
  const until = performance.now() + PATIENCE_MS
  let empty = 0
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const series = await seriesBy(until, port, expr)
      console.log(`${title}: ${String(series)} series`)
      if (series === 0 && !ONLY_AFTER_TROUBLE.test(expr)) empty += 1
    }
  }
  console.log(
    `${String(rules.length)} rules, ${String(panels.length)} panels, ${String(empty)} expressions without series`,
  )
  return empty
}

/** The number of series of an expression, as soon as it has some, or at a point in time. */
async function seriesBy(until: number, port: number, expr: string): Promise<number> {
  const expression = VARIABLES.reduce((text, [name, value]) => text.replace(name, value), expr)
  for (;;) {
    const series = await seriesOf(port, expression)
    if (series > 0 || ONLY_AFTER_TROUBLE.test(expr) || performance.now() > until) return series
    await sleep(500)
  }
}

const PASSWORD = 'only for this test'

/** Sends requests that the service counts: a search, an error, and a failing sign-in. */
async function useService(url: string): Promise<void> {
  const ask = (path: string, password: string): Promise<Response> =>
    fetch(url + path, { headers: { Authorization: `Basic ${btoa(`service:${password}`)}` } })
  const found = await ask(`/objects?query=${encodeURIComponent('service/about = "nothing"')}`, PASSWORD)
  if (!found.ok) throw new Error(found.headers.get('X-Service-Message') ?? String(found.status))
  await ask('/about/nothing/service/about', PASSWORD)
  await ask('/about/nothing/service/about', 'wrong')
}

/** Ends a process in any state. */
async function end(child: ChildProcess): Promise<void> {
  child.kill()
  if (child.exitCode === null) await once(child, 'exit')
}

async function main(folder: string): Promise<number> {
  const programs = unpackPrometheus(folder)
  const rules = spawnSync(join(programs, 'promtool'), ['check', 'rules', ALERTS], { stdio: 'inherit' })
  const [admin, own] = [await freePort(), await freePort()]
  const service = runProcess({
    DATABASE_URL: `sqlite:${join(folder, 'gloss.db')}`,
    ADMIN_PASSWORD: PASSWORD,
    ADMIN_PORT: String(admin),
  })
  const prometheus = startPrometheus(programs, folder, { admin, own })
  try {
    await useService(`http://127.0.0.1:${String(await listening(service))}`)
    return (await check(own)) + (rules.status ?? 1)
  } finally {
    await Promise.all([end(prometheus), end(service.process)])
  }
}

argumentsOf({
  name: 'npm run test:monitoring',
  does: 'Tests the alert rules and the board that are shipped, on a Prometheus that watches a running service (Debian).',
})
const folder = mkdtempSync(join(tmpdir(), 'gloss-monitoring-'))
process.exitCode =
  (await main(folder).finally(() => {
    rmSync(folder, { recursive: true })
  })) === 0
    ? 0
    : 1
