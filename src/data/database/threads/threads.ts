/** Connections in their own threads, so that a long statement or a long result does not block other requests. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Command } from '../connection/connection.ts'
import type { Hosts } from '../mysql/mysql-hosts.ts'
import { RemoteCalls } from '../../../scheduling/remote-calls.ts'
import { mergeIds } from '../ids/id-set-merging.ts'
import {
  requestOf,
  resultOf,
  type Opening,
  type Parcel,
  type StopFlag,
  type ThreadOrder,
  type ThreadReply,
  type ThreadStart,
} from './thread-messages.ts'

/** The rows of an answer soon become garbage: a larger young generation would only fill up. */
const LIMITS = { maxYoungGenerationSizeMb: 8 }

/** A connection with its own thread. */
export class ConnectionThread {
  readonly #worker: Worker
  readonly #calls = new RemoteCalls<unknown>()
  readonly #stop: StopFlag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #ended = false
  readonly #isOnHostInUse: () => boolean

  /** `hosts`: MySQL only, those of the URL. */
  constructor(opening: Opening, hosts?: Hosts) {
    const [host, url] = [hosts?.inUse[0], hosts?.url]
    this.#isOnHostInUse = () => hosts?.inUse[0] === host && hosts?.url === url
    // The file's extension differs after compilation.
    const program = new URL(`./connection-thread${extname(import.meta.url)}`, import.meta.url)
    const workerData: ThreadStart = {
      ...opening,
      stop: this.#stop,
      ...(hosts !== undefined && { inUse: hosts.inUse, file: hosts.file }),
    }
    this.#worker = new Worker(program, { workerData, execArgv: [], resourceLimits: LIMITS })
    this.#worker.on('message', (reply: ThreadReply) => {
      this.#settle(reply)
    })
    // Pending commands are rejected with the cause once the thread has ended.
    let cause: Error | undefined
    this.#worker.on('error', (error: Error) => {
      cause = error
    })
    this.#worker.on('exit', () => {
      this.#ended = true
      this.#calls.failAll(threadLost(cause))
    })
    this.#worker.unref()
  }

  /** Whether the pool may use the connection again: it is open, and has the host and the account in use. */
  get isUsable(): boolean {
    return !this.#ended && this.#isOnHostInUse()
  }

  /** Makes the thread run a command. Rejects with the driver's error, including its `code`. */
  execute(command: Command): Promise<unknown> {
    if (this.#ended) return Promise.reject(threadLost())
    if (command.do === 'merge' && command.a.length + command.b.length <= MERGED_HERE_BYTES) {
      return Promise.resolve(mergeIds(command.merge, command.a, command.b))
    }
    return this.#send((id) => requestOf(id, command))
  }

  /** Stops the running command. Resolves once it no longer affects later commands, or the thread has ended. */
  async interrupt(): Promise<void> {
    if (this.#ended) return
    // A thread of SQLite sees this flag while it is busy; it reads messages only afterwards.
    Atomics.store(this.#stop, 0, 1)
    await this.#send((id) => ({ message: { id, interrupt: true }, transfer: [] })).catch(() => undefined)
    Atomics.store(this.#stop, 0, 0)
  }

  #send(orderOf: (id: number) => Parcel<ThreadOrder>): Promise<unknown> {
    // Only a running command keeps the process alive.
    if (this.#calls.size === 0) this.#worker.ref()
    return this.#calls.call((id) => {
      const { message, transfer } = orderOf(id)
      this.#worker.postMessage(message, transfer)
    })
  }

  /** Ends the thread; uncommitted work is rolled back. */
  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(reply: ThreadReply): void {
    if ('error' in reply) {
      const { message, code } = reply.error
      this.#calls.fail(reply.id, Object.assign(new Error(message), { code }))
    } else {
      this.#calls.answer(reply.id, resultOf(reply))
    }
    if (this.#calls.size === 0) this.#worker.unref()
  }
}

/** This thread merges sets up to this size: sending them to the connection's thread and back would take longer. */
const MERGED_HERE_BYTES = 512 * 1024

/** The error of a thread that has ended; its code is that of a lost connection, since the connection ended, too. */
const threadLost = (cause?: Error): Error =>
  Object.assign(new Error('the thread of a connection has ended', { cause }), {
    code: 'PROTOCOL_CONNECTION_LOST',
  })
