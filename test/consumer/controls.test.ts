/** What tests control in a mock: faults, the journal, snapshots and stores; by HTTP, and by `startMock`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { recordsOf } from '../../command/archive/store-records.ts'
import { PASSWORD } from '../../mock/data.ts'
import { startMock, type Mock } from '../../mock/start.ts'
import { createClient } from '../../packages/client/index.ts'
import { copyOf } from '../../src/copy/copy-file.ts'
import { readOperations } from '../../src/http/contract/validation.ts'
import { exampleRequests, type ExampleRequest } from '../examples/requests.ts'
import { send, type Answer, type Options } from '../support/service.ts'

const RATING = '/about/book:Dune/alice/books/rating'
const operations = await readOperations()
const printed: string[] = []
const print = (line: string): void => void printed.push(line)

let mock: Mock
const ask = (method: string, path: string, options: Options = {}): Promise<Answer> =>
  send(mock.url, method, path, { as: 'alice', password: PASSWORD, ...options })
const rate = (primitive: string, store?: string): Promise<Answer> =>
  ask('PUT', RATING, { primitive, ...(store !== undefined && { headers: { 'x-mock-store': store } }) })
const rating = async (store?: string): Promise<string> =>
  (await ask('GET', RATING, { query: store === undefined ? {} : { __store: store } })).body.toString()

describe.each([true, false])('what is preferred of a mock with stateful: %s', (stateful) => {
  beforeAll(async () => {
    mock = await startMock({ stateful })
  })
  afterAll(() => mock.close())

  test('waits as long as is preferred', async () => {
    const start = performance.now()
    expect((await ask('GET', RATING, { headers: { prefer: 'delay=400' } })).status).toBe(200)
    expect((await ask('GET', RATING, { query: { __delay: '400' } })).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThanOrEqual(795)
  })

  test.each([
    ['delay', 'soon', /number of milliseconds up to 60000/],
    ['delay', '60001', /number of milliseconds up to 60000/],
    ['cut', 'here', /there are headers, body/],
  ])('says what may be instead of %s=%s', async (name, value, message) => {
    const answer = await ask('GET', RATING, { headers: { prefer: `${name}=${value}` } })
    expect([answer.status, answer.error]).toEqual([400, 'TBadRequest'])
    expect(answer.headers['x-service-message']).toMatch(message)
  })

  test.each(
    operations
      .filter(({ method }) => method !== 'head')
      .map((operation) => [operation.operationId, operation] as const),
  )('gives each status of %s', async (_, operation) => {
    const [{ path, query, body }] = exampleRequests(operation) as [ExampleRequest]
    const octets = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body.example)) }
    const codes = Object.keys(operation.responses)
    const given: string[] = []
    for (const code of codes) {
      const headers = { prefer: `code=${code}`, ...(body && { 'content-type': body.mediaType }) }
      const method = operation.method.toUpperCase()
      given.push(String((await ask(method, path, { as: 'service', query, headers, ...octets })).status))
    }
    expect(given).toEqual(codes)
  })

  test('answers at the root, so that what waits for it ends', async () => {
    expect((await fetch(mock.url)).status).toBe(200)
    expect((await fetch(mock.url, { method: 'HEAD' })).status).toBe(200)
  })

  test.each([
    [{ speed: 1 }, /there is no fault 'speed'; there are delay, failRate, code, cut, times/],
    [{ delay: 60_001 }, /'delay' is a whole number up to 60000/],
    [{ failRate: 2 }, /'failRate' is a number from 0 to 1/],
    [{ cut: 'all' }, /'cut' is one of headers, body/],
    [{ toString: 1 }, /there is no fault 'toString'/],
    [[], /an object of JSON/],
  ])('refuses the faults %j', async (faults, message) => {
    await expect(mock.faults(faults as never)).rejects.toThrow(message)
  })

  test('gives a class of error, and changes nothing', async () => {
    const { status, error } = await ask('PUT', RATING, {
      primitive: '1',
      headers: { prefer: 'example=TNonexistentTag' },
    })
    expect([status, error]).toEqual([404, 'TNonexistentTag'])
    expect(await rating()).toBe('9')
  })
})

describe.each([true, false])('a mock with stateful: %s', (stateful) => {
  beforeAll(async () => {
    mock = await startMock({ stateful, print })
  })
  afterAll(() => mock.close())
  afterEach(() => mock.reset())

  const statuses = async (count: number): Promise<number[]> => {
    const all: number[] = []
    for (let i = 0; i < count; i++) all.push((await ask('GET', RATING)).status)
    return all
  }

  test('fails as often as it is told, with the status that it is told', async () => {
    await mock.faults({ code: 429, times: 2 })
    expect(await statuses(4)).toEqual([429, 429, 200, 200])
    await mock.faults({ code: 500 })
    expect(await statuses(2)).toEqual([500, 500])
    await mock.faults({})
    expect(await statuses(1)).toEqual([200])
  })

  test('fails at a rate, with 503 and Retry-After, and each time for the same requests', async () => {
    await mock.faults({ failRate: 0.3 })
    const first = await statuses(40)
    await mock.faults({ failRate: 0.3 })
    expect(await statuses(40)).toEqual(first)
    const failed = first.filter((status) => status === 503).length
    expect(failed).toBeGreaterThan(4)
    expect(failed).toBeLessThan(20)
    await mock.faults({ times: 1 })
    expect(Number((await ask('GET', RATING)).headers['retry-after'])).toBeGreaterThan(0)
  })

  test('delays each request, unless a request prefers otherwise', async () => {
    await mock.faults({ delay: 60_000 })
    expect((await ask('GET', RATING, { headers: { prefer: 'delay=0' } })).status).toBe(200)
    const gone = fetch(mock.url + RATING, { signal: AbortSignal.timeout(300) })
    await expect(gone).rejects.toThrow('timeout')
    const [, left] = await mock.requests()
    expect(left).not.toHaveProperty('status')
  })

  test('cuts connections before the headers, where nothing has happened', async () => {
    await mock.faults({ cut: 'headers', times: 1 })
    await expect(rate('3')).rejects.toThrow()
    expect(await rating()).toBe('9')
    await expect(ask('GET', RATING, { headers: { prefer: 'cut=headers' } })).rejects.toThrow()
  })

  test('cuts connections in the body', async () => {
    const cut = await fetch(`${mock.url}/about/book:Dune`, { headers: { prefer: 'cut=body' } })
    expect(cut.status).toBe(200)
    await expect(cut.text()).rejects.toThrow('terminated')
    const large = await fetch(`${mock.url}/openapi.json?__cut=body`)
    await expect(large.text()).rejects.toThrow('terminated')
  })

  test('keeps a journal', async () => {
    await rate('8')
    await ask('GET', '/objects', { query: { query: 'alice/books/rating > 6' } })
    await ask('GET', '/nowhere')
    const [put, get, lost] = await mock.requests()
    expect(put).toMatchObject({
      method: 'PUT',
      path: RATING,
      user: 'alice',
      body: '8',
      bodyBytes: 1,
      operationId: 'putValueByAbout',
      status: 204,
      ms: expect.any(Number),
    })
    expect(put?.headers).not.toHaveProperty('authorization')
    const query = { query: ['alice/books/rating > 6'] }
    expect(get).toMatchObject({ path: '/objects', query, operationId: 'findObjects', status: 200 })
    expect(lost).toMatchObject({ status: 404, errorClass: 'NoSuchResource' })
    expect((await ask('DELETE', '/__requests')).status).toBe(204)
    expect(await mock.requests()).toEqual([])
  })

  test('keeps the latest thousand requests, and only small bodies of text', async () => {
    const headers = { 'content-type': 'text/plain' }
    for (const body of [Buffer.alloc(70_000, 'a'), Buffer.from([0xff])]) {
      await ask('PUT', RATING, { body, headers })
    }
    const [large, binary] = await mock.requests()
    expect([large?.bodyBytes, large?.body, binary?.bodyBytes, binary?.body]).toEqual([
      70_000,
      undefined,
      1,
      undefined,
    ])
    await mock.faults({ code: 401 })
    for (let i = 0; i < 1000; i++) await ask('GET', `/users/alice?n=${String(i)}`)
    const requests = await mock.requests()
    expect([requests.length, requests[0]?.query]).toEqual([1000, { n: ['0'] }])
  })

  test('gives each store faults and a journal of its own', async () => {
    const other = mock.store('other')
    await other.faults({ code: 503 })
    expect(await statuses(1)).toEqual([200])
    expect((await rate('7', 'other')).status).toBe(503)
    expect((await mock.requests()).map(({ method }) => method)).toEqual(['GET'])
    expect((await other.requests()).map(({ method }) => method)).toEqual(['PUT'])
    await other.reset()
    expect((await rate('7', 'other')).status).toBe(204)
  })

  test('is controlled by pages of other origins, with nothing but the methods that there are', async () => {
    const origin = 'https://app.example.org'
    const headers = { origin, 'access-control-request-method': 'PUT' }
    const asked = await ask('OPTIONS', '/__faults', { headers })
    expect([asked.status, asked.headers['access-control-allow-methods']]).toEqual([204, 'OPTIONS, GET, PUT'])
    const got = await ask('GET', '/__faults', { headers: { origin } })
    expect([got.json(), got.headers['access-control-allow-origin']]).toEqual([{}, '*'])
    expect((await ask('POST', '/__faults')).error).toBe('UnsupportedMethod')
    expect((await ask('GET', RATING, { query: { __store: 'a/b' } })).error).toBe('TBadRequest')
  })
})

describe('the data of a stateful mock', () => {
  beforeAll(async () => {
    mock = await startMock({ stateful: true, faults: { delay: 1 }, settings: { PORT: '9' }, print })
  })
  afterAll(() => mock.close())

  test('says which settings it ignores', () => {
    expect(printed).toContain('The mock ignores PORT.')
  })

  test('is saved and restored by name, and restoring ends faults', async () => {
    await rate('5')
    await mock.snapshot('five')
    await rate('4')
    await mock.faults({ code: 503 })
    await mock.restore('five')
    expect(await rating()).toBe('5')
    expect((await ask('GET', '/__faults')).json()).toEqual({ delay: 1 })
    await mock.reset()
    expect(await rating()).toBe('9')
    await mock.store('another').restore('five')
    expect([await rating('another'), await rating()]).toEqual(['5', '9'])
    await expect(mock.restore('six')).rejects.toThrow("there is no snapshot 'six'")
    await expect(mock.snapshot('../x')).rejects.toThrow(/name of a snapshot/)
    const slashed = await ask('PUT', '/__snapshots/a/b')
    expect(slashed.headers['x-service-message']).toMatch(/name of a snapshot/)
    expect(await rating()).toBe('9')
  })

  test('is separate in each store, and the store unused for the longest time ends', async () => {
    const names = Array.from({ length: 17 }, (_, i) => `w${String(i)}`)
    for (const name of names) await rate(String(name.length), name)
    await rate('1')
    expect([await rating('w1'), await rating('w16'), await rating()]).toEqual(['2', '3', '1'])
    expect(printed.filter((line) => line.startsWith('The store'))).toContain(
      "The store 'w0' ends: there are more than 16.",
    )
    expect(await rating('w0')).toBe('9')
  })
})

describe('data of one’s own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-data-'))
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  test('is what an archive holds', async () => {
    const first = await startMock({ stateful: true })
    const json = { username: 'dinah', password: 'a cat of few words' }
    await send(first.url, 'POST', '/users', { as: 'service', password: PASSWORD, json })
    await send(first.url, 'DELETE', RATING, { as: 'alice', password: PASSWORD })
    const client = createClient(first.url, { username: 'service', password: PASSWORD })
    const anonymous = createClient(first.url)
    const records = recordsOf({ client, anonymous, url: first.url, user: 'service' })
    const data = join(folder, 'archive.ndjson')
    writeFileSync(data, (await Array.fromAsync(copyOf(records))).join(''))
    await first.close()
    mock = await startMock({ stateful: true, data })
    expect((await ask('GET', RATING)).error).toBe('TNoInstanceOnObject')
    expect((await ask('GET', '/users/dinah', { as: 'dinah' })).status).toBe(200)
    await mock.close()
  })

  test('is refused where it is none', async () => {
    const data = join(folder, 'none')
    writeFileSync(data, 'nothing')
    await expect(startMock({ stateful: true, data })).rejects.toThrow()
    await expect(startMock({ data })).rejects.toThrow('only a stateful mock takes data')
    await expect(startMock({ faults: { delay: -1 } })).rejects.toThrow()
  })
})
