/** Bodies over a raw socket: `Content-Length`, `Content-MD5` and `Content-Encoding`. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { sql } from '../../src/data/database/connection/sql.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { hashPassword } from '../../src/http/credentials/passwords.ts'
import type { Answer } from '../support/service.ts'
import { OPERATION_NAMES, sampleOf, targetOf } from '../support/samples.ts'
import {
  ask,
  basic,
  exchange,
  exchangeOne,
  open,
  rawRequest,
  useService,
  type RawAnswer,
} from './raw-requests.ts'

const setting = useService()
const VALUE = '/about/bodies/alice/books/plain'

const raw = (headers: readonly string[], body = ''): string =>
  rawRequest(
    `PUT ${VALUE}`,
    [`Authorization: ${basic('alice')}`, 'Content-Type: text/plain', ...headers],
    body,
  )

const put = (body: Buffer | string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(setting().url, 'PUT', VALUE, {
    as: 'alice',
    body,
    headers: { 'content-type': 'text/plain', ...headers },
  })

const stored = async (): Promise<string> => (await ask(setting().url, 'GET', VALUE)).body.toString('latin1')

const md5 = (text: Buffer | string): string => createHash('md5').update(text).digest('base64')

const outcome = ({ status, error }: Answer | RawAnswer): unknown[] => [status, error]

describe('Content-Length', () => {
  const chunked = ['Transfer-Encoding: chunked']

  test.each(OPERATION_NAMES)('is required: a chunked body gets 411 from %s', async (name) => {
    const sample = await sampleOf(setting().service, name)
    const headers = [
      ...chunked,
      ...(sample.as === undefined ? [] : [`Authorization: ${basic(sample.as)}`]),
      ...(sample.type === undefined ? [] : [`Content-Type: ${sample.type}`]),
    ]
    const line = `${sample.method} ${targetOf(sample)}`
    const answer = await exchangeOne(setting().url, rawRequest(line, headers, '2\r\n{}\r\n0\r\n\r\n'))
    expect(outcome(answer)).toEqual([411, 'NoContentLengthHeader'])
  })

  test.each([
    ['the same length twice', ['Content-Length: 5', 'Content-Length: 5']],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6']],
    ['a list of lengths', ['Content-Length: 5, 5']],
    ['a negative length', ['Content-Length: -5']],
    ['a length with a sign', ['Content-Length: +5']],
    ['a hexadecimal length', ['Content-Length: 0x5']],
    ['a fraction', ['Content-Length: 5.0']],
    ['a length beyond 64 bits', [`Content-Length: ${'9'.repeat(40)}`]],
    ['words', ['Content-Length: five']],
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 5']],
  ])('is refused as a mismatch: %s', async (_when, headers) => {
    const answer = await exchangeOne(setting().url, raw(headers, 'hello'))
    expect(outcome(answer)).toEqual([400, 'ContentLengthMismatch'])
    expect(answer.headers.connection).toBe('close')
  })

  test.each([
    ['an unknown transfer encoding', ['Transfer-Encoding: nonsense']],
    ['chunks in another encoding', ['Transfer-Encoding: gzip, chunked']],
    ['chunks inside another encoding', ['Transfer-Encoding: chunked, gzip']],
    ['chunks without a size', ['Transfer-Encoding: chunked']],
  ])('cannot be replaced: %s', async (_when, headers) => {
    const answer = await exchangeOne(setting().url, raw(headers, 'hello'))
    expect([400, 411]).toContain(answer.status)
    expect(['ContentLengthMismatch', 'NoContentLengthHeader', 'TBadRequest']).toContain(answer.error)
  })

  test('above the body that arrives is a mismatch', async () => {
    const { socket, closed } = open(setting().url)
    socket.end(raw(['Content-Length: 10'], 'hello'))
    const answers = await closed
    expect(answers.map(outcome)).toEqual([[400, 'ContentLengthMismatch']])
  })

  test('ends the body, and what follows is read as the next request', async () => {
    const first = raw(['Content-Length: 5'], 'hello and more').replace('Connection: close\r\n', '')
    const answers = await exchange(setting().url, first)
    expect(answers.map(outcome)).toEqual([
      [204, undefined],
      [400, 'TBadRequest'],
    ])
    expect(await stored()).toBe('hello')
  })

  test('ends the body, and a whole request that follows is answered', async () => {
    const first = raw(['Content-Length: 3'], 'abc').replace('Connection: close\r\n', '')
    const answers = await exchange(setting().url, first + rawRequest('GET /users/bob'))
    expect(answers.map(outcome)).toEqual([
      [204, undefined],
      [200, undefined],
    ])
  })

  test('holds for a body sent octet by octet', async () => {
    const { socket, closed } = open(setting().url)
    socket.setNoDelay(true)
    for (const octet of raw(['Content-Length: 4'], 'slow')) {
      await new Promise((resolve) => socket.write(octet, resolve))
    }
    expect((await closed).map(outcome)).toEqual([[204, undefined]])
    expect(await stored()).toBe('slow')
  })

  test('is answered with 100 on Expect: 100-continue', async () => {
    const { socket, closed } = open(setting().url)
    socket.write(raw(['Content-Length: 6', 'Expect: 100-continue']))
    const invitation = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
    expect(invitation.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('waited')
    expect((await closed).map(outcome)).toEqual([
      [100, undefined],
      [204, undefined],
    ])
    expect(await stored()).toBe('waited')
  })

  test('need not wait for the 100 after Expect: 100-continue', async () => {
    const answers = await exchange(setting().url, raw(['Content-Length: 5', 'Expect: 100-Continue'], 'haste'))
    expect(answers.at(-1)?.status).toBe(204)
    expect(await stored()).toBe('haste')
  })

  test('of a long body that is refused leaves the answer readable', async () => {
    const body = Buffer.alloc(4_000_000)
    for (let i = 0; i < 5; i++) {
      const headers = ['Content-Length: 4000000', 'Connection: close', 'Host: h', 'Authorization: Basic eDp5']
      const head = Buffer.from(`PUT ${VALUE} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
      const answer = await exchangeOne(setting().url, Buffer.concat([head, body]))
      expect(outcome(answer)).toEqual([401, undefined])
    }
  })
})

describe('Expect: 100-continue', () => {
  const EXPECTING = ['Content-Type: application/json', 'Content-Length: 16777217', 'Expect: 100-continue']
  const SHORT = ['Content-Type: application/json', 'Content-Length: 9', 'Expect: 100-continue']

  test.each<
    [string, status: number, errorClass: string | undefined, line: string, headers: readonly string[]]
  >([
    ['wrong credentials', 401, undefined, 'POST /objects', [...SHORT, 'Authorization: Basic eDp5']],
    ['no such path', 404, 'NoSuchResource', 'POST /nowhere', SHORT],
    ['no such method', 405, 'UnsupportedMethod', 'PATCH /values', SHORT],
    ['a second Host', 400, 'TBadRequest', 'POST /objects', [...SHORT, 'Host: gloss.example']],
    ['too long a body', 413, 'PayloadTooLarge', 'PUT /values', EXPECTING],
    [
      'a chunked body',
      411,
      'NoContentLengthHeader',
      'PUT /values',
      ['Transfer-Encoding: chunked', 'Expect: 100-continue'],
    ],
    ['no credentials', 401, 'TUnauthorized', 'POST /objects', SHORT],
    ['a body beside a payload', 400, 'UnexpectedContentLengthHeader', 'GET /objects?verb=POST', SHORT],
  ])('is refused without 100: %s', async (_when, status, errorClass, line, headers) => {
    const answers = await exchange(setting().url, rawRequest(line, headers))
    expect(answers.map(outcome)).toEqual([[status, errorClass]])
    expect(answers[0]?.headers['connection']).toBe('close')
  })

  test('is refused without 100: a password that another process has changed', async () => {
    const { service, url } = setting()
    const signedIn = await ask(url, 'GET', '/users/alice', { as: 'carol' })
    expect(signedIn.status).toBe(200)
    const passwordHash = await hashPassword('another one')
    await service.store.write(SERVICE, (tx) =>
      tx.run(sql`UPDATE users SET password_hash = ${passwordHash} WHERE username = ${'carol'}`),
    )
    const as = `Authorization: ${basic('carol')}`
    const octets = rawRequest('PUT /about/bodies/carol/x', [
      as,
      'Content-Type: text/plain',
      ...SHORT.slice(1),
    ])
    expect((await exchange(url, octets)).map(outcome)).toEqual([[401, undefined]])
  })
})

describe('Content-MD5', () => {
  const text = 'größer'

  test.each([
    ['exact', md5(text)],
    ['with spaces around it', `  ${md5(text)} `],
  ])('is accepted: %s', async (_when, checksum) => {
    expect(outcome(await put(text, { 'content-md5': checksum }))).toEqual([204, undefined])
  })

  test.each([
    ['of another text', md5('other')],
    ['of nothing', md5('')],
    ['without padding', md5(text).replace(/=+$/, '')],
    ['in hexadecimal digits', createHash('md5').update(text).digest('hex')],
    ['in lower case', md5(text).toLowerCase()],
    ['of the text in another encoding', md5(Buffer.from(text, 'latin1'))],
    ['of SHA-1', createHash('sha1').update(text).digest('base64')],
    ['not a checksum', 'nonsense'],
    ['empty', ''],
    ['twice', `${md5(text)}, ${md5(text)}`],
  ])('is refused: %s', async (_when, checksum) => {
    expect(outcome(await put(text, { 'content-md5': checksum }))).toEqual([412, 'ContentChecksumMismatch'])
  })

  test('is that of a base64 body as it was sent', async () => {
    const sent = Buffer.from(text).toString('base64')
    const encoding = { 'content-encoding': 'base64' }
    expect(outcome(await put(sent, { ...encoding, 'content-md5': md5(text) }))).toEqual([
      412,
      'ContentChecksumMismatch',
    ])
    expect(outcome(await put(sent, { ...encoding, 'content-md5': md5(sent) }))).toEqual([204, undefined])
    expect(await stored()).toBe(Buffer.from(text).toString('latin1'))
  })

  test('is checked even without a body', async () => {
    const get = (checksum: string): Promise<Answer> =>
      ask(setting().url, 'GET', '/users/alice', { headers: { 'content-md5': checksum } })
    expect(outcome(await get(md5('')))).toEqual([200, undefined])
    expect(outcome(await get(md5('x')))).toEqual([412, 'ContentChecksumMismatch'])
  })
})

describe('Content-Encoding', () => {
  const octets = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
  const base64 = octets.toString('base64')

  test.each([
    ['identity', octets],
    ['Identity', octets],
    ['base64', base64],
    [' BASE64 ', base64],
    ['base64', base64.replace(/.{76}/g, '$&\r\n')],
    ['base64', `${base64}\n`],
  ])('is decoded: %s', async (encoding, body) => {
    expect(outcome(await put(body, { 'content-encoding': encoding }))).toEqual([204, undefined])
    expect(await stored()).toBe(octets.toString('latin1'))
  })

  const long = Buffer.alloc(700_001, octets)
  const longBase64 = long.toString('base64')

  test.each([
    ['in one line', longBase64],
    ['in lines', longBase64.replace(/.{73}/g, '$&\r\n')],
  ])('long base64 is decoded, %s', async (_how, body) => {
    expect(outcome(await put(body, { 'content-encoding': 'base64' }))).toEqual([204, undefined])
    expect(await stored()).toBe(long.toString('latin1'))
  })

  test.each([
    ['padding within', `${longBase64.slice(0, 262_140)}NQ==${longBase64.slice(262_144)}`],
    ['no end', longBase64.slice(0, -1)],
    ['a wrong character', `${longBase64.slice(0, 500_000)}-${longBase64.slice(500_001)}`],
  ])('long base64 is refused with %s', async (_what, body) => {
    expect(outcome(await put(body, { 'content-encoding': 'base64' }))).toEqual([400, 'MalformedPayload'])
  })

  test('base64 of an empty body is an empty body', async () => {
    expect(outcome(await put('', { 'content-encoding': 'base64' }))).toEqual([204, undefined])
    expect(await stored()).toBe('')
  })

  test.each([
    'gzip',
    'deflate',
    'br',
    'base64, gzip',
    'base64, base64',
    'x-nonsense',
    'base-64',
    'identity;q=1',
  ])('is refused as unknown: %s', async (encoding) => {
    expect(outcome(await put(base64, { 'content-encoding': encoding }))).toEqual([
      400,
      'UnknownContentEncoding',
    ])
  })

  test.each([
    'NQ',
    'NQ=',
    'N',
    'NQ===',
    '====',
    'N Q==',
    'NR==',
    'a-_b',
    'NQ==NQ==',
    'ä',
    '5',
    '{}',
    'NQ==\0',
  ])('base64 is refused for the malformed body %j', async (body) => {
    const answer = await put(body, { 'content-encoding': 'base64' })
    expect(outcome(answer)).toEqual([400, 'MalformedPayload'])
    expect(answer.headers['x-service-message']).toMatch(/base64/)
  })

  test('base64 is decoded for JSON and primitive values', async () => {
    const send = (method: string, target: string, type: string, text: string): Promise<Answer> =>
      ask(setting().url, method, target, {
        as: 'alice',
        body: Buffer.from(text).toString('base64'),
        headers: { 'content-type': type, 'content-encoding': 'base64' },
      })
    const description = '{"description":"größer"}'
    expect((await send('PUT', '/namespaces/alice/books', 'application/json', description)).status).toBe(204)
    const read = await ask(setting().url, 'GET', '/namespaces/alice/books?returnDescription=1')
    expect(read.json()).toMatchObject({ description: 'größer' })
    expect((await send('PUT', VALUE, PRIMITIVE_MEDIA_TYPE, '"größer"')).status).toBe(204)
    expect((await ask(setting().url, 'GET', VALUE)).json()).toBe('größer')
  })

  test('gzip is refused, and nothing is stored', async () => {
    await put('before')
    expect(
      (
        await put(Buffer.from('H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==', 'base64'), {
          'content-encoding': 'gzip',
        })
      ).status,
    ).toBe(400)
    expect(await stored()).toBe('before')
  })
})

test('very many faults are refused like one', async () => {
  const entries = Array.from({ length: 80_000 }, (_, i) => `"alice/t${i}":{"a":1}`).join(',')
  const body = `{"queries":[["has alice/books/plain",{${entries}}]]}`
  const answer = await ask(setting().url, 'PUT', '/values', {
    as: 'alice',
    body,
    headers: { 'content-type': 'application/json' },
  })
  expect(outcome(answer)).toEqual([400, 'PayloadFieldMissing'])
})

test('a text of very many different words is taken, and its last word is found', async () => {
  const words = Array.from({ length: 150_000 }, (_, i) => `w${i}`).join(' ')
  const path = '/about/many-words/alice/books/words'
  const headers = { 'content-type': 'application/vnd.service.value+json' }
  const answer = await ask(setting().url, 'PUT', path, { as: 'alice', body: JSON.stringify(words), headers })
  expect(outcome(answer)).toEqual([204, undefined])
  const query = encodeURIComponent('alice/books/words matches "w149998 w149999"')
  const { body } = await ask(setting().url, 'GET', `/objects?query=${query}`)
  expect((JSON.parse(body.toString()) as { ids: string[] }).ids).toHaveLength(1)
})
