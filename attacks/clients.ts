/** The attackers' clients. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
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

/** How long the service has to close connections of clients that do not read: an answer may wait for room for 30 s. */
const HOLD_MS = 50_000
const LOOK_MS = 200

/**
 * Opens connections, sends something on each, and never reads. Ends when the service has closed them all, or after 50
 * seconds; says how many the service has closed and how many it still held.
 */
export async function neverRead({ port }: Target, count: number, sent: Buffer): Promise<Outcome> {
  const sockets = await Promise.all(Array.from({ length: count }, () => opened(port)))
  const ports = new Set(sockets.map((socket) => socket.localPort))
  try {
    for (const socket of sockets) socket.write(sent)
    const end = performance.now() + HOLD_MS
    let held = count
    while (held > 0 && performance.now() < end) {
      await sleep(LOOK_MS)
      held = heldBy(port, ports)
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

/** States of a connection that its server has not begun to close: established, or closed by the client alone. */
const HELD_STATES = ['01', '08']

/**
 * How many of the connections from these ports the server on a port holds. The system knows; a client that never reads does
 * not see its connection close.
 */
function heldBy(serverPort: number, ports: ReadonlySet<number | undefined>): number {
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)
  return lines.filter((line) => {
    const [, own = '', other = '', state = ''] = line.trim().split(/\s+/)
    const portOf = (address: string): number => parseInt(address.slice(-4), 16)
    return portOf(own) === serverPort && ports.has(portOf(other)) && HELD_STATES.includes(state)
  }).length
}
