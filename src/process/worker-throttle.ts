/** One throttle for all workers: it runs in the primary process, and workers ask it. */
import cluster, { type Worker } from 'node:cluster'
import { RemoteCalls } from '../scheduling/remote-calls.ts'
import type { Attempt, Throttle, Verdict } from '../http/credentials/throttle.ts'

/** A worker's question, with a number that the answer repeats, or its report. */
type Question =
  | { readonly throttle: 'admit'; readonly number: number; readonly attempt: Attempt }
  | { readonly throttle: 'settle'; readonly ticket: number; readonly right: boolean }

interface Answer {
  readonly throttle: 'verdict'
  readonly number: number
  readonly verdict: Verdict
}

const isOurs = (message: unknown): message is Question | Answer =>
  typeof message === 'object' && message !== null && 'throttle' in message

/** Answers the workers. If a worker crashes, its open attempts count as failed. */
export function throttleWorkers(throttle: Throttle): void {
  const tickets = new Map<number, Set<number>>()
  const answer = async (worker: Worker, number: number, attempt: Attempt): Promise<void> => {
    const verdict = await throttle.admit(attempt)
    if ('ticket' in verdict) {
      const held = tickets.get(worker.id) ?? new Set()
      tickets.set(worker.id, held.add(verdict.ticket))
    }
    if (worker.isConnected()) worker.send({ throttle: 'verdict', number, verdict } satisfies Answer)
    else giveUp(worker)
  }
  const giveUp = ({ id }: Worker): void => {
    for (const ticket of tickets.get(id) ?? []) throttle.settle(ticket, false)
    tickets.delete(id)
  }
  cluster.on('message', (worker, message: unknown) => {
    if (!isOurs(message) || message.throttle === 'verdict') return
    if (message.throttle === 'admit') {
      void answer(worker, message.number, message.attempt)
    } else if (tickets.get(worker.id)?.delete(message.ticket) === true) {
      throttle.settle(message.ticket, message.right)
    }
  })
  cluster.on('exit', giveUp)
}

/** The primary process's throttle, for use in a worker. */
export function throttleOfPrimary(): Throttle {
  const calls = new RemoteCalls<Verdict>()
  const send = (question: Question): void => {
    // If the primary process has ended, the worker ends, too.
    if (process.connected) process.send?.(question)
  }
  process.on('message', (message: unknown) => {
    if (!isOurs(message) || message.throttle !== 'verdict') return
    calls.answer(message.number, message.verdict)
  })
  return {
    admit: (attempt) =>
      calls.call((number) => {
        send({ throttle: 'admit', number, attempt })
      }),
    settle: (ticket, right) => {
      send({ throttle: 'settle', ticket, right })
    },
  }
}
