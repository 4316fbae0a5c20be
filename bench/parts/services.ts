/** Compares Gloss with services that users might choose instead: it stores, reads, finds and changes facts. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { factOf } from '../catalogue.ts'
import { load, type Load } from '../load.ts'
import { cpuMs } from '../processes.ts'
import type { OtherService, RunningService } from '../others/service.ts'
import { timed, type Patience } from '../sides.ts'
import { interleaved, median, quantile, ratiosOf, spreadOf, type Spread } from '../statistics.ts'

const KINDS = ['read', 'write', 'find', 'change'] as const
type Kind = (typeof KINDS)[number]

/** The measurements of a service; the ratios are those of Gloss to it. */
export interface ServiceResult {
  readonly name: string
  readonly version: string
  /** The reason why the benchmark could not measure it; all other members are then missing. */
  readonly unavailable?: string
  readonly loadMs?: number
  readonly single?: Readonly<Record<'read' | 'write', SingleRounds>>
  /** Milliseconds for finding, and for changing, all facts that match a condition. */
  readonly find?: Spread
  readonly change?: Spread
  readonly ratios?: Readonly<Record<Kind, Spread>>
}

interface SingleRounds {
  readonly perSecond: Spread
  readonly medianMs: number
  readonly p99Ms: number
  /** Processor time per request, of the service and its database. */
  readonly cpuMs: number
}

const CONNECTIONS = 16
/** A tenth of all facts. */
const FOUND = { from: 500, to: 599 }
const isFound = (rating: number): boolean => rating >= FOUND.from && rating <= FOUND.to

/** Measures Gloss, which is the first result, and every other service that it can install. */
export async function measureServices(
  gloss: { version: string; start(): Promise<RunningService> },
  others: readonly OtherService[],
  facts: number,
  folder: string,
  patience: Patience,
): Promise<ServiceResult[]> {
  const running: { name: string; version: string; service: RunningService; loadMs: number }[] = []
  const missing: ServiceResult[] = []
  const all = Array.from({ length: facts }, (_, number) => factOf(number))
  const begin = async (
    name: string,
    start: () => Promise<{ version: string; service: RunningService }>,
  ): Promise<void> => {
    process.stderr.write(`  starting and filling ${name}\n`)
    const { version, service } = await start()
    running.push({ name, version, service, loadMs: await timed(() => service.load(all)) })
  }
  try {
    await begin('Gloss', async () => ({ version: gloss.version, service: await gloss.start() }))
    for (const other of others) {
      const own = join(folder, other.name.replaceAll(/\W+/g, '-'))
      mkdirSync(own, { recursive: true })
      try {
        await other.install(own)
      } catch (error) {
        missing.push({
          name: other.name,
          version: '',
          // The report is public, and the file paths of this machine are private.
          unavailable: (error instanceof Error ? error.message : String(error)).replaceAll(`${folder}/`, ''),
        })
        continue
      }
      await begin(other.name, async () => ({ version: other.version(), service: await other.start(own) }))
    }
    return [...(await compared(running, facts, patience)), ...missing]
  } finally {
    await Promise.all(running.map(({ service }) => service.stop()))
  }
}

async function compared(
  running: readonly { name: string; version: string; service: RunningService; loadMs: number }[],
  facts: number,
  { loadMs: forMs, loadRounds, bulk }: Patience,
): Promise<ServiceResult[]> {
  const rounds = { forMs: 0, least: loadRounds, most: loadRounds }
  const loads = new Map(running.map(({ name }) => [name, { read: new Loads(), write: new Loads() }]))
  const single = (kind: 'read' | 'write') =>
    interleaved(
      Object.fromEntries(
        running.map(({ name, service }) => [
          name,
          () => (loads.get(name) as { read: Loads; write: Loads })[kind].round(service, kind, facts, forMs),
        ]),
      ),
      rounds,
    )
  const [read, write] = [await single('read'), await single('write')]
  const expected = Array.from({ length: facts }, (_, number) => factOf(number).rating).filter(isFound).length
  const find = await interleaved(
    Object.fromEntries(
      running.map(({ name, service }) => [
        name,
        () =>
          timed(async () => {
            const found = await service.find(FOUND)
            if (found !== expected) throw new Error(`${name} found ${found} facts instead of ${expected}`)
          }),
      ]),
    ),
    bulk,
  )
  // Alternates between one rating in the range and another, so that every change concerns the same facts.
  let turn = 0
  const change = await interleaved(
    Object.fromEntries(
      running.map(({ name, service }) => [
        name,
        () => timed(() => service.bulkChange(FOUND, FOUND.from + (turn++ % 50))),
      ]),
    ),
    bulk,
  )
  for (const { name, service } of running) {
    if ((await service.find(FOUND)) !== expected) throw new Error(`${name} lost facts by changing them`)
  }
  const times = { read, write, find, change }
  const [first = ''] = running.map(({ name }) => name)
  return running.map(({ name, version, loadMs }) => ({
    name,
    version,
    loadMs,
    single: {
      read: (loads.get(name) as { read: Loads }).read.result(),
      write: (loads.get(name) as { write: Loads }).write.result(),
    },
    find: spreadOf(find[name] ?? []),
    change: spreadOf(change[name] ?? []),
    ratios: Object.fromEntries(
      KINDS.map((kind) => [kind, ratiosOf(times[kind][first] ?? [], times[kind][name] ?? [])]),
    ) as Record<Kind, Spread>,
  }))
}

/** Reads with prepared requests: a client that builds each request takes longer than some of the services. */
async function reads(
  service: RunningService,
  facts: number,
  next: () => number,
  forMs: number,
): Promise<Load> {
  const number = next()
  const rating = await service.readOne(number)
  if (rating !== factOf(number).rating) throw new Error(`fact ${number} was read with the rating ${rating}`)
  const requests = Array.from({ length: facts }, (_, fact) => service.reading(fact).request)
  const { port } = service.reading(0)
  return load(port, () => requests[next()] as Buffer, 200, { connections: CONNECTIONS, forMs })
}

async function writes(service: RunningService, next: () => number, forMs: number): Promise<Load> {
  const latencies: number[] = []
  const begin = performance.now()
  const work = async (): Promise<void> => {
    while (performance.now() - begin < forMs) {
      const number = next()
      const sent = performance.now()
      // Writes the current rating of the fact, so that later queries find the same objects in all services.
      await service.writeOne(number, factOf(number).rating)
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return { latencies, ms: performance.now() - begin }
}

/** The measurements of loads of single operations on a service, by round. */
class Loads {
  readonly #perSecond: number[] = []
  readonly #latencies: number[][] = []
  readonly #cpu: number[] = []

  /** Returns operations per second. */
  async round(
    service: RunningService,
    kind: 'read' | 'write',
    facts: number,
    forMs: number,
  ): Promise<number> {
    const pids = [...service.pids.service, ...service.pids.database]
    let turn = this.#perSecond.length
    const next = (): number => (turn++ * 7_919) % facts
    const before = cpuMs(pids)
    const { latencies, ms } =
      kind === 'read' ? await reads(service, facts, next, forMs) : await writes(service, next, forMs)
    this.#perSecond.push((latencies.length / ms) * 1000)
    this.#latencies.push([...latencies])
    this.#cpu.push((cpuMs(pids) - before) / latencies.length)
    return (latencies.length / ms) * 1000
  }

  /** All rounds except the first, which was a warm-up. */
  result(): SingleRounds {
    const latencies = this.#latencies.slice(1).flat()
    return {
      perSecond: spreadOf(this.#perSecond.slice(1)),
      medianMs: median(latencies),
      p99Ms: quantile(latencies, 0.99),
      cpuMs: median(this.#cpu.slice(1)),
    }
  }
}
