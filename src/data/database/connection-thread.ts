/**
 * The program of a thread that owns one connection: it receives commands as messages and answers each with a message.
 */
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { Execute, Purpose } from './connection.ts'
import { configure, executor, sqliteFile, type SqliteDatabase } from './sqlite.ts'
import {
  commandOf,
  replyOf,
  type Opening,
  type Parcel,
  type ThreadReply,
  type ThreadRequest,
} from './thread-messages.ts'

function openSqlite(databaseUrl: string, purpose: Purpose): Execute {
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => SqliteDatabase
  const db = new Database(sqliteFile(databaseUrl))
  configure(db, purpose)
  const execute = executor(db)
  return async (command) => execute(command)
}

async function openMysql(databaseUrl: string, purpose: Purpose): Promise<Execute> {
  // Loaded only here: a thread for SQLite does not need the driver.
  const { connectMysql } = await import('./mysql.ts')
  return connectMysql(databaseUrl, purpose, () => {
    port.close()
  })
}

async function answer(request: ThreadRequest): Promise<Parcel<ThreadReply>> {
  const { id } = request
  try {
    const command = commandOf(request)
    return replyOf(id, command, await execute(command))
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    return { message: { id, error: { message, code } }, transfer: [] }
  }
}

/** The niceness of a thread that scans, from 0 to 19: it yields the processor to everything else. */
const NICE = 5

const port = parentPort as MessagePort
const { databaseUrl, purpose } = workerData as Opening
// Only Linux has priorities for single threads; elsewhere this would change the priority of the whole process.
if (purpose === 'scan' && process.platform === 'linux') setPriority(NICE)
const execute = databaseUrl.startsWith('sqlite:')
  ? openSqlite(databaseUrl, purpose)
  : await openMysql(databaseUrl, purpose)
port.on('message', (request: ThreadRequest) => {
  void answer(request).then(({ message, transfer }) => {
    port.postMessage(message, transfer)
  })
})
