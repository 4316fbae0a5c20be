/** The clients of the attackers. */
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

/** Sends a number of requests, some of them concurrently. */
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

/** Repeats a request, because a single one may cost too little to measure. */
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

/** Runs work with a client that returns the status of the answer, or a word for a missing answer. */
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

/**
 * The time in which the service should close connections of clients that do not read. An answer may wait 30 s for room.
 */
const HOLD_MS = 50_000
const LOOK_MS = 200

/**
 * Opens connections, sends data on each, and never reads. Ends when the service has closed all connections, or after 50
 * seconds. Returns how many the service has closed and how many it still holds.
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
  // A client that never reads learns only that the connection has ended.
  socket.on('error', () => undefined)
  return socket
}

/** States of a connection that the server has not begun to close: established, or closed by the client only. */
const HELD_STATES = ['01', '08']

/**
 * The number of connections from these ports that the server on a port holds. This asks the system, because a client that
 * never reads does not notice the close.
 */
function heldBy(serverPort: number, ports: ReadonlySet<number | undefined>): number {
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)
  return lines.filter((line) => {
    const [, own = '', other = '', state = ''] = line.trim().split(/\s+/)
    const portOf = (address: string): number => parseInt(address.slice(-4), 16)
    return portOf(own) === serverPort && ports.has(portOf(other)) && HELD_STATES.includes(state)
  }).length
}
