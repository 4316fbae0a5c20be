/** Starts the service: configuration, admin server, store, schema, server. On shutdown, running requests may finish first. */
import cluster from 'node:cluster'
import { Health } from './observing/admin/health.ts'
import { adminRoutes } from './observing/admin-routes.ts'
import { createAdminServer } from './observing/admin/server.ts'
import { readConfig, type Config } from './settings/config.ts'
import { VERSION } from './settings/version.ts'
import { onceReachable } from './data/database/reachable.ts'
import { startPurging } from './data/operations/purge.ts'
import { durabilityWarnings } from './data/store/durability.ts'
import { openStoreCheck } from './data/store/store-check.ts'
import { createStore, type DatabaseStore } from './data/store/store.ts'
import { SCHEMA } from './data/store/versions.ts'
import { SERVICE } from './data/entities/users.ts'
import { VerifiedCredentials } from './http/credentials/credentials.ts'
import { createHttpServer } from './http/server/server.ts'
import type { Metrics } from './observing/metrics.ts'
import { openLog, type OwnLog } from './observing/log.ts'
import { MemoryPressure } from './memory/pressure.ts'
import { startReclaiming } from './memory/reclaim.ts'
import { MemoryBudget } from './http/answer/memory-budget.ts'
import { checkPort, listen, portOf } from './process/listening.ts'
import { openUpToDate } from './process/opening.ts'
import { reread, watchAccount } from './process/rereading.ts'
import { endAtOnce, handleSignals, listenToSignals } from './process/signals.ts'
import { startFailure, whereabouts, type Address } from './process/start-failure.ts'
import { SignInThrottle, type Throttle } from './http/credentials/throttle.ts'
import { throttleOfPrimary, throttleWorkers } from './process/worker-throttle.ts'
import { beat, checkData, startWorkers } from './process/workers.ts'

// The service goes on if it cannot print, as on a full disk.
process.stdout.on('error', () => undefined)

const RUNNING = { version: VERSION, schema: SCHEMA }

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Stops the parts that were started. */
type Stop = () => Promise<void>

interface Started {
  readonly stop: Stop
  /** Reads again what an operator may have changed. */
  readonly reread: () => void
  /** Lines for operators; empty for a worker. */
  readonly banner: readonly string[]
}

/** The parts that serving needs. */
interface Dependencies {
  readonly config: Config
  readonly store: DatabaseStore
  readonly log: OwnLog
  /** Only with an admin server. */
  readonly metrics: Metrics | undefined
}

/** A running service. */
interface Serving {
  readonly port: number
  /** How many processes listen. */
  readonly listening: () => number
  readonly stop: Stop
}

/** Starts serving, in this process alone. */
async function startWorker(config: Config): Promise<Started> {
  beat()
  checkData(whereabouts(config.databaseUrl))
  const store = createStore(config.databaseUrl, config.queryTimeoutMs)
  const log = openLog(config)
  const metrics = await loadMetrics(config)
  const { stop } = await serve({ config, store, log, metrics }, throttleOfPrimary())
  return {
    stop: async () => {
      await stop()
      await store.close()
      await finish(log)
      // An open channel to the primary process would keep the worker alive.
      process.disconnect()
    },
    reread: () => {
      reread(config, log)
    },
    banner: [],
  }
}

/** Brings the store up to date and starts serving, in this process or in workers. */
async function startPrimary(config: Config): Promise<Started> {
  // Before the service creates anything, or shows a password.
  await checkPort(publicAddress(config))
  print(`Gloss ${VERSION} (schema ${SCHEMA}, Node ${process.versions.node})`)
  const log = openLog(config, { ...RUNNING, node: process.versions.node })
  const metrics = await loadMetrics(config)
  const admin = await startAdmin(config, log, metrics)
  const waiting = (reason: unknown): void => {
    print(`Waiting for the database: ${startFailure(reason, config)}`)
  }
  const store = await onceReachable(config.databaseUrl, config.startupWaitMs, waiting, () =>
    openUpToDate(config, print),
  )
  metrics?.opened(store)
  const { port, listening, stop } = await serveAll({ config, store, log, metrics })
  const purging = startPurging(store, SERVICE, (error) => {
    log.report('purging deleted tags', error)
  })
  admin.health.started(listening)
  const own = `http://${config.host}:${String(port)}`
  const url = config.baseUrl ?? own
  return {
    stop: async () => {
      admin.health.draining()
      purging.stop()
      await stop()
      await store.close()
      await admin.stop()
      await finish(log)
    },
    reread: () => {
      reread(config, log)
    },
    banner: [
      ...(await durabilityWarnings(config.databaseUrl)),
      `The data is in ${whereabouts(config.databaseUrl)}`,
      `Gloss listens on ${own}${url === own ? '' : `, and clients ask it at ${url}`}`,
      `Sign in with HTTP Basic as 'service', the superuser; others get accounts by POST /users.`,
      `${url}/console/ shows the store in a browser, and changes it.`,
      `${url}/docs describes all requests, and ${url}/docs/try sends them.`,
      'npx gloss --help lists what else can be done.',
    ],
  }
}

/** Writes the end of the log. If the log's reader does not read, the process ends without that. */
async function finish(log: OwnLog): Promise<void> {
  if (!(await log.finish())) endAtOnce(0)
}

/** Loads the metrics only for an admin server: their packages take memory. */
async function loadMetrics({ adminPort }: Config): Promise<Metrics | undefined> {
  return adminPort === undefined ? undefined : new (await import('./observing/metrics.ts')).Metrics()
}

/** Loads packages that are not among the service's dependencies. */
async function loadTracing() {
  try {
    return await import('./observing/tracing.ts')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT: to send spans, install what docs/monitoring.md names', {
      cause: error,
    })
  }
}

/** Starts the admin server, if it has a port, before the service connects to the database. It stops last. */
async function startAdmin(
  config: Config,
  { report, dropped }: OwnLog,
  metrics: Metrics | undefined,
): Promise<{ health: Health; stop: Stop }> {
  const health = new Health(RUNNING, openStoreCheck(config.databaseUrl))
  const { adminPort: port, adminHost: host, adminNames } = config
  if (port === undefined) return { health, stop: () => Promise.resolve() }
  metrics?.measureInstance({
    build: { ...RUNNING, contract: VERSION },
    databaseUrl: config.databaseUrl,
    health,
  })
  if (config.workers > 1) metrics?.gatherFromWorkers(dropped)
  const server = createAdminServer(adminRoutes(health, metrics), report, adminNames)
  await listen(server, { prefix: 'ADMIN_', host, port })
  print(`The admin server is on http://${host}:${String(portOf(server))}`)
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
    health.close()
  }
  return { health, stop }
}

/** Starts serving, in this process or in workers. */
async function serveAll(dependencies: Dependencies): Promise<Serving> {
  const throttle = new SignInThrottle()
  const { workers, databaseUrl } = dependencies.config
  if (workers === 1) return serve(dependencies, throttle)
  throttleWorkers(throttle)
  return startWorkers(workers, {
    whereabouts: whereabouts(databaseUrl),
    report: dependencies.log.report,
  })
}

/** Starts serving in this process. `stop` lets running requests finish. */
async function serve(
  { config, store, log: alone, metrics }: Dependencies,
  throttle: Throttle,
): Promise<Serving> {
  const verified = new VerifiedCredentials()
  const measured =
    metrics?.measure(alone, { store, remembered: () => verified.size, dropped: alone.dropped }) ?? alone
  const { log, stop: stopTracing } = config.tracing
    ? (await loadTracing()).tracing(measured)
    : { log: measured, stop: () => Promise.resolve() }
  // Loaded only in a process that serves, which the primary of workers does not.
  const { createApp } = await import('./app.ts')
  const pressure = new MemoryPressure()
  const budget = new MemoryBudget({
    note: (share) => {
      pressure.note(share)
    },
  })
  const app = await createApp(config, store, log, { throttle, verified, budget })
  const server = createHttpServer(config, app, log.answered)
  await listen(server, publicAddress(config))
  startReclaiming()
  const stop = async (): Promise<void> => {
    await server.drain({ waitMs: config.drainWaitMs, workMs: config.drainMs })
    await stopTracing()
  }
  return { port: portOf(server), listening: () => 1, stop }
}

const publicAddress = ({ host, port }: Config): Address => ({ prefix: '', host, port })

let config: Config | undefined
listenToSignals()
try {
  config = readConfig(process.env)
  // Used at the first start only: workers do not need it, and the file may be gone later.
  delete process.env['ADMIN_PASSWORD']
  delete process.env['ADMIN_PASSWORD_FILE']
  watchAccount(config)
  const { banner, ...handlers } = await (cluster.isWorker ? startWorker(config) : startPrimary(config))
  // First the handler: a program that reads these lines may send a signal at once.
  handleSignals(handlers)
  for (const line of banner) print(line)
} catch (error) {
  process.stderr.write(`${config === undefined ? (error as Error).message : startFailure(error, config)}\n`)
  process.exit(1)
}
