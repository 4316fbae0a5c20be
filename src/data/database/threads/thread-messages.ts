/** The messages between a connection and its thread: commands and results, packed into a few buffers. */
import type { BoundStatement, Command, InsertRows, Purpose } from '../connection/connection.ts'
import type { InsertEach } from '../connection/dialects.ts'
import type { Merge } from '../ids/id-set-merging.ts'
import { hasOwnMemory } from '../ids/id-sets.ts'
import {
  packCells,
  packRows,
  unpackCells,
  unpackRows,
  type PackedCells,
  type PackedRows,
} from './row-codec.ts'
import type { HostInUse } from '../mysql/mysql-hosts.ts'
import type { Waits } from '../connection/waits.ts'

/** The database URL of a connection, its purpose, and its time limits. */
export interface Opening {
  readonly databaseUrl: string
  readonly purpose: Purpose
  readonly waits: Waits
}

/** The flag that a thread of SQLite reads while a statement runs: 1 if the statement must stop. */
export type StopFlag = Int32Array<SharedArrayBuffer>

/** The data that a thread starts with. */
export interface ThreadStart extends Opening {
  readonly stop: StopFlag
  /** MySQL only: the host that the process uses. */
  readonly inUse?: HostInUse
  /** MySQL only: the file that has the database URL. */
  readonly file?: string | undefined
}

/** A message to a thread: a command, or the order to stop the running command. */
export type ThreadOrder = ThreadRequest | { readonly id: number; readonly interrupt: true }

/** A command for a thread, with all its bound values packed. */
export type ThreadRequest = { readonly id: number } & (
  | { readonly command: Omit<Extract<Command, BoundStatement>, 'values'>; readonly values: PackedCells }
  | { readonly command: { readonly do: 'insert' } & Omit<InsertRows, 'cells'>; readonly cells: PackedCells }
  | {
      readonly command: { readonly do: 'insertEach'; readonly insert: Omit<InsertEach, 'values'> }
      readonly values: PackedCells
      readonly ids: Uint8Array
    }
  | {
      readonly command: { readonly do: 'merge'; readonly merge: Merge }
      readonly a: Uint8Array
      readonly b: Uint8Array
    }
)

/** A thread's reply: packed rows, ids, any other result as it is, or an error with its driver's code. */
export type ThreadReply = { readonly id: number } & (
  | { readonly rows: PackedRows }
  | { readonly ids: Uint8Array }
  | { readonly result: unknown }
  | { readonly error: DriverError }
)

/** A driver's error in the form in which it passes between threads. */
export interface DriverError {
  readonly message: string
  readonly code: string | undefined
}

/** A message, and the memory that is transferred with it instead of copied. */
export interface Parcel<Message> {
  readonly message: Message
  readonly transfer: ArrayBuffer[]
}

/** The message that makes a thread run a command. The sets of a merge move to the thread. */
export function requestOf(id: number, command: Command): Parcel<ThreadRequest> {
  switch (command.do) {
    case 'merge': {
      const { a: first, b: second, ...rest } = command
      const [a, b] = [movable(first), movable(second)]
      return { message: { id, command: rest, a, b }, transfer: [a.buffer, b.buffer] }
    }
    case 'insert': {
      const { cells: values, ...rest } = command
      const cells = packCells(values, command.columns.length)
      return { message: { id, command: rest, cells }, transfer: memoryOf(cells) }
    }
    case 'insertEach': {
      const { values, ...insert } = command.insert
      const message = {
        id,
        command: { do: command.do, insert },
        values: packCells(insert.columns.map((column) => values[column] ?? null)),
        // Sending part of a buffer would send the whole buffer.
        ids: new Uint8Array(command.ids),
      }
      return { message, transfer: [] }
    }
    default: {
      const { values, ...rest } = command
      return { message: { id, command: rest, values: packCells(values) }, transfer: [] }
    }
  }
}

/** The command in a request. */
export function commandOf(request: ThreadRequest): Command {
  if ('a' in request) return { ...request.command, a: bufferOf(request.a), b: bufferOf(request.b) }
  if ('cells' in request) {
    const { command, cells } = request
    return { ...command, cells: unpackCells(cells, command.columns.length) }
  }
  const values = unpackCells(request.values)
  if (!('ids' in request)) return { ...request.command, values } as Command
  const { insert } = request.command
  const byColumn = Object.fromEntries(insert.columns.map((column, i) => [column, values[i] ?? null]))
  return { do: 'insertEach', insert: { ...insert, values: byColumn }, ids: bufferOf(request.ids) }
}

/** The message with the result of a command. */
export function replyOf(id: number, command: Command, result: unknown): Parcel<ThreadReply> {
  switch (command.do) {
    case 'all': {
      const rows = packRows(result as Parameters<typeof packRows>[0])
      return { message: { id, rows }, transfer: memoryOf(rows.cells) }
    }
    case 'ids':
    case 'sortedIds':
    case 'merge': {
      const ids = movable(result as Buffer)
      return { message: { id, ids }, transfer: [ids.buffer] }
    }
    default:
      return { message: { id, result }, transfer: [] }
  }
}

/** The result in a reply without an error. */
export function resultOf(reply: Exclude<ThreadReply, { readonly error: DriverError }>): unknown {
  if ('rows' in reply) return unpackRows(reply.rows)
  return 'ids' in reply ? bufferOf(reply.ids) : reply.result
}

const memoryOf = ({ numbers, kinds, bytes }: PackedCells): ArrayBuffer[] => [
  numbers.buffer,
  kinds.buffer,
  bytes.buffer,
]

/** Bytes with their own memory: a small buffer may be part of a shared one, and then cannot be transferred. */
const movable = (bytes: Buffer): Uint8Array<ArrayBuffer> =>
  hasOwnMemory(bytes) ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)

/** Buffers arrive as plain `Uint8Array`s. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length)
