/** Instances of the service on ports that stay, and a light load on them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/ports.ts'
import { listening, nodeCommand, runProcess, type ServiceProcess } from '../../test/support/process.ts'

const PASSWORD = 'only for this test'

/** An instance that can be started again on its ports. */
export class RunningInstance {
  /** Its address, as `host:port`. */
  readonly service: string
  readonly adminPort: number
  readonly #env: Readonly<Record<string, string>>
  #process: ServiceProcess

  private constructor(env: Readonly<Record<string, string>>, [port, adminPort]: readonly [number, number]) {
    this.service = `127.0.0.1:${String(port)}`
    this.adminPort = adminPort
    this.#env = { ...env, PORT: String(port), ADMIN_PORT: String(adminPort), ADMIN_PASSWORD: PASSWORD }
    this.#process = runProcess(this.#env)
  }

  static async start(databaseUrl: string): Promise<RunningInstance> {
    const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error', TRUST_PROXY: 'loopback' }
    const instance = new RunningInstance(env, [await freePort(), await freePort()])
    await instance.#untilListening()
    return instance
  }

  get admin(): string {
    return `127.0.0.1:${String(this.adminPort)}`
  }

  async metrics(): Promise<string> {
    return (await fetch(`http://${this.admin}/metrics`)).text()
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.process.kill(signal)
  }

  async stop(): Promise<void> {
    this.signal('SIGKILL')
    await this.#process.end
  }

  async restart(): Promise<void> {
    this.#process = runProcess(this.#env)
    await this.#untilListening()
  }

  async #untilListening(): Promise<void> {
    if (Number.isNaN(await listening(this.#process)))
      throw new Error(`an instance did not start:\n${this.#process.printed()}`)
  }
}

/** Runs `gloss backup`. Rejects with what it printed if it failed. */
export async function backUp(databaseUrl: string, file: string): Promise<void> {
  const { end, printed } = runProcess(
    { DATABASE_URL: databaseUrl },
    nodeCommand('command/gloss', 'backup', '--to', file),
  )
  if ((await end) !== 0) throw new Error(printed())
}

/** What clients saw. */
export interface Seen {
  requests: number
  failed: number
}

const CLIENTS = 4
/** The pause of a client after three requests, in milliseconds. */
const PAUSE_MS = 200
/** How long a client waits for an answer, in milliseconds. */
const PATIENCE_MS = 10_000

const TYPE = 'application/vnd.service.value+json'

/** Has clients send requests to `url` until `stop`: one in three writes, one asks for what is not there, one searches. */
export function startLoad(url: string): { readonly seen: Seen; stop(): Promise<void> } {
  const seen: Seen = { requests: 0, failed: 0 }
  let stopping = false
  const authorization = (password: string): string => `Basic ${btoa(`service:${password}`)}`
  const ask = async (path: string, body?: string, password = PASSWORD): Promise<void> => {
    const headers = { Authorization: authorization(password), 'Content-Type': TYPE }
    try {
      const method = body === undefined ? 'GET' : 'PUT'
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const answer = await fetch(url + path, { method, headers, signal, ...(body !== undefined && { body }) })
      await answer.arrayBuffer()
      if (answer.status >= 500) seen.failed += 1
    } catch {
      seen.failed += 1
    }
    seen.requests += 1
  }
  const run = async (): Promise<void> => {
    // The board shows security events.
    await ask('/about/nothing/service/about', undefined, 'wrong')
    for (let turn = 0; !stopping; turn++) {
      await ask('/about/one/service/n', String(turn))
      await ask('/about/nothing/service/about')
      await ask(`/objects?query=${encodeURIComponent('service/about = "nothing"')}`)
      await sleep(PAUSE_MS)
    }
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, run))
  return {
    seen,
    stop: async () => {
      stopping = true
      await running
    },
  }
}
