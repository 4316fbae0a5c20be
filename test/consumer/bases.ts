/** What an application is tested against: the mock, started as a team would, or the service with alice's books. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { stockShelf } from '../../mock/shelf.ts'
import { PASSWORD, startService } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

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
  await stockShelf(service)
  const body = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const headers = { 'content-type': 'image/svg+xml' }
  await service.ok('PUT', '/about/book:Dune/alice/picture', { as: 'alice', body, headers })
  return { url: service.url, password: PASSWORD, stop: () => service.stop() }
}

async function startMock(): Promise<Base> {
  const child = spawn(process.execPath, ['mock/main.ts', '--port', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await end
  }
  const listening = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const url = /^The mock of Gloss listens on (\S+)$/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  const failed = end.then(() => Promise.reject(new Error('the mock does not start')))
  return { url: await Promise.race([listening, failed]), password: PASSWORD, stop }
}
