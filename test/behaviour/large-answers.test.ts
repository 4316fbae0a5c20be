/** Answers too large for memory arrive whole, even at a slow reader, and stop when the client goes away. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newObjectId } from '../../src/data/database/ids/ids.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { sql } from '../../src/data/database/connection/sql.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

const OBJECTS = 8_000
const TEXT = 'größer als man denkt \u2028 '.repeat(18)
const QUERY = { query: 'has alice/large', tag: ['alice/large', 'alice/more', 'alice/missing'] }

let service: Service
beforeAll(async () => {
  service = await startService()
  const one = (): unknown => [`service/id = "${newObjectId()}"`, { 'alice/missing': { value: null } }]
  const all = ['has alice/missing', { 'alice/large': { value: TEXT }, 'alice/more': { value: TEXT } }]
  const queries = [...Array.from({ length: OBJECTS }, one), all]
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
})
afterAll(() => service.stop())

interface Results {
  readonly results: { readonly id: Readonly<Record<string, Readonly<Record<string, { value: unknown }>>>> }
}

function check(text: string): void {
  const objects = Object.values((JSON.parse(text) as Results).results.id)
  expect(objects).toHaveLength(OBJECTS)
  expect(objects.every((tags) => tags['alice/large']?.value === TEXT)).toBe(true)
  expect(objects.every((tags) => tags['alice/missing']?.value === null)).toBe(true)
}

test('the answer of GET /values is as long as its Content-Length', async () => {
  const answer = await service.ok('GET', '/values', { as: 'alice', query: QUERY })
  expect(answer.body.length).toBeGreaterThan(2 * 4 * 1024 * 1024)
  expect(answer.headers['content-length']).toBe(String(answer.body.length))
  check(answer.body.toString())
})

test('HEAD sends the same Content-Length and no body', async () => {
  const [head, get] = [
    await service.ok('HEAD', '/values', { as: 'alice', query: QUERY }),
    await service.ok('GET', '/values', { as: 'alice', query: QUERY }),
  ]
  expect(head.body).toHaveLength(0)
  expect(head.headers['content-length']).toBe(get.headers['content-length'])
})

test('JSONP is sent in chunks, with line separators escaped', async () => {
  const query = 'query=has+alice/large&tag=alice/large&tag=alice/more&tag=alice/missing&callback=take'
  const answer = await fetch(`${service.url}/values?${query}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(answer.headers.get('transfer-encoding')).toBe('chunked')
  const text = await answer.text()
  expect(text).not.toContain('\u2028')
  check(/^\/\*\*\/take\(([^]*)\)$/.exec(text)?.[1] ?? '')
})

/** Starts reading the answer, then stops and leaves the rest unread. */
async function startReading(): Promise<ReturnType<typeof connect>> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    'GET /values?query=has+alice/large&tag=alice/large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  await once(socket, 'readable')
  return socket
}

test('a stalled reader blocks nobody and gets the whole answer in the end', async () => {
  const slow = await Promise.all(Array.from({ length: 6 }, startReading))
  await service.ok('GET', '/values', { as: 'alice', query: QUERY })
  await service.ok('PUT', `/objects/${newObjectId()}/alice/other`, { as: 'alice', primitive: '1' })
  for (const socket of slow) {
    const pieces: Buffer[] = []
    for await (const piece of socket) pieces.push(piece as Buffer)
    const text = Buffer.concat(pieces).toString()
    const { results } = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Results
    expect(Object.keys(results.id)).toHaveLength(OBJECTS)
  }
})

test('clients who disconnect in mid-answer leave the service intact', async () => {
  for (let i = 0; i < 6; i++) (await startReading()).destroy()
  const answer = await service.ok('GET', '/values', { as: 'alice', query: QUERY })
  check(answer.body.toString())
})

test('work stops before the next statement once the client is gone', async () => {
  const controller = new AbortController()
  const seen: number[] = []
  const work = service.store.scan(SERVICE, controller.signal, async (tx) => {
    for (let i = 0; i < 3; i++) {
      await tx.all(sql`SELECT id FROM users`)
      seen.push(i)
      if (i === 1) controller.abort()
    }
  })
  await expect(work).rejects.toMatchObject({ name: 'AbortError' })
  expect(seen).toEqual([0, 1])
})

test('a bulk write is rolled back once the client is gone', async () => {
  const controller = new AbortController()
  const object = newObjectId()
  const work = service.store.write(
    SERVICE,
    async (tx) => {
      await tx.run(sql`UPDATE users SET role = ${'user'} WHERE username = ${'service'}`)
      controller.abort()
      await tx.all(sql`SELECT id FROM users`)
    },
    controller.signal,
  )
  await expect(work).rejects.toMatchObject({ name: 'AbortError' })
  await service.ok('POST', '/users', { as: 'service', json: { username: `x${object}`, password: PASSWORD } })
})
