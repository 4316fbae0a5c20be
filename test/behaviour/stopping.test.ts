/** How a running service says whether it is ready, and how it stops without failing a request. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { AnswerRecorder } from '../support/answer-recorder.ts'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { freePort } from '../support/ports.ts'
import { listening, runProcess, type ServiceProcess } from '../support/process.ts'

const PASSWORD = 'open sesame'
const BODY = '{"about":"what is being said"}'

let database: FreshDatabase
const answers = new AnswerRecorder()
const processes: ChildProcess[] = []
const agents: Agent[] = []

beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy()
  for (const process of processes.splice(0)) process.kill('SIGKILL')
  await database.drop()
})
afterAll(() => {
  answers.close()
})

interface Running extends ServiceProcess {
  readonly port: number
  readonly admin: number
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const admin = await freePort()
  const settings = { DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD, ADMIN_PORT: String(admin) }
  const started = runProcess({ ...settings, ...env })
  processes.push(started.process)
  return { ...started, admin, port: await listening(started) }
}

/** A client with one connection that it keeps. */
function client(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agents.push(agent)
  return agent
}

interface Answer {
  readonly status: number
  readonly connection: string | undefined
  readonly body: string
}

/** What the service says of a request; answers of the API are judged by the contract. */
async function answerOf(request: ClientRequest, isOfTheApi = true): Promise<Answer> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const body = Buffer.concat((await answer.toArray()) as Buffer[])
  const { statusCode: status = 0, headers } = answer
  if (isOfTheApi) answers.note({ method: request.method, target: request.path, status, headers, body })
  return { status, connection: headers.connection, body: body.toString() }
}

/** Begins to make an object, and resolves once the service has that request. */
async function beginUpload({ port }: Running, agent?: Agent): Promise<ClientRequest> {
  const request = httpRequest({
    port,
    agent,
    method: 'POST',
    path: '/objects',
    auth: `service:${PASSWORD}`,
    headers: { 'content-type': 'application/json', 'content-length': BODY.length, expect: '100-continue' },
  })
  request.flushHeaders()
  await once(request, 'continue')
  request.write(BODY.slice(0, 10))
  return request
}

function read({ port }: Running, agent: Agent): Promise<Answer> {
  const request = httpRequest({ port, agent, path: '/users/service' })
  request.end()
  return answerOf(request)
}

async function askAdmin(admin: number, path: string, method = 'GET'): Promise<Answer> {
  const request = httpRequest({ port: admin, path, method, agent: false })
  request.end()
  return answerOf(request, false)
}

const stateOf = async ({ admin }: Running): Promise<[status: number, failing: Record<string, string>]> => {
  const { status, body } = await askAdmin(admin, '/readyz')
  const { checks } = JSON.parse(body) as { checks: Record<string, string> }
  return [status, Object.fromEntries(Object.entries(checks).filter(([, finding]) => finding !== 'ok'))]
}

async function untilState(service: Running, wanted: number): Promise<Record<string, string>> {
  for (;;) {
    const [status, failing] = await stateOf(service)
    if (status === wanted) return failing
    await sleep(50)
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

describe.each(['1', '2'])('with WORKERS=%s', (WORKERS) => {
  test('clients that keep their connections are all answered while the service stops', async () => {
    const service = await start({ WORKERS, DRAIN_MS: '3600000' })
    const clients = Array.from({ length: 16 }, client)
    for (const agent of clients) expect((await read(service, agent)).connection).toBe('keep-alive')
    const uploads = await Promise.all(clients.map((agent) => beginUpload(service, agent)))
    service.process.kill('SIGTERM')
    // Then every process knows.
    while (await accepts(service.port)) await sleep(20)
    const made = await Promise.all(
      uploads.map(async (upload) => {
        const answer = answerOf(upload)
        upload.end(BODY.slice(10))
        const { status, connection } = await answer
        return `${String(status)} ${String(connection)}`
      }),
    )
    expect(new Set(made)).toEqual(new Set(['201 close']))
    expect(await service.end).toBe(0)
  })

  test('clients that ask again and again get answers until one says that it is the last', async () => {
    const service = await start({ WORKERS, DRAIN_WAIT_MS: '3600000' })
    const clients = Array.from({ length: 16 }, client)
    let reads = 0
    const last = Promise.all(
      clients.map(async (agent) => {
        for (;;) {
          const { status, connection } = await read(service, agent)
          reads += 1
          if (status !== 200 || connection !== 'keep-alive') return `${String(status)} ${String(connection)}`
        }
      }),
    )
    while (reads < 200) await sleep(20)
    service.process.kill('SIGTERM')
    expect(new Set(await last)).toEqual(new Set(['200 close']))
  })

  test('a service that waits before it stops is not ready, but lives and serves', async () => {
    const service = await start({ WORKERS, DRAIN_WAIT_MS: '3600000' })
    expect(await stateOf(service)).toEqual([200, {}])
    service.process.kill('SIGTERM')
    expect(await untilState(service, 503)).toMatchObject({ drain: 'the instance is stopping' })
    expect((await askAdmin(service.admin, '/livez')).status).toBe(200)
    expect(await read(service, client())).toMatchObject({ status: 200 })
  })

  test('a second signal a second later ends it at once', async () => {
    for (const [signal, status] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGQUIT', 131],
    ] as const) {
      const service = await start({ WORKERS, DRAIN_MS: '3600000' })
      const upload = await beginUpload(service)
      const cut = once(upload, 'error')
      service.process.kill(signal)
      await untilState(service, 503)
      await sleep(1000)
      service.process.kill(signal)
      expect(await service.end).toBe(status)
      await cut
    }
  })
})

test('an upload in hand may go on for DRAIN_MS, and is then cut off', async () => {
  const service = await start({ DRAIN_MS: '100' })
  const cut = once(await beginUpload(service), 'error')
  service.process.kill('SIGTERM')
  await cut
  expect(await service.end).toBe(0)
})

test('the admin server answers nothing of the API, and the API nothing of it', async () => {
  const service = await start()
  expect((await askAdmin(service.admin, '/livez')).body).toBe('ok\n')
  expect(await askAdmin(service.admin, '/readyz', 'HEAD')).toMatchObject({ status: 200, body: '' })
  expect((await askAdmin(service.admin, '/livez', 'POST')).status).toBe(405)
  for (const path of ['/', '/users/service', '/openapi.json', '/livez/', '//livez', '/constructor'])
    expect([path, (await askAdmin(service.admin, path)).status]).toEqual([path, 404])
  for (const path of ['/livez', '/readyz', '/metrics'])
    expect([path, (await askAdmin(service.port, path)).status]).toEqual([path, 404])
})

test('an admin port in use is said', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const port = String((holder.address() as AddressInfo).port)
  const { end, printed } = runProcess({ DATABASE_URL: database.url, ADMIN_PORT: port })
  expect(await end).toBe(1)
  expect(printed()).toContain(`ADMIN_PORT ${port} is in use`)
  holder.close()
})

/** A way to a server on which everything can stand still, or end. */
class Way {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isStill = false

  constructor(to: { readonly host: string; readonly port: number }) {
    this.#server = createServer((near) => {
      const far = connect(to)
      for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
        this.#sockets.add(socket)
        socket.on('data', (part) => {
          if (!this.#isStill) other.write(part)
        })
        socket.on('error', () => undefined)
        socket.on('close', () => {
          this.#sockets.delete(socket)
          other.destroy()
        })
      }
    })
  }

  async open(port = 0): Promise<number> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  standStill(isStill: boolean): void {
    this.#isStill = isStill
    // What was on its way is lost, as after a failure of the network.
    if (!isStill) for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await once(this.#server, 'close')
  }
}

if ((globalThis as { database?: string }).database === 'mysql') {
  test('a service that waits for its database at the start lives, is not ready, and can be stopped', async () => {
    const url = new URL(database.url)
    const way = new Way({ host: url.hostname, port: Number(url.port) })
    url.port = String(await way.open())
    way.standStill(true)
    const admin = await freePort()
    const service = runProcess({ DATABASE_URL: url.href, ADMIN_PORT: String(admin) })
    processes.push(service.process)
    while (!service.printed().includes('admin server'))
      await once(service.process.stdout ?? service.process, 'data')
    expect((await askAdmin(admin, '/livez')).status).toBe(200)
    const { status, body } = await askAdmin(admin, '/readyz')
    expect([status, body]).toEqual([503, expect.stringContaining('"start": "it has not finished"')])
    service.process.kill('SIGTERM')
    expect(await service.end).toBe(143)
    await way.close()
  })

  test('a service is ready again and again as its database comes and goes, and lives all the time', async () => {
    const url = new URL(database.url)
    const way = new Way({ host: url.hostname, port: Number(url.port) })
    const port = await way.open()
    url.port = String(port)
    const service = await start({ DATABASE_URL: url.href })
    expect(await stateOf(service)).toEqual([200, {}])
    await way.close()
    expect(await untilState(service, 503)).toMatchObject({ schema: 'not known' })
    expect((await askAdmin(service.admin, '/livez')).status).toBe(200)
    await way.open(port)
    await untilState(service, 200)
    way.standStill(true)
    // On the connection that the check has, or on a new one.
    const silence = /^(?:no answer within 2000 ms|the database did not accept a connection in time)$/
    expect((await untilState(service, 503))['database']).toMatch(silence)
    way.standStill(false)
    await untilState(service, 200)
    await way.close()
  })
}
