/** The service as a process, on a database of its own, for the tests of a file. */
import { afterAll, afterEach } from '@jest/globals'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { listening, logged, runProcess, type LogEntry, type ServiceProcess } from '../support/process.ts'
import { send } from '../support/service.ts'
import type { Ask } from './use-service.ts'

/** The superuser's password. */
export const PASSWORD = 'the password of the operator'

type Settings = Readonly<Record<string, string>>

/** What these tests use of a process. */
interface Used {
  /** Starts the service; resolves to its URL once it listens. */
  readonly start: (env?: Settings) => Promise<string>
  /** Sends a request as the superuser, or as the options say. */
  readonly ask: Ask
  /** The process that was started. */
  readonly service: () => ServiceProcess
  /** The entries of its log that say `msg`, once there are so many. */
  readonly entries: (msg: string, count: number) => Promise<LogEntry[]>
}

interface Started extends ServiceProcess {
  readonly settings: Settings
  readonly url: string
  readonly database: FreshDatabase
}

/**
 * Gives the tests of the calling file a process each, or if it is `shared`, one for all that start it with the same
 * settings and leave it alive. Of that, each test sees what is printed from its start on.
 */
export function useProcess({ shared = false } = {}): Used {
  let started: Started | undefined
  /** How much had been printed when the test began. */
  let before = 0
  const end = async (): Promise<void> => {
    started?.process.kill('SIGKILL')
    await started?.end
    await started?.database.drop()
    started = undefined
  }
  if (shared) afterAll(end)
  else afterEach(end)
  const service = (): ServiceProcess => {
    if (started === undefined) throw new Error('the service was not started')
    const { printed } = started
    return { ...started, printed: () => printed().slice(before) }
  }
  return {
    service,
    start: async (env = {}) => {
      if (started === undefined || !isAlive(started) || !areSame(started.settings, env)) {
        await end()
        started = await begin(env)
        before = 0
      } else before = started.printed().length
      return started.url
    },
    ask: (method, path, options = {}) =>
      send(started?.url ?? 'nowhere', method, path, { as: 'service', password: PASSWORD, ...options }),
    entries: (msg, count) => logged(service(), msg, count),
  }
}

async function begin(settings: Settings): Promise<Started> {
  const database = await freshDatabase()
  const process = runProcess({ DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD, ...settings })
  return {
    ...process,
    settings,
    database,
    url: `http://127.0.0.1:${String(await listening(process))}`,
  }
}

const isAlive = ({ process: { exitCode, killed } }: Started): boolean => exitCode === null && !killed

const areSame = (one: Settings, other: Settings): boolean => JSON.stringify(one) === JSON.stringify(other)
