/** Tag values: a value of any type reads back exactly as it was written. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { request, ok, put, find, get, about } = useService()
const PRIMITIVE = 'application/vnd.service.value+json'
const THING = '0197a3c0-5a5a-7000-8000-0000000000aa'

describe('primitive values', () => {
  test.each([
    ['null', 'null'],
    ['boolean', 'true'],
    ['boolean', 'false'],
    ['int', '5'],
    ['int', '0'],
    ['int', '-7'],
    ['int', '9007199254740993'],
    ['int', '9223372036854775807'],
    ['int', '-9223372036854775808'],
    ['float', '5.0'],
    ['float', '0.1'],
    ['float', '-0.0'],
    ['float', '1E2'],
    ['float', '1e-7'],
    ['float', '123456789012345680.0'],
    ['float', '9007199254740993.0'],
    ['float', '1e21'],
    ['float', '5e-324'],
    ['float', '1.7976931348623157e308'],
  ])('a %s: %s', async (type, text) => {
    await put(`/objects/${THING}/alice/number`, text)
    const { headers, body } = await ok('GET', `/objects/${THING}/alice/number`)
    expect([headers['content-type'], headers['x-service-type']]).toEqual([PRIMITIVE, type])
    if (type === 'float') {
      expect(Number(body.toString())).toBe(Number(text))
      expect(body.toString()).toMatch(/[.eE]/)
    } else {
      expect(body.toString()).toBe(text)
    }
  })

  test.each([
    ['', '""'],
    ['text', '"text"'],
    ['"\\/\b\f\n\r\t', '"\\"\\\\\\/\\b\\f\\n\\r\\t"'],
    ['Aé', '"\\u0041\\u00e9"'],
    ['𝔘😀', '"𝔘\\ud83d\\ude00"'],
    ['\u0000\u0001\u001f\u007f', '"\\u0000\\u0001\\u001f\u007f"'],
    ['á á', '"á á"'],
    ['\u2028\u2029\ufeff\ufffd\uffff', '"\\u2028\u2029\\ufeff\ufffd\\uffff"'],
    [' spaces at the end  ', ' " spaces at the end  " '],
    ['[1]', '"[1]"'],
    ['x'.repeat(600), JSON.stringify('x'.repeat(600))],
    ['ü😀'.repeat(300_000), JSON.stringify('ü😀'.repeat(300_000))],
  ])('a string: %j', async (value, text) => {
    await put(`/objects/${THING}/alice/text`, text)
    const { headers, body } = await ok('GET', `/objects/${THING}/alice/text`)
    expect(headers['x-service-type']).toBe('string')
    expect(JSON.parse(body.toString()) === value).toBe(true)
  })

  test.each([
    [[]],
    [['']],
    [['b', 'a', 'b', 'a ']],
    [['\u0000', '"', '😀', 'á', 'á']],
    [['null', 'true', '5']],
    [Array.from({ length: 2000 }, (_, i) => `item ${String(i % 7)}`)],
  ])('a list of strings: %j', async (list) => {
    await put(`/objects/${THING}/alice/list`, JSON.stringify(list))
    const { headers, body } = await ok('GET', `/objects/${THING}/alice/list`)
    expect(headers['x-service-type']).toBe('list-of-strings')
    expect(JSON.parse(body.toString())).toEqual(list)
  })

  test('int and float stay distinct in /values, too', async () => {
    const values = { int: '9007199254740993', float: '5.0', least: '-9223372036854775808', power: '1E2' }
    const entries = Object.entries(values).map(([name, text]) => `"alice/n/${name}":{"value":${text}}`)
    await ok('PUT', '/values', {
      as: 'alice',
      body: `{"queries":[["service/about = \\"numbers\\"",{${entries.join(',')}}]]}`,
      headers: { 'content-type': 'application/json' },
    })
    const tag = Object.keys(values).map((name) => `alice/n/${name}`)
    const answer = await ok('GET', '/values', { query: { query: 'service/about = "numbers"', tag } })
    const text = answer.body.toString()
    expect(text).toContain('"alice/n/int":{"value":9007199254740993,')
    expect(text).toContain('"alice/n/least":{"value":-9223372036854775808,')
    expect(text).toMatch(/"alice\/n\/float":\{"value":5\.0,/)
    expect(text).toMatch(/"alice\/n\/power":\{"value":(100\.0|1[eE]\+?2),/)
    expect((await ok('GET', '/about/numbers/alice/n/float')).headers['x-service-type']).toBe('float')
    expect((await ok('GET', '/about/numbers/alice/n/int')).headers['x-service-type']).toBe('int')
  })

  test('a value is primitive whatever follows its media type after a semicolon', async () => {
    for (const contentType of [`${PRIMITIVE}; charset=utf-8`, `${PRIMITIVE};x`, `${PRIMITIVE} ; a=b`]) {
      await ok('PUT', '/about/types/alice/type', {
        as: 'alice',
        body: '5',
        headers: { 'content-type': contentType },
      })
      const { headers } = await ok('GET', '/about/types/alice/type')
      expect([headers['content-type'], headers['x-service-type']]).toEqual([PRIMITIVE, 'int'])
    }
  })

  test('a write may change the type, and only the new value is found', async () => {
    const id = await about('changeable')
    const path = '/about/changeable/alice/kind'
    await put(path, '"five words in a row"')
    expect(await find('alice/kind matches "words in"')).toEqual([id])
    await put(path, '["five", "words"]')
    expect(await find('alice/kind contains "five"')).toEqual([id])
    expect(await find('alice/kind matches "words in"')).toEqual([])
    await put(path, '5')
    expect(await find('alice/kind contains "five" or alice/kind matches "five"')).toEqual([])
    expect(await find('alice/kind = 5.0')).toEqual([id])
    await ok('PUT', path, { as: 'alice', body: '5', headers: { 'content-type': 'text/plain' } })
    expect(await find('alice/kind = 5')).toEqual([])
    expect(await find('has alice/kind')).toEqual([id])
    const { headers } = await ok('GET', path)
    expect([headers['content-type'], headers['x-service-type']]).toEqual(['text/plain', undefined])
    await put(path, 'null')
    expect(await find('alice/kind = null')).toEqual([id])
    expect((await ok('GET', path)).headers['x-service-type']).toBe('null')
  })
})

describe('opaque values', () => {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, i) => i))

  test.each([
    ['every byte', everyByte],
    ['no byte', Buffer.alloc(0)],
    ['bytes that look like JSON', Buffer.from('5.0')],
    ['the most that fits in a row', randomBytes(512)],
    ['one more than that', randomBytes(513)],
    ['a mebibyte', randomBytes(1024 * 1024)],
    ['more than two mebibytes', randomBytes(2 * 1024 * 1024 + 77)],
  ])('reads back byte for byte: %s', async (_name, bytes) => {
    const path = '/about/opaque/alice/bytes'
    await ok('PUT', path, {
      as: 'alice',
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    })
    const answer = await ok('GET', path)
    expect(answer.body.equals(bytes)).toBe(true)
    expect(answer.headers['x-service-type']).toBeUndefined()
    const head = await ok('HEAD', path)
    expect(head.headers['content-length']).toBe(String(bytes.length))
    const listed = await get('/values', { query: { query: 'has alice/bytes', tag: 'alice/bytes' } })
    expect(listed).toMatchObject({
      results: {
        id: {
          [await about('opaque')]: {
            'alice/bytes': { 'value-type': 'application/octet-stream', size: bytes.length },
          },
        },
      },
    })
  })

  test.each([
    'Text/HTML; Charset="UTF-8"',
    'application/json',
    'application/vnd.service.value+jsonp',
    'application/vnd.service.value+json-seq',
    'application/vnd.service.value',
    'IMAGE/png',
    'text/plain;a=b;;c',
    'no media type at all',
    'x',
  ])('keeps the content type letter for letter: %s', async (contentType) => {
    const path = '/about/opaque/alice/typed'
    await ok('PUT', path, { as: 'alice', body: '5', headers: { 'content-type': contentType } })
    const { headers, body } = await ok('GET', path)
    expect([headers['content-type'], body.toString()]).toEqual([contentType, '5'])
    expect((await ok('HEAD', path)).headers['content-type']).toBe(contentType)
  })

  test('with a malformed content type matches only Accept: */*', async () => {
    const path = '/about/opaque/alice/odd'
    await ok('PUT', path, { as: 'alice', body: 'x', headers: { 'content-type': 'odd' } })
    const answers = await Promise.all(
      ['*/*', 'text/*', 'odd', 'odd/*'].map((accept) => request('GET', path, { headers: { accept } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 406, 406, 406])
  })

  test('is decoded from base64 before it is stored', async () => {
    await ok('PUT', '/about/opaque/alice/encoded', {
      as: 'alice',
      body: everyByte.toString('base64'),
      headers: { 'content-type': 'application/octet-stream', 'content-encoding': 'base64' },
    })
    const { body, headers } = await ok('GET', '/about/opaque/alice/encoded')
    expect(body.equals(everyByte)).toBe(true)
    expect(headers['content-encoding']).toBeUndefined()
  })
})

describe('versions of a value', () => {
  const path = '/about/versioned/alice/version'

  test('If-None-Match gives 304 for an unchanged value', async () => {
    await put(path, '1')
    const { headers } = await ok('GET', path)
    const etag = String(headers.etag)
    expect(etag).toMatch(/^"[^"]+"$/)
    expect(Number.isNaN(Date.parse(String(headers['last-modified'])))).toBe(false)
    for (const method of ['GET', 'HEAD']) {
      for (const condition of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const answer = await request(method, path, { headers: { 'if-none-match': condition } })
        expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, etag])
      }
    }
    await put(path, '2')
    const changed = await ok('GET', path, { headers: { 'if-none-match': etag } })
    expect([changed.status, changed.body.toString()]).toEqual([200, '2'])
    expect(changed.headers.etag).not.toBe(etag)
  })

  test('If-Match overwrites only the value that the writer has seen', async () => {
    await put(path, '1')
    const { etag: first } = (await ok('GET', path)).headers
    const write = (text: string): Promise<unknown> =>
      request('PUT', path, { as: 'alice', primitive: text, headers: { 'if-match': first } }).then(
        ({ status, error }) => [status, error],
      )
    expect(await write('2')).toEqual([204, undefined])
    expect(await write('3')).toEqual([412, 'TPreconditionFailed'])
    expect((await ok('GET', path)).body.toString()).toBe('2')
    const stale = await request('DELETE', path, { as: 'alice', headers: { 'if-match': first } })
    expect(stale.status).toBe(412)
    const { etag } = (await ok('GET', path)).headers
    expect((await request('DELETE', path, { as: 'alice', headers: { 'if-match': etag } })).status).toBe(204)
    expect((await request('GET', path)).error).toBe('TNoInstanceOnObject')
  })

  test('of many writers with If-None-Match: * exactly one creates the value', async () => {
    await put('/about/versioned/alice/once', '0')
    await ok('DELETE', '/about/versioned/alice/once', { as: 'alice' })
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        request('PUT', '/about/versioned/alice/once', {
          as: 'alice',
          primitive: String(n),
          headers: { 'if-none-match': '*' },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412, 412, 412])
  })
})
