/** An instance of the service that the script can kill, freeze and restart. */
import { mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/ports.ts'
import { Child } from './child.ts'

const ROOT = dirname(dirname(import.meta.dirname))
/** The log of all instances, to find the cause of a violation. */
const LOG = join(ROOT, 'var', 'chaos.log')
/** The password of the superuser. */
export const PASSWORD = 'chaos and its model'

export class Instance {
  readonly url: string
  readonly #env: Readonly<Record<string, string>>
  readonly #adminPort: number
  #child: Child

  private constructor(port: number, adminPort: number, databaseUrl: string) {
    this.url = `http://127.0.0.1:${String(port)}`
    this.#adminPort = adminPort
    this.#env = {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      STARTUP_WAIT_MS: '120000',
      LOG_LEVEL: 'error',
    }
    this.#child = this.#run({ ADMIN_PASSWORD: PASSWORD })
  }

  static async start(databaseUrl: string): Promise<Instance> {
    const instance = new Instance(await freePort(), await freePort(), databaseUrl)
    await instance.ready()
    return instance
  }

  /** Resolves when a load balancer may send requests, or when the process has ended. */
  async ready(): Promise<void> {
    while (this.#child.isAlive) {
      const answer = await fetch(`http://127.0.0.1:${String(this.#adminPort)}/readyz`).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => undefined)
      if (answer?.status === 200) return
      await sleep(100)
    }
  }

  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.stop(signal)
    this.#child = this.#run({})
    await this.ready()
  }

  async freeze(milliseconds: number): Promise<void> {
    this.#child.signal('SIGSTOP')
    await sleep(milliseconds)
    this.#child.signal('SIGCONT')
  }

  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    return this.#child.stop(signal)
  }

  #run(more: Readonly<Record<string, string>>): Child {
    mkdirSync(dirname(LOG), { recursive: true })
    return new Child('an instance', [process.execPath, join(ROOT, 'dist', 'src', 'main.js')], {
      env: { PATH: process.env['PATH'], ...this.#env, ...more },
      stdio: ['ignore', 'ignore', openSync(LOG, 'a')],
    })
  }
}
