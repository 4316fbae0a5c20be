/** Runs programs until the script stops them. None outlives this process, and none may end by itself. */
import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'

const running = new Set<Child>()
process.once('exit', () => {
  for (const child of running) child.signal('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

let fail: (reason: Error) => void
/** Rejects as soon as a child ends that the script has not stopped. */
export const endsByItself = new Promise<never>((_resolve, reject) => {
  fail = reject
})
// Callers that await something else at that moment notice the rejection later.
endsByItself.catch(() => undefined)

/** Stops all running children, and resolves when they have ended. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((child) => child.stop('SIGKILL')))
}

/** A running program. */
export class Child {
  /** Resolves when the program has ended, for any reason. Never rejects. */
  readonly ended: Promise<void>
  readonly #signal: (signal: NodeJS.Signals) => void
  #alive = true
  #told: boolean

  /** `name` appears in the error if the program ends by itself, which is allowed if it is `brief`. */
  constructor(
    name: string,
    [program, ...args]: readonly [string, ...string[]],
    options: SpawnOptions,
    brief = false,
  ) {
    this.#told = brief
    const child = spawn(program, args, options)
    this.#signal = (signal) => child.kill(signal)
    running.add(this)
    // A program that could not start has no exit.
    this.ended = once(child, 'exit').then(
      ([code, signal]) => {
        this.#end(`${name} has ended by itself with ${String(signal ?? code)}`)
      },
      (error: unknown) => {
        this.#end(`${name}: ${String(error)}`)
      },
    )
  }

  get isAlive(): boolean {
    return this.#alive
  }

  /** Sends a signal that does not end the program, or whose effect the caller does not await. */
  signal(signal: NodeJS.Signals): void {
    if (this.#alive) this.#signal(signal)
  }

  /** Stops the program. Resolves when it has ended, also if it had ended before. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#told = true
    this.signal(signal)
    // A frozen process would not handle the signal.
    this.signal('SIGCONT')
    await this.ended
  }

  #end(how: string): void {
    this.#alive = false
    running.delete(this)
    if (!this.#told) fail(new Error(how))
  }
}
