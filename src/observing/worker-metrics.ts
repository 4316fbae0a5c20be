/** The metrics of all workers together, which the primary process asks them for. */
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { RemoteCalls } from '../scheduling/remote-calls.ts'

/** Metrics as values, as one process sends them to another. */
type Values = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** A question of the primary process, or the answer of a worker; and what a worker says once it measures. */
type Message =
  | { readonly metrics: 'ready' }
  | { readonly metrics: 'ask'; readonly number: number }
  | { readonly metrics: 'values'; readonly number: number; readonly values: Values }

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message

/** Answers the primary process, in a worker. */
export function answerPrimary(registry: Registry): void {
  const send = (message: Message): void => {
    // Without a primary process the worker ends, too.
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

/** How long a worker may take to answer, in milliseconds; of one that takes longer, what it said last counts. */
const WORKER_MS = 2000

/** What the primary process knows of its workers' metrics. prom-client would fail as soon as one worker does not answer. */
export class WorkerMetrics {
  /** What each of those that measure has said last. */
  readonly #values = new Map<number, Values>()
  /** The counters of those that have ended: a sum that went down would look like one that began anew. */
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
