/** The program of a thread that has one connection: commands come as messages, and go back as messages. */
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { Command } from './commands.ts'
import type { Purpose } from './connections.ts'
import { isApart } from './id-sets.ts'
import { packRows } from './row-codec.ts'
import { configure, executor, sqliteFile, type SqliteDatabase } from './sqlite.ts'
import { commandOf, type DriverError, type Opening, type ThreadReply, type ThreadRequest } from './threads.ts'

type Execute = (command: Command) => unknown

function openSqlite(databaseUrl: string, purpose: Purpose): Execute {
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => SqliteDatabase
  const db = new Database(sqliteFile(databaseUrl))
  configure(db, purpose)
  return executor(db)
}

async function openMysql(databaseUrl: string, purpose: Purpose): Promise<Execute> {
  // Only here: a thread of SQLite has no use for the driver.
  const { connectMysql } = await import('./mysql.ts')
  const { connection, ready } = connectMysql(databaseUrl, purpose, () => {
    port.close()
  })
  return async (command) => {
    await ready
    switch (command.kind) {
      case 'insertEach':
        return connection.insertEach(command.insert, command.ids)
      case 'merge':
        return connection.merge(command.merge, command.a, command.b)
      case 'sortedIds':
        return connection.sortedIds(command, command.most)
      default:
        return connection[command.kind](command)
    }
  }
}

async function answer(id: number, command: Command): Promise<void> {
  const reply = (message: ThreadReply, transfer: readonly ArrayBuffer[] = []): void => {
    port.postMessage(message, transfer)
  }
  try {
    const result = await execute(command)
    if (command.kind === 'all') {
      const rows = packRows(result as Parameters<typeof packRows>[0])
      reply({ id, rows }, [rows.cells.numbers.buffer, rows.cells.kinds.buffer, rows.cells.bytes.buffer])
    } else if (command.kind === 'ids' || command.kind === 'sortedIds' || command.kind === 'merge') {
      const ids = result as Buffer<ArrayBuffer>
      // A small buffer may be a part of one that others share, and cannot be given away.
      const own = isApart(ids) ? ids : new Uint8Array(ids)
      reply({ id, ids: own }, [own.buffer])
    } else {
      reply({ id, result })
    }
  } catch (error) {
    reply({ id, error: toldOf(error) })
  }
}

const toldOf = (error: unknown): DriverError => {
  const { message, code } = error as { message: string; code?: string }
  return { message, code }
}

/** How far a thread stands back behind others that want the processor, from 0 to 19. */
const NICE = 5

const port = parentPort as MessagePort
const { databaseUrl, purpose } = workerData as Opening
// Linux alone has priorities of threads; elsewhere this would be the whole process's.
if (purpose === 'scan' && process.platform === 'linux') setPriority(NICE)
const execute = databaseUrl.startsWith('sqlite:')
  ? openSqlite(databaseUrl, purpose)
  : await openMysql(databaseUrl, purpose)
port.on('message', (request: ThreadRequest) => {
  void answer(request.id, commandOf(request))
})
