/** What an application is tested against: the mock, started as a team would, or the service with alice's books. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { stockShelf } from '../../mock/shelf.ts'
import { programFile } from '../support/process.ts'
import { PASSWORD, startService } from '../support/service.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Base {
  readonly url: string
  /** The password of every user; the mock accepts any. */
  readonly password: string
  stop: () => Promise<void>
}

export const startBase = (name: 'mock' | 'service'): Promise<Base> =>
  name === 'mock' ? startMock() : startStockedService()

async function startStockedService(): Promise<Base> {
  const service = await startService()
  await stockShelf({ ...service, password: PASSWORD })
  const body = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const headers = { 'content-type': 'image/svg+xml' }
  await service.ok('PUT', '/about/book:Dune/alice/picture', { as: 'alice', body, headers })
  return { url: service.url, password: PASSWORD, stop: () => service.stop() }
}

/** A running mock. */
export interface Mock extends Base {
  readonly process: ChildProcess
  /** Resolves to the next line that the mock prints and that fits, if it has not printed one since the last call. */
  readonly printed: (pattern: RegExp) => Promise<string>
}

/** Starts the mock with further arguments, and settings for its environment; in a copy of the project from its sources. */
export async function startMock(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  copy?: string,
): Promise<Mock> {
  const program = copy === undefined ? programFile('mock/main') : 'mock/main.ts'
  const child = spawn(process.execPath, [program, '--port', '0', ...args], {
    cwd: copy ?? ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await end
  }
  const failed = end.then(() => Promise.reject(new Error('the mock has ended')))
  failed.catch(() => undefined)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const printed = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const { value } = (await Promise.race([lines.next(), failed])) as { value: string }
      if (pattern.test(value)) return value
    }
  }
  const [url = ''] = /http:\S+/.exec(await printed(/^The mock of Gloss listens on /)) ?? []
  return { url, password: PASSWORD, process: child, printed, stop }
}
