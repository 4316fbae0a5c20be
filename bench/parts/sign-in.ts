/** Sign-in: the effect of 10,000 wrong passwords per minute on the latency of a signed-in reader. */
import { setTimeout as sleep } from 'node:timers/promises'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { OWNER, READER, tagPath } from '../catalogue.ts'
import { basic, HttpClient } from '../http.ts'
import { load, requestBytes, type Load } from '../load.ts'
import { ADMIN_PASSWORD, startGloss } from '../processes.ts'
import { expectStatus, type Patience } from '../sides.ts'
import { median, quantile, ratiosOf, spreadOf, type Spread } from '../statistics.ts'
import { inThread, startThread } from '../thread.ts'

/** Latencies of single reads alone and under attack, in milliseconds. */
export interface SignInResult {
  readonly alone: { readonly medianMs: Spread; readonly p99Ms: Spread }
  readonly attacked: { readonly medianMs: Spread; readonly p99Ms: Spread }
  /** The ratio of the medians. */
  readonly ratio: Spread
  /** The number of attempts by the status of their answers. */
  readonly attempts: Readonly<Record<string, number>>
}

const ATTEMPTS_PER_MINUTE = 10_000
const READER_PAUSE_MS = 5
const TARGET = `/about/attacked/${tagPath('rating')}`

/** Measures on an empty store. */
export async function measureSignIn(databaseUrl: string, patience: Patience): Promise<SignInResult> {
  const gloss = await startGloss(databaseUrl)
  try {
    await prepare(gloss.port)
    return await underAttack(gloss.port, patience)
  } finally {
    await gloss.stop()
  }
}

async function prepare(port: number): Promise<void> {
  const admin = new HttpClient(port, basic('service', ADMIN_PASSWORD))
  for (const user of [OWNER, READER]) await expectStatus(admin, 201, 'POST', '/users', JSON.stringify(user))
  admin.close()
  const owner = new HttpClient(port, basic(OWNER.username, OWNER.password))
  const headers = { 'Content-Type': PRIMITIVE_MEDIA_TYPE }
  const { status } = await owner.send('PUT', TARGET, { body: '5', headers })
  owner.close()
  if (status !== 204) throw new Error(`PUT ${TARGET} gave ${status}`)
}

async function underAttack(port: number, { loadMs, loadRounds }: Patience): Promise<SignInResult> {
  const request = requestBytes('GET', TARGET, basic(READER.username, READER.password))
  const read = (): Promise<Load> =>
    load(port, () => request, 200, { connections: 1, forMs: loadMs * 2, pauseMs: READER_PAUSE_MS })
  const attempts: Record<string, number> = {}
  const rounds = { alone: [] as (readonly number[])[], attacked: [] as (readonly number[])[] }
  await read()
  for (let round = 0; round < loadRounds; round++) {
    rounds.alone.push((await read()).latencies)
    const stop = await startThread<Attempts>(import.meta.url, port)
    rounds.attacked.push((await read()).latencies)
    for (const [status, count] of Object.entries(await stop())) {
      attempts[status] = (attempts[status] ?? 0) + count
    }
  }
  const spreads = (side: 'alone' | 'attacked') => ({
    medianMs: spreadOf(rounds[side].map(median)),
    p99Ms: spreadOf(rounds[side].map((latencies) => quantile(latencies, 0.99))),
  })
  const ratio = ratiosOf(rounds.attacked.map(median), rounds.alone.map(median))
  return { alone: spreads('alone'), attacked: spreads('attacked'), ratio, attempts }
}

type Attempts = Readonly<Record<string, number>>

/** The thread: tries wrong passwords at this rate, for one user and for many names, without waiting for answers. */
async function attack(port: number, stop: AbortSignal): Promise<Attempts> {
  const client = new HttpClient(port)
  const attempts: Record<string, number> = {}
  const begin = performance.now()
  const pending: Promise<void>[] = []
  for (let sent = 0; !stop.aborted;) {
    const due = ((performance.now() - begin) / 60_000) * ATTEMPTS_PER_MINUTE
    for (; sent < due; sent++) {
      const headers = basic(sent % 2 === 0 ? OWNER.username : `name${sent}`, `wrong${sent}`)
      pending.push(
        client.send('GET', `/users/${READER.username}`, { headers }).then(({ status }) => {
          attempts[status] = (attempts[status] ?? 0) + 1
        }),
      )
    }
    await sleep(2)
  }
  await Promise.all(pending)
  client.close()
  return attempts
}

await inThread(attack)
