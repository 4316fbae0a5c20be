/** The attackers' clients. */
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient, type Sent } from '../bench/http.ts'
import { together, type Outcome, type Target } from './attack.ts'

type Request = readonly [method: string, path: string, sent?: Sent]

/** Sends one request. */
export const sendOne = (target: Target, request: Request): Promise<Outcome> =>
  sendMany(target, 1, () => request)

/** Sends a number of requests, some at a time. */
export function sendMany(target: Target, count: number, request: (i: number) => Request): Promise<Outcome> {
  return withClient(target, async (answerTo) => {
    const answers = new Map<string, number>()
    let next = 0
    const worker = async (): Promise<void> => {
      for (let i = next++; i < count; i = next++) {
        const answer = await answerTo(request(i))
        answers.set(answer, (answers.get(answer) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, worker))
    return { answers }
  })
}

/** Sends a request again and again, since one alone may cost too little to be measured. */
export function sendRepeatedly(target: Target, request: Request): Promise<Outcome> {
  return withClient(target, async (answerTo) => {
    const answers = new Map<string, number>()
    const end = performance.now() + REPEATED_MS
    let times = 0
    while (times < LEAST_TIMES || (times < MOST_TIMES && performance.now() < end)) {
      const answer = await answerTo(request)
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      times += 1
    }
    return { answers, times }
  })
}

const AT_A_TIME = 8
const REPEATED_MS = 2_000
const LEAST_TIMES = 20
const MOST_TIMES = 2_000

/** Works with a client that gives the status of the answer to a request, or says that there was none. */
async function withClient(
  { port }: Target,
  work: (answerTo: (request: Request) => Promise<string>) => Promise<Outcome>,
): Promise<Outcome> {
  const client = new HttpClient(port)
  try {
    return await work((request) =>
      client.send(...request).then(
        ({ status }) => String(status),
        () => 'no answer',
      ),
    )
  } finally {
    client.close()
  }
}

/** How long the service has to close connections of clients that do not read. */
const HOLD_MS = 15_000
const LOOK_MS = 200

/**
 * Opens connections, sends something on each, and never reads. Ends when the service has closed them all, or after 15
 * seconds; says how many the service has closed and how many it still held.
 */
export async function neverRead(target: Target, count: number, sent: Buffer): Promise<Outcome> {
  const before = openSockets(target.pid)
  const sockets = await Promise.all(Array.from({ length: count }, () => opened(target.port)))
  try {
    for (const socket of sockets) socket.write(sent)
    const end = performance.now() + HOLD_MS
    let held = count
    while (held > 0 && performance.now() < end) {
      await sleep(LOOK_MS)
      held = Math.min(count, Math.max(0, openSockets(target.pid) - before))
    }
    return together([
      { answers: new Map(held < count ? [['closed', count - held]] : []) },
      { answers: new Map(held > 0 ? [['held', held]] : []) },
    ])
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  // Whoever never reads does not learn more than that the connection is gone.
  socket.on('error', () => undefined)
  return socket
}

/** How many sockets a process has; from outside, since a client that never reads does not see its connection close. */
function openSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((name) => linkOf(`${folder}/${name}`).startsWith('socket:')).length
}

/** The target of a link; empty if it has just gone. */
function linkOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}
