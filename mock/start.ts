/** Starts a mock in this process: the module of the package. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Log } from '../src/observing/log.ts'
import { readConfig, type Config } from '../src/settings/config.ts'
import type { Environment } from '../src/settings/settings.ts'
import { createReloadable } from './applications.ts'
import { createData, PASSWORD } from './data.ts'
import { readFaults } from './faults.ts'
import { whoseAnswer } from './front.ts'
import { createMockServer, firstLine } from './server.ts'
import { Stores } from './stores.ts'
import type { JournalEntry, Mock, MockOptions, MockStore } from './types.ts'

export type { Faults, JournalEntry, Mock, MockOptions, MockStore } from './types.ts'

/** The settings of the service that a mock ignores: it has no database, workers, log or admin server. */
const IGNORED = [
  ...['PORT', 'HOST', 'WORKERS', 'ADMIN_PORT', 'ADMIN_HOST', 'ADMIN_NAMES', 'DRAIN_WAIT_MS', 'DRAIN_MS'],
  ...['DATABASE_URL', 'DATABASE_URL_FILE', 'NEW_STORE', 'STARTUP_WAIT_MS'],
  ...['ADMIN_PASSWORD', 'ADMIN_PASSWORD_FILE', 'SLOW_QUERY_MS', 'LOG_LEVEL', 'LOG_FILE'],
  'OTEL_EXPORTER_OTLP_ENDPOINT',
]

/** Starts a mock. Rejects if it cannot listen there, and for faulty settings, faults or data. */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  return (await openMock(options)).mock
}

/** A mock, and a function that restores all its stores. */
export interface OpenMock {
  readonly mock: Mock
  readonly resetAll: () => Promise<void>
}

export async function openMock(options: MockOptions): Promise<OpenMock> {
  const { stateful = false, data: archive, faults = {}, settings = {}, print = () => undefined } = options
  if (archive !== undefined && !stateful) throw new Error('only a stateful mock takes data')
  const initial = readFaults(faults)
  const config = configOf(settings, print)
  const log = logTo(print)
  const data = stateful ? await createData(config, log, archive) : undefined
  const stores = new Stores(initial, data, print)
  const { application, close } = await createReloadable({ config, log, stores, stateful, print })
  const server = createMockServer({ config, stores, application, whose: whoseAnswer, print })
  const end = async (): Promise<void> => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
    await close()
    await stores.close()
  }
  const url = await listen(server, options).catch(async (error: unknown) => {
    await end()
    throw error
  })
  if (data !== undefined) print(`Sign in as ${namesOf(data.users)}, each with the password '${PASSWORD}'.`)
  const store = (name?: string): MockStore => storeAt(url, name)
  return { mock: { url, store, close: end, ...store() }, resetAll: () => stores.resetAll() }
}

/** Returns the URL. */
async function listen(
  server: Server,
  { host = '127.0.0.1', port = 0 }: Pick<MockOptions, 'host' | 'port'>,
): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${String(bound)}`
}

const MOST_NAMES = 10

const namesOf = (users: readonly string[]): string =>
  [...users.slice(0, MOST_NAMES), ...(users.length > MOST_NAMES ? ['…'] : [])].join(', ')

/** Reads the settings, and names those that the mock ignores. */
function configOf(settings: Environment, print: (line: string) => void): Config {
  const ignored = IGNORED.filter((name) => (settings[name] ?? '') !== '')
  if (ignored.length > 0) print(`The mock ignores ${ignored.join(', ')}.`)
  return readConfig(Object.fromEntries(Object.entries(settings).filter(([name]) => !IGNORED.includes(name))))
}

/** The log of a mock: one line for each failure. An error without a cause is a requested example. */
function logTo(print: (line: string) => void): Log {
  const ignore = (): void => undefined
  const report = (message: string, cause?: unknown): void => {
    if (cause !== undefined) print(`${message}: ${firstLine(causeOf(cause))}`)
  }
  return { report, observe: ignore, note: ignore, answered: ignore }
}

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? error.cause : error

/** The functions of a store, by HTTP. */
function storeAt(url: string, name?: string): MockStore {
  const ask = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const headers = {
      'content-type': 'application/json',
      ...(name !== undefined && { 'X-Mock-Store': name }),
    }
    const answer = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null })
    if (answer.ok) return answer
    throw new Error(`${method} ${path}: ${answer.headers.get('x-service-message') ?? String(answer.status)}`)
  }
  const of = encodeURIComponent
  return {
    reset: async () => {
      await ask('POST', '/__reset')
    },
    restore: async (snapshot) => {
      await ask('POST', `/__reset?snapshot=${of(snapshot)}`)
    },
    snapshot: async (snapshot) => {
      await ask('PUT', `/__snapshots/${of(snapshot)}`)
    },
    faults: async (faults) => {
      await ask('PUT', '/__faults', faults)
    },
    requests: async () =>
      ((await (await ask('GET', '/__requests')).json()) as { requests: JournalEntry[] }).requests,
  }
}
