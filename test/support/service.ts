/** Runs the service under test in this process, on a new database, and sends it requests over HTTP. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '../../src/app.ts'
import type { Log } from '../../src/observing/log.ts'
import { readConfig, type Config } from '../../src/settings/config.ts'
import { bootstrap } from '../../src/data/entities/bootstrap.ts'
import { permitUserChange, permitUserCreation } from '../../src/data/permissions/user-rights.ts'
import type { Waits } from '../../src/data/database/connection/waits.ts'
import { createStore, type Store } from '../../src/data/store/store.ts'
import { createUser, initializePassword, readNewUsername, SERVICE } from '../../src/data/entities/users.ts'
import { hashPassword } from '../../src/http/credentials/passwords.ts'
import { createHttpServer } from '../../src/http/server/server.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { AnswerRecorder } from './answer-recorder.ts'
import { violations } from './contract-judge.ts'
import { freshDatabase, PATIENT, type DatabaseKind } from './database.ts'
import { refuseEchoedParameters } from './echoed-parameters.ts'
import { startFront } from './proxy.ts'

/** The password of every user in tests. */
export const PASSWORD = 'correct horse'

/** An answer. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The value of `X-Service-Error-Class`. */
  readonly error: string | undefined
  json(): unknown
}

/** The parts of a request other than its method and path. */
export interface Options {
  /** The user who sends it; without one it has no credentials. */
  readonly as?: string
  readonly password?: string
  /** A JSON body. */
  readonly json?: unknown
  /** A primitive value as the body, as JSON text. */
  readonly primitive?: string
  /** Any body, sent unchanged. */
  readonly body?: Buffer | string
  readonly query?: Readonly<Record<string, string | readonly string[]>> | string
  /** Header values; undefined removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

export interface Service {
  readonly url: string
  readonly databaseUrl: string
  readonly store: Store
  /** Sends a request; fails the test if the contract does not declare the answer, or if the answer is a 500. */
  request(method: string, path: string, options?: Options): Promise<Answer>
  /** Like `request`, but also fails the test if the answer is an error. */
  ok(method: string, path: string, options?: Options): Promise<Answer>
  stop(): Promise<void>
}

/**
 * Starts the service with the users alice, bob and carol; `env` is its environment. Prints faults; drops other log
 * entries unless `log` takes them. The database is of the kind of the project, or of `kind`.
 */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  log: Partial<Log> = {},
  kind?: DatabaseKind,
): Promise<Service> {
  refuseEchoedParameters()
  const database = await freshDatabase(kind)
  const config = readConfig({ DATABASE_URL: database.url, ...env })
  const store = createStore(config.databaseUrl, config.queryTimeoutMs, PATIENT)
  await store.migrate()
  await bootstrap(store)
  const passwordHash = await hashPassword(PASSWORD)
  await store.write(SERVICE, async (tx) => {
    await initializePassword(tx, await permitUserChange(tx, 'update', SERVICE.username), passwordHash)
    for (const name of ['alice', 'bob', 'carol'].map(readNewUsername))
      await createUser(tx, permitUserCreation(tx, name), name, { passwordHash })
  })
  const service = await serve(config, store, log)
  const stop = async (): Promise<void> => {
    await service.stop()
    await database.drop()
  }
  return { ...service, stop }
}

/**
 * Starts another instance on the database of a service, through `databaseUrl`; `waits` are its waits for the database.
 * `env` is its environment.
 */
export function startAnother(
  databaseUrl: string,
  waits: Waits,
  log: Partial<Log> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const config = readConfig({ DATABASE_URL: databaseUrl, ...env })
  return serve(config, createStore(databaseUrl, config.queryTimeoutMs, waits), log)
}

async function serve(config: Config, store: Store, log: Partial<Log>): Promise<Service> {
  const answers = new AnswerRecorder()
  const { url: ownUrl, close } = await listen(config, store, answers, log)
  const front = await startFront(ownUrl)
  const { url } = front
  const request = async (method: string, path: string, options: Options = {}): Promise<Answer> => {
    const answer = await send(url, method, path, options)
    const faults = violations({ method, target: path + queryOf(options), ...answer })
    if (answer.status === 500) faults.push('a fault of the service, printed above')
    if (faults.length > 0) throw new Error(`${method} ${path}: ${faults.join('; ')}`)
    return answer
  }
  const ok = async (method: string, path: string, options: Options = {}): Promise<Answer> => {
    const answer = await request(method, path, options)
    if (answer.status < 400) return answer
    throw new Error(`${method} ${path}: ${String(answer.status)} ${JSON.stringify(answer.headers)}`)
  }
  const stop = async (): Promise<void> => {
    await front.stop()
    await close()
    await store.close()
    answers.close()
  }
  return { url, databaseUrl: config.databaseUrl, store, request, ok, stop }
}

/** Listens on a port that the system chooses. */
async function listen(
  config: Config,
  store: Store,
  answers: AnswerRecorder,
  log: Partial<Log>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const report = (message: string, error: unknown): void => {
    console.error(message, error)
  }
  const ignore = (): void => undefined
  const app = await createApp(config, store, {
    report,
    observe: ignore,
    note: ignore,
    answered: ignore,
    ...log,
  })
  const server = createHttpServer(config, app)
  answers.watch(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve()
      })
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close }
}

/** Sends a request with its path unchanged; clients that parse URLs would normalise it. */
export function send(url: string, method: string, path: string, options: Options): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const body = bodyOf(options)
  const headers = headersOf(options, body)
  return new Promise((resolve, reject) => {
    const req = httpRequest({ hostname, port, method, path: path + queryOf(options), headers }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () => {
        resolve(answerOf(res.statusCode ?? 0, res.headers, Buffer.concat(chunks)))
      })
    })
    req.on('error', reject)
    req.end(body)
  })
}

function bodyOf({ json, primitive, body }: Options): Buffer | undefined {
  if (body !== undefined) return Buffer.from(body)
  if (primitive !== undefined) return Buffer.from(primitive)
  return json === undefined ? undefined : Buffer.from(JSON.stringify(json))
}

function headersOf(options: Options, body: Buffer | undefined): Record<string, string> {
  const { as, password = PASSWORD, json, primitive } = options
  const headers: Record<string, string | undefined> = {
    authorization:
      as === undefined ? undefined : `Basic ${Buffer.from(`${as}:${password}`).toString('base64')}`,
    'content-length': body === undefined ? undefined : String(body.length),
    'content-type':
      json !== undefined ? 'application/json' : primitive !== undefined ? PRIMITIVE_MEDIA_TYPE : undefined,
    ...options.headers,
  }
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function queryOf({ query }: Options): string {
  if (query === undefined) return ''
  if (typeof query === 'string') return `?${query}`
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  )
  return `?${pairs.join('&')}`
}

const answerOf = (status: number, headers: IncomingHttpHeaders, body: Buffer): Answer => ({
  status,
  headers,
  body,
  error: headers['x-service-error-class'] as string | undefined,
  json: () => JSON.parse(body.toString()) as unknown,
})
