/**
 * Writers that contend for the same rows. TiDB rejects some transactions with errors of its own, and the service retries
 * them.
 */
import { createConnection } from 'mysql2/promise'
import { listening, runProcess } from '../../test/support/process.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'

const WRITERS = 24
const SECONDS = 20
const PASSWORD = 'writers who want the same'

interface Write {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body: unknown
}

/** The write of a turn: of one value, one description, values that a query finds, or a new tag in one namespace. */
function writeOf(writer: number, turn: number): Write {
  const name = `tag-${String(writer)}-${String(turn)}`
  const kinds: readonly Write[] = [
    { method: 'PUT', path: '/about/one/service/n', type: PRIMITIVE_MEDIA_TYPE, body: turn },
    { method: 'PUT', path: '/tags/service/n', body: { description: name } },
    {
      method: 'PUT',
      path: '/values',
      body: { queries: [['service/about = "one"', { 'service/n': { value: turn } }]] },
    },
    { method: 'POST', path: '/tags/service/crowd', body: { name, description: '', indexed: true } },
  ]
  return kinds[(writer + turn) % kinds.length] as Write
}

/** Runs 24 writers for 20 s on a server; returns the number of writes by kind and status. */
export async function contend(server: string): Promise<ReadonlyMap<string, number>> {
  const connection = await createConnection(server)
  await connection.query('CREATE DATABASE contention')
  await connection.end()
  const databaseUrl = new URL('/contention', server).href
  const service = runProcess({ DATABASE_URL: databaseUrl, ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'error' })
  try {
    const url = `http://127.0.0.1:${String(await listening(service))}`
    const counts = new Map<string, number>()
    const send = async ({ method, path, type = 'application/json', body }: Write): Promise<void> => {
      const headers = { authorization: `Basic ${btoa(`service:${PASSWORD}`)}`, 'content-type': type }
      const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
      await answer.arrayBuffer()
      const what = `${method} ${path}: ${String(answer.status)}`
      counts.set(what, (counts.get(what) ?? 0) + 1)
    }
    // The objects of each kind of write must exist first.
    for (let writer = 0; writer < 4; writer++) await send(writeOf(writer, 0))
    const end = performance.now() + SECONDS * 1000
    const write = async (writer: number): Promise<void> => {
      for (let turn = 1; performance.now() < end; turn++) await send(writeOf(writer, turn))
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    return counts
  } finally {
    service.process.kill('SIGTERM')
    await service.end
  }
}
