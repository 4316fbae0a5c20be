/** Prometheus with the rules and the scrape configuration of deploy/, on ports of a test. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { freePort } from '../../test/support/ports.ts'

const DEPLOY = new URL('../../deploy/', import.meta.url)
const shipped = (file: string): string => readFileSync(new URL(file, DEPLOY), 'utf8')

const PACKAGES = ['prometheus', 'prometheus-nginx-exporter']

/**
 * Unpacks Debian's Prometheus into a folder, because an installed one would start by itself; returns the folder of its
 * programs. Throws if it is not available.
 */
export function unpackPrometheus(folder: string): string {
  const options = { cwd: folder, encoding: 'utf8' } as const
  const download = spawnSync('apt-get', ['download', ...PACKAGES], options)
  if (download.status !== 0) throw new Error(`apt has no Prometheus here: ${download.stderr}`)
  spawnSync('sh', ['-c', 'for one in *.deb; do dpkg-deb -x "$one" .; done'], options)
  return join(folder, 'usr', 'bin')
}

/** The longest window of a rule in a test, in seconds: it replaces all longer ones. */
export const WINDOW_S = 20

const SECONDS = { s: 1, m: 60, h: 3600 } as const

/** The rules of deploy/ with windows and times of at most `WINDOW_S`. */
const shortened = (rules: string): string =>
  rules.replace(
    /(for: |\[)(\d+)([smh])\b/g,
    (whole, before: string, count: string, unit: keyof typeof SECONDS) =>
      Number(count) * SECONDS[unit] > WINDOW_S ? `${before}${String(WINDOW_S)}s` : whole,
  )

/** Whether an alert has to hold for a shorter time in a test; the shipped one is as much longer. */
export const hasShortened = (alert: string): boolean =>
  rules.some((rule, i) => rule.alert === alert && rule.for !== shortRules[i]?.for)

const [rules = [], shortRules = []] = [shipped('alerts.yaml'), shortened(shipped('alerts.yaml'))].map(
  (text) => (parse(text) as Rules).groups.flatMap((group) => group.rules),
)

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly for: string }[] }[]
}

/** The addresses to scrape, by job; jobs that are not named are left out. */
export type Targets = Readonly<Record<string, readonly string[]>>

interface Shipped {
  readonly scrape_configs: readonly { readonly job_name: string }[]
}

/** The scrape configuration of deploy/ for other addresses, and for rules in the same folder. */
const scraping = (targets: Targets): string =>
  // JSON is valid YAML.
  JSON.stringify({
    ...(parse(shipped('prometheus.yaml')) as Shipped),
    scrape_configs: (parse(shipped('prometheus.yaml')) as Shipped).scrape_configs
      .filter(({ job_name: job }) => targets[job] !== undefined)
      .map((config) => ({ ...config, static_configs: [{ targets: targets[config.job_name] }] })),
  })

/** The status of what it answers before its start has finished. */
const NOT_STARTED = 503

/** A running Prometheus. */
export class Prometheus {
  readonly #child: ChildProcess
  readonly #port: number
  readonly #file: string

  private constructor(child: ChildProcess, port: number, file: string) {
    this.#child = child
    this.#port = port
    this.#file = file
  }

  /** Starts it with shortened rules, in a new folder. */
  static async start(programs: string, folder: string, targets: Targets): Promise<Prometheus> {
    mkdirSync(folder)
    const [file, port] = [join(folder, 'prometheus.yaml'), await freePort()]
    writeFileSync(file, scraping(targets))
    writeFileSync(join(folder, 'alerts.yaml'), shortened(shipped('alerts.yaml')))
    const args = [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${String(port)}`,
    ]
    const child = spawn(join(programs, 'prometheus'), args, { stdio: 'ignore' })
    const started = new Prometheus(child, port, file)
    while ((await started.asked('rules')) === undefined) await sleep(200)
    return started
  }

  /** Scrapes other targets from now on. */
  watch(targets: Targets): void {
    writeFileSync(this.#file, scraping(targets))
    this.#child.kill('SIGHUP')
  }

  /** Calls its API; undefined while it does not answer. Throws for a path that it refuses. */
  async asked(path: string): Promise<unknown> {
    const url = `http://127.0.0.1:${String(this.#port)}/api/v1/${path}`
    const answer = await fetch(url).catch(() => undefined)
    if (answer === undefined || answer.status === NOT_STARTED) return undefined
    const { status, data, error } = (await answer.json()) as Record<string, unknown>
    if (status !== 'success') throw new Error(`${path}: ${String(error)}`)
    return data
  }

  /** The number of series of an expression now. */
  async seriesOf(expression: string): Promise<number> {
    const data = await this.asked(`query?query=${encodeURIComponent(expression)}`)
    return (data as { result: unknown[] } | undefined)?.result.length ?? 0
  }

  /** The names of the alerts that fire now. */
  async firing(): Promise<ReadonlySet<string>> {
    const data = await this.asked('alerts')
    const { alerts } = (data ?? { alerts: [] }) as {
      alerts: { state: string; labels: { alertname: string } }[]
    }
    return new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname))
  }

  async stop(): Promise<void> {
    this.#child.kill()
    if (this.#child.exitCode === null) await once(this.#child, 'exit')
  }
}

/**
 * Runs promtool on what is shipped, and on the metrics of an instance; returns how many of these checks found a fault. The
 * library that measures Node calls some of its gauges `_total`, which is not for us to change.
 */
export function promtoolFaults(programs: string, metrics: string): number {
  const run = (args: readonly string[], input = ''): string => {
    const { status, stdout, stderr } = spawnSync(join(programs, 'promtool'), args, {
      cwd: DEPLOY,
      input,
      encoding: 'utf8',
    })
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !/^nodejs_/.test(line))
    console.log([`promtool ${args.join(' ')}:`, ...lines].join('\n  '))
    return status === 0 ? '' : lines.join('\n')
  }
  const faults = [
    run(['check', 'rules', 'alerts.yaml']),
    run(['check', 'config', 'prometheus.yaml']),
    run(['check', 'metrics'], metrics),
  ]
  return faults.filter((fault) => fault !== '').length
}
