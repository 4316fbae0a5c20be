/**
 * Metrics for Prometheus, from the events of the log and the state of the store (docs/monitoring.md lists them). Loaded only
 * if there is an admin server.
 */
import cluster from 'node:cluster'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { DatabaseStore } from '../data/store/store.ts'
import type { AnsweredRequest } from '../http/request/request-record.ts'
import { instanceMetrics, type Instance, type OpenStore } from './instance-metrics.ts'
import type { Log } from './log.ts'
import { answerPrimary, WorkerMetrics } from './worker-metrics.ts'

/** The sources of metrics besides requests. */
export interface Measured {
  readonly store: Pick<DatabaseStore, 'loads' | 'pools'>
  /** How many accounts are cached, so that signing in needs no hash. */
  readonly remembered: () => number
  /** How many lines of the log were dropped. */
  readonly dropped: () => number
}

/** Upper bounds, in seconds: from reading a single value to the longest query. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const OBJECTS = [0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

/** The `operation` of a request that matches no operation of the contract. */
const NO_OPERATION = 'none'
/** The `status` of a request whose client left before it had the whole answer. */
const NO_STATUS = 'gone'

const nothing = (): Promise<string> => Promise.resolve('')

/** The metrics of a process: its own, or those of its workers; and those of the instance. */
export class Metrics {
  /** The content type of `text`. */
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE
  #text = nothing
  #instanceText = nothing
  #store: OpenStore | undefined

  /** All metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    return (await Promise.all([this.#instanceText(), this.#text()])).join('\n')
  }

  /** Starts to measure the instance; call it in the process of the admin server. */
  measureInstance(instance: Omit<Instance, 'store'>): void {
    this.#instanceText = instanceMetrics({ ...instance, store: () => this.#store })
  }

  /** The store of the instance is open. */
  opened(store: OpenStore): void {
    this.#store = store
  }

  /** Starts to measure in this process; returns the log to use from now on, which passes everything on to `log`. */
  measure(log: Log, measured: Measured): Log {
    const registry = new Registry()
    this.#text = () => registry.metrics()
    if (cluster.isWorker) answerPrimary(registry)
    return measuring(registry, log, measured)
  }

  /** Makes `text` return the metrics of all workers, and the dropped lines of this process. Call it before they start. */
  gatherFromWorkers(dropped: () => number): void {
    const registry = new Registry()
    watchLog(registry, dropped)
    const workers = new WorkerMetrics(registry)
    this.#text = () => workers.text()
  }
}

function measuring(registry: Registry, log: Log, measured: Measured): Log {
  collectDefaultMetrics({ register: registry })
  watchStore(registry, measured)
  watchLog(registry, measured.dropped)
  const requests = requestMetrics(registry)
  const events = new Counter({
    name: 'gloss_security_events_total',
    help: 'Events of the security log, those that it left out included',
    labelNames: ['event'],
    registers: [registry],
  })
  return {
    ...log,
    note: (event) => {
      events.inc({ event: event.event })
      log.note(event)
    },
    answered: (request) => {
      requests(request)
      log.answered(request)
    },
  }
}

function requestMetrics(registry: Registry): (request: AnsweredRequest) => void {
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[]): Counter =>
    new Counter({ name, help, labelNames, registers })
  const count = counter('gloss_requests_total', 'Requests', ['operation', 'status'])
  const errors = counter('gloss_errors_total', 'Requests that were refused or failed', ['operation', 'class'])
  const waiting = counter(
    'gloss_request_waiting_seconds_total',
    'Time that requests waited for places and connections',
    ['operation'],
  )
  const database = counter('gloss_request_database_seconds_total', 'Time that their statements took', [
    'operation',
  ])
  const rows = counter('gloss_request_rows_total', 'Rows that their statements returned or changed', [
    'operation',
  ])
  const retries = counter('gloss_retries_total', 'Transactions that ran again', ['cause'])
  const duration = new Histogram({
    name: 'gloss_request_duration_seconds',
    help: 'Time from the turn of a request on its connection to the end of its answer',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  })
  const matches = new Histogram({
    name: 'gloss_query_matches',
    help: 'Objects that the queries of a request matched',
    labelNames: ['operation'],
    buckets: OBJECTS,
    registers,
  })
  return (request) => {
    const { operationId: operation = NO_OPERATION, status = NO_STATUS, errorClass, usage } = request
    count.inc({ operation, status })
    if (errorClass !== undefined) errors.inc({ operation, class: errorClass })
    if (request.milliseconds !== undefined) duration.observe({ operation }, request.milliseconds / 1000)
    waiting.inc({ operation }, usage.waitingMs / 1000)
    database.inc({ operation }, usage.databaseMs / 1000)
    rows.inc({ operation }, usage.rows)
    if (request.matches !== undefined) matches.observe({ operation }, request.matches)
    for (const cause of usage.retries) retries.inc({ cause })
  }
}

function watchLog(registry: Registry, dropped: () => number): void {
  new Counter({
    name: 'gloss_log_lines_dropped_total',
    help: 'Lines of the log that were dropped, because they could not be written or nobody read them',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(dropped())
    },
  })
}

/** Gauges that are read for each request of metrics. */
function watchStore(registry: Registry, { store, remembered }: Measured): void {
  const registers = [registry]
  new Gauge({
    name: 'gloss_places',
    help: 'Places for reads, searches and writes that are taken, and requests that wait for one',
    labelNames: ['kind', 'state'],
    registers,
    collect() {
      for (const [kind, { taken, waiting }] of Object.entries(store.loads())) {
        this.set({ kind, state: 'taken' }, taken)
        this.set({ kind, state: 'waiting' }, waiting)
      }
    },
  })
  new Gauge({
    name: 'gloss_remembered_accounts',
    help: 'Credentials that were right before and need no hash',
    registers,
    collect() {
      this.set(remembered())
    },
  })
  watchPools(registry, store)
}

function watchPools(registry: Registry, store: Measured['store']): void {
  const gauge = (name: string, help: string, collect?: () => void): Gauge =>
    new Gauge({ name, help, labelNames: ['pool'], registers: [registry], ...(collect && { collect }) })
  const size = gauge('gloss_database_pool_size', 'The most connections to the database that a pool opens')
  const waiting = gauge('gloss_database_pool_waiting', 'Requests that wait for a connection of a pool')
  const used = gauge('gloss_database_pool_used', 'Connections of a pool that are in use', () => {
    for (const [pool, load] of Object.entries(store.pools())) {
      used.set({ pool }, load.taken)
      size.set({ pool }, load.size)
      waiting.set({ pool }, load.waiting)
    }
  })
}
