/** Runs Prism as a separate process on its own port. Prism selects and sends the examples of the contract. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const CONTRACT = fileURLToPath(new URL('../generated/openapi.yaml', import.meta.url))
const LOOPBACK = '127.0.0.1'

/** A running Prism. */
export interface Prism {
  readonly url: string
  readonly process: ChildProcess
}

/** Starts Prism. The mock has its own log, so this drops the log of Prism. Throws if Prism does not start. */
export async function startPrism(): Promise<Prism> {
  // The lookup happens here, because the package of the service contains the stateful mock but not Prism.
  const program = fileURLToPath(import.meta.resolve('@stoplight/prism-cli/dist/index.js'))
  const args = [program, 'mock', '--host', LOOPBACK, '--port', '0', '--cors=false', CONTRACT]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  const lines = createInterface(child.stdout)
  const listening = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const url = /Prism is listening on (\S+)/.exec(line)?.[1]
      if (url !== undefined) {
        lines.removeAllListeners('line').on('line', () => undefined)
        resolve(url)
      }
    })
  })
  const end = once(child, 'exit').then(() => Promise.reject(new Error('Prism does not start')))
  return { url: await Promise.race([listening, end]), process: child }
}
