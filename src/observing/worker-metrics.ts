/** The metrics of all workers together; the primary process asks the workers for them. */
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { RemoteCalls } from '../scheduling/remote-calls.ts'

/** Metrics as values, in the form in which processes send them. */
type Values = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** A question of the primary process, the answer of a worker, or the message of a worker that has begun to measure. */
type Message =
  | { readonly metrics: 'ready' }
  | { readonly metrics: 'ask'; readonly number: number }
  | { readonly metrics: 'values'; readonly number: number; readonly values: Values }

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message

/** Makes a worker answer the primary process. */
export function answerPrimary(registry: Registry): void {
  const send = (message: Message): void => {
    // If the primary process has ended, the worker ends, too.
    if (process.connected) process.send?.(message)
  }
  process.on('message', (message: unknown) => {
    if (!isOurs(message) || message.metrics !== 'ask') return
    const { number } = message
    void registry.getMetricsAsJSON().then((values) => {
      send({ metrics: 'values', number, values })
    })
  })
  send({ metrics: 'ready' })
}

/** How long a worker may take to answer, in milliseconds; for a slower one, its last answer counts. */
const WORKER_MS = 2000

/** The metrics of the workers, in the primary process. prom-client would fail as soon as one worker does not answer. */
export class WorkerMetrics {
  /** The last answer of each worker that measures. */
  readonly #values = new Map<number, Values>()
  /** The counters of ended workers: Prometheus would take a sum that goes down for a restart. */
  #ended: Promise<Values> = Promise.resolve([])
  readonly #calls = new Map<number, RemoteCalls<undefined>>()
  readonly #own: Registry

  constructor(own: Registry) {
    this.#own = own
    cluster.on('message', (worker, message: unknown) => {
      if (!isOurs(message) || message.metrics === 'ask' || worker.isDead()) return
      const { id } = worker
      if (message.metrics === 'ready') {
        this.#values.set(id, [])
        this.#calls.set(id, new RemoteCalls())
      } else {
        this.#values.set(id, message.values)
        this.#calls.get(id)?.answer(message.number, undefined)
      }
    })
    cluster.on('exit', ({ id }) => {
      const values = (this.#values.get(id) ?? []).filter(({ type }) => isCounted(type))
      this.#values.delete(id)
      this.#calls.get(id)?.failAll(new Error('the worker has ended'))
      this.#calls.delete(id)
      this.#ended = this.#ended.then((ended) =>
        AggregatorRegistry.aggregate([ended, values]).getMetricsAsJSON(),
      )
    })
  }

  async text(): Promise<string> {
    const all = Promise.all([...this.#values.keys()].map((id) => this.#answer(id)))
    await Promise.race([all, sleep(WORKER_MS, undefined, { ref: false })])
    const ended = await this.#ended
    const own = await this.#own.getMetricsAsJSON()
    return AggregatorRegistry.aggregate([...this.#values.values(), ended, own]).metrics()
  }

  /** Resolves once a worker has answered, or has ended. */
  async #answer(id: number): Promise<void> {
    const worker = cluster.workers?.[id]
    if (worker?.isConnected() !== true) return
    const send = (number: number): void => void worker.send({ metrics: 'ask', number } satisfies Message)
    await this.#calls
      .get(id)
      ?.call(send)
      .catch(() => undefined)
  }
}

const isCounted = (type: unknown): boolean => type === 'counter' || type === 'histogram'
