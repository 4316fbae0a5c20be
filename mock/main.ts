#!/usr/bin/env node
/** The command `gloss-mock`: starts a mock, which ends when the process gets a signal. */
import { Command, InvalidArgumentError } from 'commander'
import { Failure, misuse } from '../common/failure.ts'
import { declareSelf, runLine, wholeNumber } from '../command/terminal/declare.ts'
import { openMock } from './start.ts'
import type { MockOptions } from './types.ts'

/** The options of a command line. */
interface Options extends Pick<MockOptions, 'host' | 'port' | 'stateful' | 'data'> {
  readonly delay?: number
  readonly failRate?: number
}

const PORT = 4010

function readShare(text: string): number {
  const share = Number(text)
  if (share >= 0 && share <= 1) return share
  throw new InvalidArgumentError('It is a number from 0 to 1.')
}

const program = new Command('gloss-mock').description(
  'serve the examples of the documentation, or the whole service on data that ends with it',
)
declareSelf(program, {
  name: 'gloss-mock',
  does: '',
  examples: ['gloss-mock', 'gloss-mock --stateful', 'gloss-mock --stateful --data books.gz --delay 300'],
  options: [
    { flags: '--stateful', does: 'be the whole service, on a store that ends with it' },
    { flags: '--data <file>', does: 'an archive or a backup to begin with; with --stateful' },
    { flags: '--delay <ms>', does: 'how long each request waits', read: wholeNumber(0, 60_000) },
    {
      flags: '--fail-rate <share>',
      does: 'the share of requests that fail with 503, 0 to 1',
      read: readShare,
    },
    { flags: '--host <host>', does: 'the address to listen on, 127.0.0.1 by default' },
    { flags: '--port <port>', does: `the port, ${PORT} by default`, read: wholeNumber(0, 65_535) },
  ],
  load: () => Promise.resolve({ run }),
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function run(
  _args: readonly string[],
  { host = '127.0.0.1', port = PORT, delay, failRate, ...options }: Options,
): Promise<undefined> {
  if (options.data !== undefined && !options.stateful)
    throw misuse('--data needs data to keep', 'add --stateful')
  const faults = { ...(delay !== undefined && { delay }), ...(failRate !== undefined && { failRate }) }
  const starting = openMock({ host, port, ...options, faults, settings: process.env, print })
  const { mock, resetAll } = await starting.catch((error: unknown) => {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall !== 'listen') throw error
    throw new Failure(
      `the mock cannot listen on ${host}:${String(port)}: ${message}`,
      'choose another port by --port',
    )
  })
  const end = (): void => void mock.close().finally(() => process.exit())
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  // Windows has no such signal.
  if (options.stateful && process.platform !== 'win32') {
    process.on('SIGUSR2', () => {
      void resetAll().then(() => {
        print('The store is as it was at the start.')
      })
    })
  }
  print(`The mock of Gloss listens on ${mock.url}`)
  return undefined
}

await runLine(program, process.argv.slice(2))
