/** pouchdb-server, CouchDB's API on Node.js, with its records in LevelDB. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fact } from '../catalogue.ts'
import { basic } from '../http.ts'
import { freePort } from '../../test/support/ports.ts'
import { JsonApi, portions, untilNoConflict } from './json-api.ts'
import { installFromNpm, makeFolder, start } from './program.ts'
import type { Condition, OtherService, RunningService } from './service.ts'

const VERSION = '4.2.0'
const LEVELDOWN_VERSION = '5.6.0'
const BULK_DOCUMENTS = 1_000

/** A view is an index that returns ids without reading the documents; the indexes of `_find` do not. */
const DESIGN = { views: { by_rating: { map: 'function (doc) { emit(doc.rating, null) }' } } }

interface Document extends Fact {
  readonly _id: string
  readonly _rev: string
}

interface Row {
  readonly id: string
  readonly doc: Document
}

export const pouchdbServer: OtherService = {
  name: 'pouchdb-server on LevelDB',
  version: () => `pouchdb-server ${VERSION}, leveldown ${LEVELDOWN_VERSION}`,

  install: (folder) =>
    installFromNpm(join(folder, 'pouchdb-server'), {
      'pouchdb-server': VERSION,
      leveldown: LEVELDOWN_VERSION,
    }),

  async start(folder) {
    await using starting = new AsyncDisposableStack()
    const data = makeFolder(join(folder, 'pouchdb-server-data-'), starting)
    const [port, password] = [await freePort(), randomBytes(12).toString('hex')]
    const admin = { name: 'admin', password: randomBytes(12).toString('hex') }
    const config = join(data, 'config.json')
    const settings = {
      admins: { [admin.name]: admin.password },
      couch_httpd_auth: { require_valid_user: true },
      couchdb: { max_document_size: 67_108_864 },
      log: { file: join(data, 'couch.log'), level: 'error' },
    }
    writeFileSync(config, JSON.stringify(settings), { mode: 0o600 })
    const program = join(folder, 'pouchdb-server', 'node_modules', 'pouchdb-server', 'bin', 'pouchdb-server')
    const backend = ['--level-backend', join(import.meta.dirname, 'durable-leveldown.ts')]
    const place = ['--dir', join(data, 'databases'), '--config', config, '--port', String(port)]
    const args = [program, '--no-stdout-logs', ...place, ...backend]
    const service = start(process.execPath, args, join(data, 'log'), {
      cwd: data,
      env: { NODE_ENV: 'production' },
    })
    starting.defer(() => service.stop('SIGKILL'))
    const api = new JsonApi(port, basic('alice', password))
    starting.defer(() => api.close())
    const administration = new JsonApi(port, basic(admin.name, admin.password))
    await service.until(() => administration.answers('/'))
    const user = { name: 'alice', password, type: 'user', roles: [] }
    await administration.send('PUT', '/_users/org.couchdb.user:alice', user)
    await administration.send('PUT', '/facts')
    await administration.send('PUT', '/facts/_security', { members: { names: ['alice'] } })
    await administration.send('PUT', '/facts/_design/facts', DESIGN)
    administration.close()
    const life = starting.move()
    return {
      ...operations(api),
      pids: { service: [service.pid], database: [] },
      stop: () => life.disposeAsync(),
    }
  },
}

function operations(api: JsonApi): Omit<RunningService, 'pids' | 'stop'> {
  const read = async (number: number): Promise<Document> =>
    (await api.send('GET', `/facts/${number}`)) as Document

  const find = async ({ from, to }: Condition, withDocuments: boolean): Promise<Row[]> => {
    const parameters = `startkey=${from}&endkey=${to}&include_docs=${String(withDocuments)}`
    const found = await api.send('GET', `/facts/_design/facts/_view/by_rating?${parameters}`)
    return (found as { rows: Row[] }).rows
  }
  const store = async (docs: readonly object[]): Promise<void> => {
    for (const portion of portions(docs, BULK_DOCUMENTS)) {
      const answers = (await api.send('POST', '/facts/_bulk_docs', { docs: portion })) as { ok?: true }[]
      if (!answers.every(({ ok }) => ok)) throw new Error('a document was not stored')
    }
  }
  return {
    async load(facts) {
      await store(facts.map((fact) => ({ _id: String(fact.number), ...fact })))
      // The first query builds the view.
      await find({ from: 0, to: 0 }, false)
    },
    async readOne(number) {
      return (await read(number)).rating
    },
    reading: (number) => api.reading(`/facts/${number}`),
    async writeOne(number, rating) {
      await untilNoConflict(async () =>
        api.send('PUT', `/facts/${number}`, { ...(await read(number)), rating }),
      )
    },
    async find(condition) {
      return (await find(condition, false)).length
    },
    async bulkChange(condition, rating) {
      const found = await find(condition, true)
      await store(found.map(({ doc }) => ({ ...doc, rating })))
      return found.length
    },
  }
}
