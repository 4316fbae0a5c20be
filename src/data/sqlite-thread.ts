/** The program of a thread that has one SQLite connection: commands come as messages, and go back as messages. */
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { packRows } from './row-codec.ts'
import { configure, executor, toldOf, type Command, type SqliteDatabase, type ThreadReply } from './sqlite.ts'

const { filename, waitMs, cacheMib } = workerData as { filename: string; waitMs: number; cacheMib: number }
const Database = createRequire(import.meta.url)('better-sqlite3') as new (filename: string) => SqliteDatabase
const db = new Database(filename)
configure(db, waitMs, cacheMib)
const execute = executor(db)

type Rows = Parameters<typeof packRows>[0]

function answer(id: number, command: Command): void {
  const reply = (message: ThreadReply, transfer: readonly ArrayBuffer[] = []): void => {
    parentPort?.postMessage(message, transfer)
  }
  try {
    const result = execute(command)
    if (command.kind === 'all') {
      const rows = packRows(result as Rows)
      reply({ id, rows }, [rows.numbers.buffer, rows.kinds.buffer, rows.bytes.buffer])
    } else if (command.kind === 'ids' || command.kind === 'sortedIds') {
      const ids = result as Buffer<ArrayBuffer>
      // A small buffer may be a part of one that others share, and cannot be given away.
      const own = ids.length === ids.buffer.byteLength ? ids : new Uint8Array(ids)
      reply({ id, ids: own }, [own.buffer])
    } else {
      reply({ id, result })
    }
  } catch (error) {
    reply({ id, error: toldOf(error) })
  }
}

parentPort?.on('message', ({ id, command }: { id: number; command: Command }) => {
  answer(id, command)
})
