/** Programs that run until they are told to stop: none outlives this process, and none may end by itself. */
import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'

const running = new Set<Child>()
process.once('exit', () => {
  for (const child of running) child.signal('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

let fail: (reason: Error) => void
/** Rejects as soon as a child ends that nobody has told to. */
export const endsByItself = new Promise<never>((_resolve, reject) => {
  fail = reject
})
// Whoever waits for something else at that moment hears of it later.
endsByItself.catch(() => undefined)

/** Ends all that run, and resolves when they have. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((child) => child.stop('SIGKILL')))
}

/** A program that was started. */
export class Child {
  /** Resolves when it has ended, for whatever reason. Never rejects. */
  readonly ended: Promise<void>
  readonly #signal: (signal: NodeJS.Signals) => void
  #alive = true
  #told: boolean

  /** `name` is what it is called when it ends by itself, which it may if it is `brief`. */
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
    // A program that could not be started has no exit.
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

  /** Sends a signal that does not end it, or after which nobody waits. */
  signal(signal: NodeJS.Signals): void {
    if (this.#alive) this.#signal(signal)
  }

  /** Ends it. Resolves when it has ended, also if it had before. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#told = true
    this.signal(signal)
    // One that is frozen would not notice.
    this.signal('SIGCONT')
    await this.ended
  }

  #end(how: string): void {
    this.#alive = false
    running.delete(this)
    if (!this.#told) fail(new Error(how))
  }
}
