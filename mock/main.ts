/** Serves the contract without a database, for building applications (`npm run mock`). */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.ts'
import { examplesFrom } from './examples.ts'
import { createFront, whoseAnswer } from './front.ts'
import { startPrism } from './prism.ts'
import { createMockServer, type Mock } from './server.ts'
import { createStateful, PASSWORD, USERS } from './stateful.ts'

const { host, port, stateful } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '4010' },
    stateful: { type: 'boolean', default: false },
  },
}).values

/** The limits and the realm are the service's defaults. */
const config = readConfig({})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  if (!/^\d{1,5}$/.test(port)) throw new Error(`--port must be a number, not '${port}'.`)
  await listen(await (stateful ? remembering() : showingExamples()))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

/** A mock that answers with examples of the contract, and keeps nothing. */
async function showingExamples(): Promise<Mock> {
  // Both take seconds, and are different processes.
  const starting = startPrism()
  const [application, prism] = await Promise.all([createFront(config, examplesFrom(starting)), starting])
  prism.process.once('exit', () => {
    console.error('Prism has ended, and the mock with it.')
    process.exit(1)
  })
  endOnSignals(() => Promise.resolve())
  return { application, whose: whoseAnswer }
}

/** A mock that is the service, on a store of its own. */
async function remembering(): Promise<Mock> {
  const { application, reset, close } = await createStateful(config)
  endOnSignals(close)
  // There is no such signal on Windows.
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

async function listen(mock: Mock): Promise<void> {
  const server = createMockServer(config, mock, print)
  server.listen(Number(port), host)
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  print(`The mock of Gloss listens on http://${host}:${bound}`)
}
