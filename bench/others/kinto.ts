/** Kinto, Mozilla's JSON storage service, with its records in PostgreSQL. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { basic } from '../http.ts'
import { freePort } from '../../test/support/ports.ts'
import { JsonApi, portions, untilNoConflict } from './json-api.ts'
import { installPostgresql, POSTGRESQL_VERSION, startPostgresql } from './postgresql.ts'
import { makeFolder, run, start } from './program.ts'
import type { Condition, OtherService, RunningService } from './service.ts'

const VERSION = '26.5.0'
const BATCH_REQUESTS = 1_000
const ALL = 10_000_000
const BUCKET = '/v1/buckets/gloss'
const COLLECTION = `${BUCKET}/collections/facts`

/** Kinto creates no indexes on fields. This one serves the conditions as Kinto writes them in SQL. */
const INDEX = `CREATE INDEX facts_by_rating ON objects (parent_id, (data->'rating'))
  WHERE resource_name = 'record' AND NOT deleted`

/** The configuration that `kinto init` writes for PostgreSQL, except for URLs, secrets and limits. */
const configuration = (database: string, port: number, secret: string): string => `
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = ${port}

[app:main]
use = egg:kinto
kinto.includes = kinto.plugins.accounts
multiauth.policies = account
multiauth.policy.account.use = kinto.plugins.accounts.AccountsPolicy
kinto.account_create_principals = system.Everyone
kinto.bucket_create_principals = account:alice
kinto.userid_hmac_secret = ${secret}
kinto.storage_backend = kinto.core.storage.postgresql
kinto.storage_url = ${database}
kinto.cache_backend = kinto.core.cache.postgresql
kinto.cache_url = ${database}
kinto.permission_backend = kinto.core.permission.postgresql
kinto.permission_url = ${database}
kinto.explicit_permissions = false
kinto.batch_max_requests = ${BATCH_REQUESTS}
kinto.storage_max_fetch_size = ${ALL}

[loggers]
keys = root
[handlers]
keys = console
[formatters]
keys = generic
[logger_root]
level = ERROR
handlers = console
[handler_console]
class = StreamHandler
args = (sys.stderr,)
formatter = generic
[formatter_generic]
format = %(asctime)s %(levelname)s %(message)s
`

export const kinto: OtherService = {
  name: 'Kinto on PostgreSQL',
  version: () => `Kinto ${VERSION}, PostgreSQL ${POSTGRESQL_VERSION}`,

  async install(folder) {
    await installPostgresql(join(folder, 'postgresql'))
    const environment = join(folder, 'kinto')
    const program = (name: string): string => join(environment, 'bin', name)
    if ((await run(program('kinto'), ['version']).catch(() => '')).trim() === VERSION) return
    await run('python3', ['-m', 'venv', environment])
    await run(program('pip'), ['install', '--quiet', `kinto[postgresql]==${VERSION}`])
  },

  async start(folder) {
    await using starting = new AsyncDisposableStack()
    const data = makeFolder(join(folder, 'kinto-data-'), starting)
    const database = await startPostgresql(join(folder, 'postgresql'), data, starting)
    const port = await freePort()
    const config = join(data, 'kinto.ini')
    const secret = randomBytes(12).toString('hex')
    writeFileSync(config, configuration(database.url, port, secret), { mode: 0o600 })
    const program = join(folder, 'kinto', 'bin', 'kinto')
    await run(program, ['migrate', '--ini', config])
    await database.execute(INDEX)
    const service = start(program, ['start', '--ini', config], join(data, 'log'))
    starting.defer(() => service.stop('SIGKILL'))
    const password = randomBytes(12).toString('hex')
    const api = new JsonApi(port, basic('alice', password))
    starting.defer(() => api.close())
    const anonymous = new JsonApi(port, {})
    await service.until(() => anonymous.answers('/v1/'))
    await anonymous.send('PUT', '/v1/accounts/alice', { data: { password } })
    anonymous.close()
    await api.send('PUT', BUCKET, { permissions: { write: ['account:alice'] } })
    await api.send('PUT', COLLECTION)
    const life = starting.move()
    return {
      ...operations(api, () => database.execute('ANALYZE')),
      pids: { service: [service.pid], database: [database.pid] },
      stop: () => life.disposeAsync(),
    }
  },
}

function operations(api: JsonApi, analyze: () => Promise<void>): Omit<RunningService, 'pids' | 'stop'> {
  const pathOf = (id: string): string => `${COLLECTION}/records/${id}`

  const batch = async (method: string, records: readonly { id: string; data: object }[]): Promise<void> => {
    for (const portion of portions(records, BATCH_REQUESTS)) {
      const requests = portion.map(({ id, data }) => ({ path: pathOf(id), body: { data } }))
      const answer = await api.send('POST', '/v1/batch', { defaults: { method }, requests })
      const { responses } = answer as { responses: { status: number }[] }
      if (!responses.every(({ status }) => status < 300)) throw new Error('a record was not stored')
    }
  }
  const findIds = async ({ from, to }: Condition): Promise<string[]> => {
    const parameters = `min_rating=${from}&max_rating=${to}&_fields=id`
    const { data } = (await api.send('GET', `${COLLECTION}/records?${parameters}`)) as {
      data: { id: string }[]
    }
    return data.map(({ id }) => id)
  }
  return {
    async load(facts) {
      await batch(
        'PUT',
        facts.map((data) => ({ id: String(data.number), data })),
      )
      await analyze()
    },
    async readOne(number) {
      const { data } = (await api.send('GET', pathOf(String(number)))) as { data: { rating: number } }
      return data.rating
    },
    reading: (number) => api.reading(pathOf(String(number))),
    async writeOne(number, rating) {
      await untilNoConflict(() => api.send('PATCH', pathOf(String(number)), { data: { rating } }))
    },
    async find(condition) {
      return (await findIds(condition)).length
    },
    async bulkChange(condition, rating) {
      const found = await findIds(condition)
      await batch(
        'PATCH',
        found.map((id) => ({ id, data: { rating } })),
      )
      return found.length
    },
  }
}
