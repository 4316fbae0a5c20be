/** Serves the contract without a database, for building applications (`gloss mock`). */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../src/settings/config.ts'
import { examplesFrom } from './examples.ts'
import { createFront, whoseAnswer } from './front.ts'
import { startPrism } from './prism.ts'
import { createMockServer, type Mock } from './server.ts'
import { createStateful, PASSWORD, USERS } from './stateful.ts'

/** The address of a mock, and whether it keeps data. */
export interface MockOptions {
  readonly host: string
  /** TCP port, 0 to 65535; 0 lets the system choose. */
  readonly port: number
  readonly stateful: boolean
}

/** The mock uses the default limits and realm of the service. */
const config = readConfig({})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Starts the mock, which stops when the process gets a signal. Rejects if it cannot start. */
export async function serveMock(options: MockOptions): Promise<void> {
  await listen(await (options.stateful ? remembering() : showingExamples()), options)
}

/** A mock that answers with examples of the contract, and keeps no data. */
async function showingExamples(): Promise<Mock> {
  // Both take seconds, and run in different processes.
  const starting = startPrism()
  const [application, prism] = await Promise.all([createFront(config, examplesFrom(starting)), starting])
  prism.process.once('exit', () => {
    console.error('Prism has ended, and the mock with it.')
    process.exit(1)
  })
  endOnSignals(() => Promise.resolve())
  return { application, whose: whoseAnswer }
}

/** A mock that runs the service on a store of its own. */
async function remembering(): Promise<Mock> {
  const { application, reset, close } = await createStateful(config)
  endOnSignals(close)
  // Windows has no such signal.
  if (process.platform !== 'win32') {
    process.on('SIGUSR2', () => {
      void reset().then(() => {
        print('The store is as it was at the start.')
      })
    })
  }
  print(`Sign in as ${USERS.join(', ')}, each with the password '${PASSWORD}'.`)
  return { application, reset, whose: () => 'service' }
}

function endOnSignals(close: () => Promise<void>): void {
  const end = (): void => void close().finally(() => process.exit())
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
}

async function listen(mock: Mock, { host, port }: MockOptions): Promise<void> {
  const server = createMockServer(config, mock, print)
  server.listen(port, host)
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  print(`The mock of Gloss listens on http://${host}:${bound}`)
}
