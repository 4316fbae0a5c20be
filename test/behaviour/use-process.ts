/** The service as a process of its own for each test of a file, on a database of its own. */
import { afterEach, beforeEach } from '@jest/globals'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { listening, logged, runProcess, type LogEntry, type ServiceProcess } from '../support/process.ts'
import { send } from '../support/service.ts'
import type { Ask } from './use-service.ts'

/** The superuser's password. */
export const PASSWORD = 'the password of the operator'

/** What these tests use of a process. */
interface Used {
  /** Starts the service; resolves to its URL once it listens. */
  readonly start: (env?: Readonly<Record<string, string>>) => Promise<string>
  /** Sends a request as the superuser, or as the options say. */
  readonly ask: Ask
  /** The process that was started. */
  readonly service: () => ServiceProcess
  /** The entries of its log that say `msg`, once there are so many. */
  readonly entries: (msg: string, count: number) => Promise<LogEntry[]>
}

/** Gives each test of the calling file a database, and ends what it has started on it. */
export function useProcess(): Used {
  let database: FreshDatabase | undefined
  let started: ServiceProcess | undefined
  let url = ''
  beforeEach(async () => {
    database = await freshDatabase()
  })
  afterEach(async () => {
    started?.process.kill('SIGKILL')
    await started?.end
    await database?.drop()
  })
  const service = (): ServiceProcess => {
    if (started === undefined) throw new Error('the service was not started')
    return started
  }
  return {
    service,
    start: async (env = {}) => {
      started = runProcess({ DATABASE_URL: database?.url ?? '', ADMIN_PASSWORD: PASSWORD, ...env })
      url = `http://127.0.0.1:${String(await listening(started))}`
      return url
    },
    ask: (method, path, options = {}) =>
      send(url, method, path, { as: 'service', password: PASSWORD, ...options }),
    entries: (msg, count) => logged(service(), msg, count),
  }
}
