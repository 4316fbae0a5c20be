/**
 * Disturbs connections to the database under a load of all operations (`npm run cuts`), and counts requests without an
 * answer and lost connections.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { askedOf, faultOf, sendSample, startHarmed, untilGreen, type Harmed } from '../test/support/harmed.ts'
import { startMysqlServer } from '../test/support/mysql-server.ts'
import { HARMS, POINTS } from '../test/support/tcp-proxy.ts'
import { OPERATION_NAMES } from '../test/support/samples.ts'
import { argumentsOf, operand, option, wholeNumber } from './usage.ts'

const CLIENTS = 12
/** The number of single disturbances for each disturbance of all connections. */
const ALL_AT_ONCE_EVERY = 25
/** The most statements that may pass before a disturbance. */
const MOST_STATEMENTS = 6
/** The number of answers per disturbance, so that not every request fails. */
const ANSWERS_A_HARM = 3
const HANGING_MS = 30_000

/** The outcomes of the requests. */
interface Counts {
  sent: number
  answered: number
  /** The time of the last answer. */
  lastAt: number
  unavailable: number
  slowestMs: number
  readonly faults: string[]
}

const anyOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T

/** Sends one request after the other until `ended` returns true. */
async function keepAsking(harmed: Harmed, counts: Counts, ended: () => boolean): Promise<void> {
  while (!ended()) {
    // A frozen transaction also blocks the undisturbed service until its locks expire.
    const sample = await askedOf(harmed, anyOf(OPERATION_NAMES)).catch(() => undefined)
    if (sample === undefined) continue
    counts.sent++
    const begin = performance.now()
    const fault = await sendSample(harmed, sample).then(
      (answer) => {
        if (answer.status === 503) counts.unavailable++
        return faultOf(sample, answer)
      },
      (error: unknown) => String(error),
    )
    counts.answered++
    counts.lastAt = performance.now()
    counts.slowestMs = Math.max(counts.slowestMs, performance.now() - begin)
    if (fault !== undefined) counts.faults.push(fault)
  }
}

/** Disturbs connections one after the other, until it has done all or requests get no answers any more. */
async function harmMany({ proxy }: Harmed, harms: number, counts: Counts): Promise<void> {
  const whileAnswering = async (waiting: () => boolean): Promise<boolean> => {
    while (waiting()) {
      if (performance.now() - counts.lastAt > HANGING_MS) return false
      await sleep(1)
    }
    return true
  }
  for (let harm = 1; harm <= harms; harm++) {
    if (!(await whileAnswering(() => counts.answered < harm * ANSWERS_A_HARM))) return
    proxy.set({
      harm: anyOf(HARMS),
      point: anyOf(POINTS),
      after: Math.floor(Math.random() * MOST_STATEMENTS),
    })
    if (!(await whileAnswering(() => proxy.isSet))) return
    if (harm % ALL_AT_ONCE_EVERY === 0) {
      proxy.harmAll(anyOf(HARMS))
      process.stderr.write(`${String(harm)} of ${String(harms)}\r`)
    }
  }
  proxy.thaw()
}

async function main(harms: number): Promise<boolean> {
  const server = process.env.TEST_DATABASE_URL === undefined ? await startMysqlServer() : undefined
  process.env.TEST_DATABASE_URL ??= server?.url
  Object.assign(globalThis, { database: 'mysql' })
  const harmed = await startHarmed()
  const counts: Counts = {
    sent: 0,
    answered: 0,
    lastAt: performance.now(),
    unavailable: 0,
    slowestMs: 0,
    faults: [],
  }
  let ended = false
  const clients = Array.from({ length: CLIENTS }, () => keepAsking(harmed, counts, () => ended))
  await harmMany(harmed, harms, counts)
  ended = true
  await Promise.race([Promise.all(clients), sleep(HANGING_MS)])
  const green = await untilGreen(harmed, OPERATION_NAMES).catch((error: unknown) => String(error))
  const hanging = counts.sent - counts.answered
  const lines = [
    `${String(harms)} connections harmed, and ${String(Math.floor(harms / ALL_AT_ONCE_EVERY))} times all at once`,
    `${String(counts.sent)} requests, ${String(counts.unavailable)} of them 503, the slowest ${counts.slowestMs.toFixed(0)} ms`,
    `hanging: ${String(hanging)}`,
    `wrong answers: ${String(counts.faults.length)}`,
    ...new Set(counts.faults),
    typeof green === 'number'
      ? `places lost: 0, and all operations succeed after ${green.toFixed(0)} ms`
      : `not well again after a minute: ${green}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (hanging === 0) await harmed.stop()
  await server?.stop()
  return hanging === 0 && counts.faults.length === 0 && typeof green === 'number'
}

const { harms } = argumentsOf({
  name: 'npm run cuts --',
  does: `Harms connections to a database under load of every operation, and counts what hangs or is lost.
TEST_DATABASE_URL names the server; without it, a private one is started.`,
  options: { harms: operand(option(wholeNumber(1), 'connections that are harmed', 1000)) },
})
process.exit((await main(harms)) ? 0 : 1)
