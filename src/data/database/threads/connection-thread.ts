/** The program of a thread that owns one connection: it receives commands as messages and answers each with a message. */
import { setPriority } from 'node:os'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { collector } from '../../../memory/reclaim.ts'
import type { Execute, Interrupt } from '../connection/connection.ts'
import { emptyLog } from '../sqlite/room.ts'
import { executor, open } from '../sqlite/sqlite.ts'
import {
  commandOf,
  replyOf,
  type Parcel,
  type ThreadOrder,
  type ThreadReply,
  type ThreadStart,
} from './thread-messages.ts'

interface Opened {
  readonly execute: Execute
  readonly interrupt: Interrupt
  /** Frees what an idle connection does not need: the memory of its cache, and the log of the one that writes. */
  readonly release?: () => void
}

function openSqlite({ databaseUrl, purpose, stop }: ThreadStart): Opened {
  const db = open(databaseUrl, purpose, () => Atomics.load(stop, 0) === 1)
  const execute = executor(db)
  return {
    execute: async (command) => execute(command),
    // The thread reads the order to stop only after the statement has ended; the statement has seen the flag.
    interrupt: () => Promise.resolve(),
    release: () => {
      // Only this makes the file shorter after its last pages were freed.
      if (purpose === 'write') emptyLog(db)
      db.pragma('shrink_memory')
    },
  }
}

async function openMysql({ databaseUrl, purpose, waits, inUse, file }: ThreadStart): Promise<Opened> {
  // Loaded only here: a thread for SQLite does not need the driver.
  const [{ Hosts }, { openSession }, mysql] = await Promise.all([
    import('../mysql/mysql-hosts.ts'),
    import('../mysql/mysql-settings.ts'),
    import('../mysql/mysql.ts'),
  ])
  Hosts.of(databaseUrl, { inUse, file })
  const opening = openSession(databaseUrl, purpose, waits)
  // The thread ends with its connection, after all waiting callers have their answers.
  const end = (): void => void setImmediate(() => port.close())
  opening.then((session) => session.closed.then(end), end)
  return {
    execute: (command) => opening.then((session) => mysql.executor(session)(command)),
    interrupt: () =>
      opening.then(
        (session) => session.interrupt(),
        () => undefined,
      ),
  }
}

async function answer(request: ThreadOrder): Promise<Parcel<ThreadReply>> {
  const { id } = request
  try {
    if ('interrupt' in request) {
      await interrupt()
      return { message: { id, result: undefined }, transfer: [] }
    }
    const command = commandOf(request)
    return replyOf(id, command, await execute(command))
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    return { message: { id, error: { message, code } }, transfer: [] }
  }
}

/** After how long without a command a thread collects its garbage and releases its connection, in milliseconds. */
const IDLE_MS = 5000

/** The niceness of a thread that scans, from 0 to 19: the system runs other threads first. */
const NICE = 5

const port = parentPort as MessagePort
const start = workerData as ThreadStart
// Only Linux has priorities for single threads; elsewhere this would change the priority of the whole process.
if (start.purpose === 'scan' && process.platform === 'linux') setPriority(NICE)
const { execute, interrupt, release } = start.databaseUrl.startsWith('sqlite:')
  ? openSqlite(start)
  : await openMysql(start)
const collect = collector()
const idle = setTimeout(() => {
  release?.()
  void collect()
}, IDLE_MS).unref()
port.on('message', (request: ThreadOrder) => {
  idle.refresh()
  void answer(request).then(({ message, transfer }) => {
    port.postMessage(message, transfer)
  })
})
