/** PocketBase, a backend in one program written in Go, with its records in SQLite. */
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/ports.ts'
import { JsonApi, portions } from './json-api.ts'
import { makeFolder, run, start } from './program.ts'
import type { Condition, OtherService, RunningService } from './service.ts'

const VERSION = '0.40.4'
const MODULE = 'github.com/pocketbase/pocketbase'
/** PocketBase needs this Go. An older `go` command downloads it from the module proxy. */
const TOOLCHAIN = 'go1.27.3'
const BATCH_REQUESTS = 1_000
/** PocketBase returns at most this many records at once. */
const PAGE = 1_000
const RECORDS = '/api/collections/facts/records'

const SIGNED_IN = '@request.auth.id != ""'

const COLLECTION = {
  name: 'facts',
  type: 'base',
  fields: [
    { name: 'number', type: 'number' },
    { name: 'rating', type: 'number' },
    { name: 'title', type: 'text' },
    { name: 'topics', type: 'json' },
  ],
  indexes: ['CREATE INDEX facts_by_rating ON facts (rating)'],
  listRule: SIGNED_IN,
  viewRule: SIGNED_IN,
  createRule: SIGNED_IN,
  updateRule: SIGNED_IN,
}

/** Batches, which are off by default, and a log of errors only. */
const SETTINGS = {
  batch: { enabled: true, maxRequests: BATCH_REQUESTS, timeout: 60 },
  logs: { maxDays: 1, minLevel: 8 },
}

const programIn = (folder: string): string => join(folder, 'pocketbase', `pocketbase-${VERSION}`)

export const pocketbase: OtherService = {
  name: 'PocketBase on SQLite',
  version: () => `PocketBase ${VERSION}`,

  async install(folder) {
    const program = programIn(folder)
    if (existsSync(program)) return
    const sources = join(folder, 'pocketbase', 'sources')
    mkdirSync(sources, { recursive: true })
    copyFileSync(join(import.meta.dirname, 'durable-pocketbase.go'), join(sources, 'main.go'))
    writeFileSync(join(sources, 'go.mod'), `module measured\n\nrequire ${MODULE} v${VERSION}\n`)
    const unfinished = join(sources, 'unfinished')
    const how = { cwd: sources, env: { CGO_ENABLED: '0', GOTOOLCHAIN: TOOLCHAIN } }
    await run('go', ['build', '-mod=mod', '-buildvcs=false', '-o', unfinished, '.'], how)
    renameSync(unfinished, program)
  },

  async start(folder) {
    await using starting = new AsyncDisposableStack()
    const data = makeFolder(join(folder, 'pocketbase-data-'), starting)
    const [port, password] = [await freePort(), randomBytes(12).toString('hex')]
    const admin = { identity: 'admin@example.com', password: randomBytes(12).toString('hex') }
    const program = programIn(folder)
    const place = ['--dir', join(data, 'records')]
    await run(program, ['superuser', 'upsert', admin.identity, admin.password, ...place])
    const address = `127.0.0.1:${port}`
    const service = start(program, ['serve', '--http', address, ...place], join(data, 'log'), { cwd: data })
    starting.defer(() => service.stop('SIGKILL'))
    const anonymous = new JsonApi(port, {})
    await service.until(() => anonymous.answers('/api/health'))
    const administration = await signedIn(port, anonymous, '_superusers', admin)
    await administration.send('PATCH', '/api/settings', SETTINGS)
    await administration.send('POST', '/api/collections', COLLECTION)
    const user = { email: 'alice@example.com', password, passwordConfirm: password }
    await administration.send('POST', '/api/collections/users/records', user)
    const api = await signedIn(port, anonymous, 'users', { identity: user.email, password })
    for (const each of [anonymous, administration]) each.close()
    starting.defer(() => api.close())
    const life = starting.move()
    return {
      ...operations(api),
      pids: { service: [service.pid], database: [] },
      stop: () => life.disposeAsync(),
    }
  },
}

/** The API with the token of a user. */
async function signedIn(
  port: number,
  anonymous: JsonApi,
  users: string,
  credentials: { readonly identity: string; readonly password: string },
): Promise<JsonApi> {
  const path = `/api/collections/${users}/auth-with-password`
  const { token } = (await anonymous.send('POST', path, credentials)) as { token: string }
  return new JsonApi(port, { Authorization: token })
}

/** Ids have 15 characters. */
const idOf = (number: number): string => `fact${String(number).padStart(11, '0')}`
const pathOf = (id: string): string => `${RECORDS}/${id}`

function operations(api: JsonApi): Omit<RunningService, 'pids' | 'stop'> {
  /** Each batch is one transaction. */
  const batch = async (method: string, url: (id: string) => string, bodies: readonly { id: string }[]) => {
    for (const portion of portions(bodies, BATCH_REQUESTS)) {
      const requests = portion.map((body) => ({ method, url: url(body.id), body }))
      const answers = (await api.send('POST', '/api/batch', { requests })) as { status: number }[]
      if (!answers.every(({ status }) => status < 300)) throw new Error('a record was not stored')
    }
  }
  const findIds = async ({ from, to }: Condition): Promise<string[]> => {
    const filter = `rating >= ${from} && rating <= ${to}`
    const ids: string[] = []
    for (let page = 1; ids.length === (page - 1) * PAGE; page++) {
      const asked = { filter, fields: 'id', perPage: String(PAGE), page: String(page), skipTotal: 'true' }
      const found = await api.send('GET', `${RECORDS}?${new URLSearchParams(asked).toString()}`)
      ids.push(...(found as { items: { id: string }[] }).items.map(({ id }) => id))
    }
    return ids
  }
  return {
    load: (facts) =>
      batch(
        'POST',
        () => RECORDS,
        facts.map((fact) => ({ id: idOf(fact.number), ...fact })),
      ),
    async readOne(number) {
      return ((await api.send('GET', pathOf(idOf(number)))) as { rating: number }).rating
    },
    reading: (number) => api.reading(pathOf(idOf(number))),
    async writeOne(number, rating) {
      await api.send('PATCH', pathOf(idOf(number)), { rating })
    },
    async find(condition) {
      return (await findIds(condition)).length
    },
    async bulkChange(condition, rating) {
      const found = await findIds(condition)
      await batch(
        'PATCH',
        pathOf,
        found.map((id) => ({ id, rating })),
      )
      return found.length
    },
  }
}
