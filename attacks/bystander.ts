/** Sends small requests of other users during an attack, in a thread that the attacker does not delay. */
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient } from '../bench/http.ts'
import { residentMb } from '../bench/processes.ts'
import { inThread, startThread } from '../bench/thread.ts'
import { CHEAP, credentials, PRIMITIVE } from './store.ts'

/** The request of a bystander: read a value, search a large tag, or write a value. */
export type Kind = 'read' | 'search' | 'write'

interface Watch {
  readonly port: number
  readonly pid: number
  readonly kinds: readonly Kind[]
}

/** The measurements during the requests of the bystanders. */
export interface Seen {
  /** The longest time of a request of each kind, in milliseconds; an unfinished request counts with its age. */
  readonly longestMs: Readonly<Record<Kind, number>>
  readonly requests: number
  /** The number of failed requests. */
  readonly failed: number
  /** The resident memory of the service in MB: the largest and the last value. */
  readonly peakMb: number
  readonly lastMb: number
}

/** The milliseconds between the beginnings of two requests of a kind. A late answer delays the next request. */
const EVERY_MS = 10
const SAMPLE_MS = 100

const REQUESTS: Record<Kind, (client: HttpClient) => Promise<{ status: number }>> = {
  read: (client) => client.send('GET', CHEAP),
  search: (client) =>
    client.send('GET', `/objects?query=${encodeURIComponent('alice/numbers/all < 10')}`, {
      headers: credentials('bob'),
    }),
  write: (client) =>
    client.send('PUT', CHEAP, { body: '1', headers: { ...credentials('bob'), ...PRIMITIVE } }),
}

/** Starts bystanders, and samples the memory of the service. The returned function stops both. */
export const startBystanders = (watch: Watch): Promise<() => Promise<Seen>> =>
  startThread<Seen>(import.meta.url, watch)

async function observe({ port, pid, kinds }: Watch, stop: AbortSignal): Promise<Seen> {
  const client = new HttpClient(port)
  const longestMs: Record<Kind, number> = { read: 0, search: 0, write: 0 }
  let requests = 0
  let failed = 0
  const stopped = new Promise<undefined>((resolve) => {
    stop.addEventListener('abort', () => {
      resolve(undefined)
    })
  })
  const repeat = async (kind: Kind): Promise<void> => {
    while (!stop.aborted) {
      const begin = performance.now()
      const status = REQUESTS[kind](client).then(
        (answer) => answer.status,
        () => NaN,
      )
      const answered = await Promise.race([status, stopped])
      const took = performance.now() - begin
      longestMs[kind] = Math.max(longestMs[kind], took)
      requests += 1
      if (answered !== undefined && !(answered < 400)) failed += 1
      await Promise.race([sleep(Math.max(0, EVERY_MS - took)), stopped])
    }
  }
  const samples = [residentMb(pid)]
  const sample = async (): Promise<void> => {
    while (!stop.aborted) {
      await Promise.race([sleep(SAMPLE_MS), stopped])
      samples.push(residentMb(pid))
    }
  }
  await Promise.all([...kinds.map(repeat), sample()])
  client.close()
  return { longestMs, requests, failed, peakMb: Math.max(...samples), lastMb: samples.at(-1) ?? NaN }
}

await inThread(observe)
