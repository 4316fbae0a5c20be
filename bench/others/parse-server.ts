/** parse-server, the open-source backend for apps, with its records in PostgreSQL. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/ports.ts'
import { JsonApi, portions } from './json-api.ts'
import { installPostgresql, POSTGRESQL_VERSION, startPostgresql } from './postgresql.ts'
import { installFromNpm, makeFolder, start } from './program.ts'
import type { Condition, OtherService, RunningService } from './service.ts'

const VERSION = '9.10.0'
/** A version for a package that parse-server does not pin: with the next one, 2.3.0, its batches fail. */
const ROUTER_VERSION = '2.2.0'
const BATCH_REQUESTS = 1_000
const ALL = 10_000_000
const RECORDS = '/parse/classes/Fact'
const APPLICATION = { 'X-Parse-Application-Id': 'gloss' }

/** Only signed-in users may act, and no user may add fields. */
const SCHEMA = {
  className: 'Fact',
  fields: {
    number: { type: 'Number' },
    rating: { type: 'Number' },
    title: { type: 'String' },
    topics: { type: 'Array' },
  },
  indexes: { rating: { rating: 1 } },
  classLevelPermissions: Object.fromEntries(
    ['find', 'get', 'create', 'update'].map((action) => [action, { requiresAuthentication: true }]),
  ),
}

interface Stored {
  readonly objectId: string
}

export const parseServer: OtherService = {
  name: 'parse-server on PostgreSQL',
  version: () => `parse-server ${VERSION}, PostgreSQL ${POSTGRESQL_VERSION}`,

  async install(folder) {
    await installFromNpm(join(folder, 'parse-server'), { 'parse-server': VERSION, router: ROUTER_VERSION })
    await installPostgresql(join(folder, 'postgresql'))
  },

  async start(folder) {
    await using starting = new AsyncDisposableStack()
    const data = makeFolder(join(folder, 'parse-server-data-'), starting)
    const database = await startPostgresql(join(folder, 'postgresql'), data, starting)
    const [port, masterKey] = [await freePort(), randomBytes(12).toString('hex')]
    const config = join(data, 'config.json')
    const settings = {
      appId: 'gloss',
      masterKey,
      // This keeps connections open.
      databaseURI: `${database.url}?idleTimeoutMillis=0`,
      host: '127.0.0.1',
      port,
      serverURL: `http://127.0.0.1:${port}/parse`,
      allowClientClassCreation: false,
      logLevel: 'error',
      logsFolder: join(data, 'logs'),
    }
    writeFileSync(config, JSON.stringify(settings), { mode: 0o600 })
    const program = join(folder, 'parse-server', 'node_modules', 'parse-server', 'bin', 'parse-server')
    const service = start(process.execPath, [program, config], join(data, 'log'), {
      env: { NODE_ENV: 'production' },
    })
    starting.defer(() => service.stop('SIGKILL'))
    const master = new JsonApi(port, { ...APPLICATION, 'X-Parse-Master-Key': masterKey })
    await service.until(() => master.answers('/parse/health'))
    await master.send('POST', '/parse/schemas/Fact', SCHEMA)
    master.close()
    const api = await signUp(port)
    starting.defer(() => api.close())
    const life = starting.move()
    return {
      ...operations(api, () => database.execute('ANALYZE')),
      pids: { service: [service.pid], database: [database.pid] },
      stop: () => life.disposeAsync(),
    }
  },
}

/** Creates a user; returns the API with the user's session. */
async function signUp(port: number): Promise<JsonApi> {
  const anonymous = new JsonApi(port, APPLICATION)
  const user = { username: 'alice', password: randomBytes(12).toString('hex') }
  const { sessionToken } = (await anonymous.send('POST', '/parse/users', user)) as { sessionToken: string }
  anonymous.close()
  return new JsonApi(port, { ...APPLICATION, 'X-Parse-Session-Token': sessionToken })
}

function operations(api: JsonApi, analyze: () => Promise<void>): Omit<RunningService, 'pids' | 'stop'> {
  const ids: string[] = []
  const pathOf = (number: number): string => `${RECORDS}/${ids[number] ?? ''}`

  /** One transaction per batch; otherwise the service commits every record separately. */
  const batch = async (requests: readonly object[]): Promise<Stored[]> => {
    const answers = await api.send('POST', '/parse/batch', { transaction: true, requests })
    return (answers as { success: Stored }[]).map(({ success }) => success)
  }
  const findIds = async ({ from, to }: Condition): Promise<string[]> => {
    const where = JSON.stringify({ rating: { $gte: from, $lte: to } })
    const parameters = new URLSearchParams({ where, keys: 'objectId', limit: String(ALL) })
    const { results } = (await api.send('GET', `${RECORDS}?${parameters.toString()}`)) as {
      results: Stored[]
    }
    return results.map(({ objectId }) => objectId)
  }
  return {
    async load(facts) {
      for (const portion of portions(facts, BATCH_REQUESTS)) {
        const stored = await batch(portion.map((body) => ({ method: 'POST', path: RECORDS, body })))
        ids.push(...stored.map(({ objectId }) => objectId))
      }
      await analyze()
    },
    async readOne(number) {
      return ((await api.send('GET', pathOf(number))) as { rating: number }).rating
    },
    reading: (number) => api.reading(pathOf(number)),
    async writeOne(number, rating) {
      await api.send('PUT', pathOf(number), { rating })
    },
    async find(condition) {
      return (await findIds(condition)).length
    },
    async bulkChange(condition, rating) {
      const found = await findIds(condition)
      for (const portion of portions(found, BATCH_REQUESTS)) {
        await batch(portion.map((id) => ({ method: 'PUT', path: `${RECORDS}/${id}`, body: { rating } })))
      }
      return found.length
    },
  }
}
