/** Connections in threads of their own, so that a long statement, or a long result, holds up nobody else. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BoundStatement, Command } from './commands.ts'
import type { Purpose } from './connections.ts'
import { isApart, MERGES, type IdSet, type Merge } from './id-sets.ts'
import { packCells, unpackCells, unpackRows, type PackedCells, type PackedRows } from './row-codec.ts'
import type { InsertEach } from './sql.ts'

/** What a thread is to connect to, and what for. */
export interface Opening {
  readonly databaseUrl: string
  readonly purpose: Purpose
}

/** What a thread is asked to do: a command, with all that it binds packed. */
export type ThreadRequest =
  | {
      readonly id: number
      readonly command: Omit<Extract<Command, BoundStatement>, 'values'>
      readonly values: PackedCells
    }
  | {
      readonly id: number
      readonly command: { readonly kind: 'insertEach'; readonly insert: Omit<InsertEach, 'values'> }
      readonly values: PackedCells
      readonly ids: Uint8Array
    }
  | {
      readonly id: number
      readonly command: { readonly kind: 'merge'; readonly merge: Merge }
      readonly a: Uint8Array
      readonly b: Uint8Array
    }

/** What a thread answers: rows, ids, anything else as it is, or an error with its driver's code. */
export type ThreadReply = { readonly id: number } & (
  | { readonly rows: PackedRows }
  | { readonly ids: Uint8Array }
  | { readonly result: unknown }
  | { readonly error: DriverError }
)

/** An error of the driver as it passes between threads. */
export interface DriverError {
  readonly message: string
  readonly code: string | undefined
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Rows that pass through leave nothing behind: a large nursery would only be filled. */
const LIMITS = { maxYoungGenerationSizeMb: 8 }

/** A connection with a thread of its own. */
export class ConnectionThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #commands = 0
  #ended = false

  constructor(opening: Opening) {
    // The name ends otherwise once it is compiled.
    const program = new URL(`./connection-thread${extname(import.meta.url)}`, import.meta.url)
    this.#worker = new Worker(program, { workerData: opening, execArgv: [], resourceLimits: LIMITS })
    this.#worker.on('message', (reply: ThreadReply) => {
      this.#settle(reply)
    })
    // What went wrong is told to those who wait, once the thread has ended.
    let cause: Error | undefined
    this.#worker.on('error', (error: Error) => {
      cause = error
    })
    this.#worker.on('exit', () => {
      this.#ended = true
      for (const { reject } of this.#waiting.values()) reject(threadLost(cause))
      this.#waiting.clear()
    })
    this.#worker.unref()
  }

  /** Whether the thread has ended, with its connection. */
  get ended(): boolean {
    return this.#ended
  }

  /** Has the thread do a command. Rejects with the error of the driver, its `code` included. */
  execute(command: Command): Promise<unknown> {
    if (this.#ended) return Promise.reject(threadLost())
    if (command.kind === 'merge' && command.a.length + command.b.length <= MERGED_HERE_BYTES) {
      return Promise.resolve(MERGES[command.merge](command.a, command.b))
    }
    const id = this.#commands++
    // Only somebody who waits for an answer keeps the process alive.
    if (this.#waiting.size === 0) this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const request = requestOf(id, command)
      const given = 'a' in request ? [request.a, request.b].map(({ buffer }) => buffer as ArrayBuffer) : []
      this.#worker.postMessage(request, given)
    })
  }

  /** Ends the thread; what it has not committed is undone. */
  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if ('error' in reply) {
      waiting?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }))
    } else if ('rows' in reply) waiting?.resolve(unpackRows(reply.rows))
    else if ('ids' in reply) waiting?.resolve(bufferOf(reply.ids))
    else waiting?.resolve(reply.result)
  }
}

/** So few ids are merged in less time than they take to a thread and back. */
const MERGED_HERE_BYTES = 64 * 1024

/** A set that can be given away. */
const ownSet = (set: IdSet): Uint8Array => (isApart(set) ? set : new Uint8Array(set))

function requestOf(id: number, command: Command): ThreadRequest {
  if (command.kind === 'merge') {
    const { kind, merge, a, b } = command
    return { id, command: { kind, merge }, a: ownSet(a), b: ownSet(b) }
  }
  if (command.kind !== 'insertEach') {
    const { values, ...rest } = command
    return { id, command: rest, values: packCells(values) }
  }
  const { values, ...insert } = command.insert
  return {
    id,
    command: { kind: command.kind, insert },
    values: packCells(insert.columns.map((column) => values[column] ?? null)),
    // Of a part of a buffer all of the buffer would be sent.
    ids: new Uint8Array(command.ids),
  }
}

/** The command that was packed. */
export function commandOf(request: ThreadRequest): Command {
  if ('a' in request) return { ...request.command, a: bufferOf(request.a), b: bufferOf(request.b) }
  const values = unpackCells(request.values)
  if (!('ids' in request)) return { ...request.command, values } as Command
  const { kind, insert } = request.command
  const byColumn = Object.fromEntries(insert.columns.map((column, i) => [column, values[i] ?? null]))
  return { kind, insert: { ...insert, values: byColumn }, ids: bufferOf(request.ids) }
}

/** Buffers arrive as plain arrays of bytes. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length)

/** Why nothing more comes from a thread. The code is that of a connection that is lost, as it is, too. */
const threadLost = (cause?: Error): Error =>
  Object.assign(new Error('the thread of a connection has ended', { cause }), {
    code: 'PROTOCOL_CONNECTION_LOST',
  })
