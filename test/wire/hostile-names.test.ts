/** Names with a meaning in JavaScript, duplicate keys, and facts that try to break out of their header. */
import { describe, expect, test } from '@jest/globals'
import { PASSWORD, type Answer, type Options } from '../support/service.ts'
import { OPERATION_NAMES, sampleOf, targetOf } from '../support/samples.ts'
import { basic, exchangeOne, rawRequest, useService } from './raw-requests.ts'

const setting = useService()

const request = (method: string, path: string, options: Options = {}): Promise<Answer> =>
  setting().service.request(method, path, { as: 'alice', ...options })

const sendJson = (method: string, path: string, body: string, as = 'alice'): Promise<Answer> =>
  request(method, path, { as, body, headers: { 'content-type': 'application/json' } })

const outcome = ({ status, error }: Answer): unknown[] => [status, error]
const fact = ({ headers }: Answer, name: string): unknown => headers[`x-service-${name}`]

const ORDINARY = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'prototype',
]

describe('such a name as a field of a payload', () => {
  const operations = OPERATION_NAMES.filter((name) => /^(POST|PUT) /.test(name))

  test.each(operations)('is unknown to %s', async (name) => {
    const sample = await sampleOf(setting().service, name)
    if (sample.type !== 'application/json') return
    for (const field of ORDINARY) {
      const body = `${sample.body?.slice(0, -1) ?? ''},"${field}":{"x":1}}`
      const answer = await sendJson(sample.method, targetOf(sample), body, sample.as)
      expect([...outcome(answer), fact(answer, 'fieldname')]).toEqual([400, 'UnknownPayloadField', field])
    }
  })

  test('does not stand in for a required field', async () => {
    for (const field of ORDINARY) {
      const answer = await sendJson('PUT', '/namespaces/alice/books', `{"${field}":{"description":"d"}}`)
      expect([...outcome(answer), fact(answer, 'fieldname')]).toEqual([
        400,
        'PayloadFieldMissing',
        'description',
      ])
    }
  })

  test('is unknown in an entry of /values', async () => {
    for (const field of ORDINARY) {
      const entry = `{"value":1,"${field}":2}`
      const answer = await sendJson(
        'PUT',
        '/values',
        `{"queries":[["has alice/books/rating",{"alice/a":${entry}}]]}`,
      )
      expect([...outcome(answer), fact(answer, 'fieldname')]).toEqual([400, 'UnknownPayloadField', field])
    }
  })
})

describe('such a name as the name', () => {
  test.each(ORDINARY)('of a namespace and a tag: %s', async (name) => {
    const json = { name, description: `the ${name}` }
    expect((await request('POST', '/namespaces/alice', { json })).status).toBe(201)
    expect(outcome(await request('POST', '/namespaces/alice', { json }))).toEqual([
      412,
      'TNamespaceAlreadyExists',
    ])
    const tag = { json: { ...json, indexed: true } }
    expect((await request('POST', `/tags/alice/${name}`, tag)).status).toBe(201)
    const { namespaceNames } = (await request('GET', '/namespaces/alice?returnNamespaces=1')).json() as {
      namespaceNames: string[]
    }
    expect(namespaceNames).toContain(name)
    const path = `alice/${name}/${name}`
    expect((await request('GET', `/tags/${path}?returnDescription=1`)).json()).toMatchObject({
      description: `the ${name}`,
    })
    expect((await request('PUT', `/about/${name}/${path}`, { primitive: '[1]' })).status).toBe(400)
    expect((await request('PUT', `/about/${name}/${path}`, { primitive: '7' })).status).toBe(204)
    const query = { query: `${path} = 7`, tag: [path, 'service/about'] }
    const { results } = (await request('GET', '/values', { query })).json() as { results: { id: object } }
    expect(Object.values(results.id)).toMatchObject([
      { [path]: { value: 7 }, 'service/about': { value: name } },
    ])
    const action = { query: { action: 'read' } }
    const policy = await request('GET', `/permissions/tag-values/${path}`, action)
    expect(policy.json()).toEqual({ policy: 'open', exceptions: [] })
    const recent = (await request('GET', `/recent/about/${name}`)).json()
    expect(recent).toMatchObject([{ tag: path, value: 7 }, { tag: 'service/about' }])
  })

  test.each(ORDINARY)('of a tag that /values sets: %s', async (name) => {
    const set = (path: string): Promise<Answer> =>
      sendJson('PUT', '/values', `{"queries":[["service/about = \\"set\\"",{"${path}":{"value":"x"}}]]}`)
    const bare = await set(name)
    expect([...outcome(bare), fact(bare, 'path')]).toEqual([400, 'TInvalidPath', name.toLowerCase()])
    expect((await set(`alice/set/${name}`)).status).toBe(204)
    expect((await request('GET', `/about/set/alice/set/${name}`)).json()).toBe('x')
    const top = await set(`${name}/set`)
    expect([...outcome(top), fact(top, 'path')]).toEqual([
      404,
      'TNonexistentTag',
      `${name.toLowerCase()}/set`,
    ])
  })

  test.each(ORDINARY)('of a user: %s', async (name) => {
    const missing = await request('GET', `/users/${name}`)
    expect([...outcome(missing), String(fact(missing, 'name')).toLowerCase()]).toEqual([
      404,
      'TNoSuchUser',
      name.toLowerCase(),
    ])
    const exceptions = { query: { action: 'read' }, json: { policy: 'closed', exceptions: [name] } }
    const refused = await request('PUT', '/permissions/tag-values/alice/books/plain', exceptions)
    expect(outcome(refused)).toEqual([412, 'TNoSuchUser'])
    const made = await request('POST', '/users', {
      as: 'service',
      json: { username: name, password: PASSWORD },
    })
    expect(made.status).toBe(201)
    expect((await request('GET', `/users/${name}`, { as: name })).json()).toMatchObject({
      name: name.toLowerCase(),
    })
    const allowed = await request('PUT', '/permissions/tag-values/alice/books/plain', exceptions)
    expect(allowed.status).toBe(204)
    expect((await request('GET', `/namespaces/${name}`, { as: name })).status).toBe(200)
    expect((await request('DELETE', `/users/${name}`, { as: 'service' })).status).toBe(204)
  })

  test.each(ORDINARY)('of an argument, an action, a policy: %s', async (name) => {
    expect((await request('GET', `/users/alice?${name}=1&${name}=2`)).status).toBe(200)
    const path = '/permissions/tags/alice/books/plain'
    expect(outcome(await request('GET', path, { query: { action: name } }))).toEqual([400, 'TBadRequest'])
    const json = { policy: name, exceptions: [] }
    const put = await request('PUT', path, { query: { action: 'update' }, json })
    expect(outcome(put)).toEqual([400, 'TInvalidPolicy'])
    expect(outcome(await request('GET', `/${name}`))).toEqual([404, 'NoSuchResource'])
    expect(outcome(await request('GET', `/${name}/alice`))).toEqual([404, 'NoSuchResource'])
  })
})

describe('of duplicate keys the last one wins', () => {
  test('in a payload', async () => {
    const body = '{"description":"first","description":5,"description":"last"}'
    expect((await sendJson('PUT', '/namespaces/alice/books', body)).status).toBe(204)
    const read = await request('GET', '/namespaces/alice/books?returnDescription=1')
    expect(read.json()).toMatchObject({ description: 'last' })
    const wrong = await sendJson('PUT', '/namespaces/alice/books', '{"description":"x","description":5}')
    expect(outcome(wrong)).toEqual([400, 'InvalidPayloadField'])
  })

  test.each([
    ['"alice/dup":{"value":1},"alice/dup":{"value":2.0}', '2.0'],
    ['"alice/dup":{"value":1.5,"value":3}', '3'],
    ['"alice/dup":{"value":1.0,"value":"1.0"}', '"1.0"'],
    ['"alice/dup":{"value":9007199254740993,"value":9007199254740995}', '9007199254740995'],
    ['"alice\\/dup":{"value":1},"alice/dup":{"value":4}', '4'],
  ])('in /values: %s', async (entries, text) => {
    const body = `{"queries":[],"queries":[["service/about = \\"dup\\"",{${entries}}]]}`
    expect((await sendJson('PUT', '/values', body)).status).toBe(204)
    expect((await request('GET', '/about/dup/alice/dup')).body.toString()).toBe(text)
  })

  test('and __proto__ given twice is still an unknown field', async () => {
    const answer = await sendJson(
      'PUT',
      '/namespaces/alice/books',
      '{"description":"d","__proto__":1,"__proto__":2}',
    )
    expect([...outcome(answer), fact(answer, 'fieldname')]).toEqual([400, 'UnknownPayloadField', '__proto__'])
  })
})

/** Texts that would break out of a header, and how they are encoded in one. */
const INJECTIONS: readonly (readonly [text: string, header: string])[] = [
  ['a\r\nX-Evil: 1', 'a%0D%0AX-Evil: 1'],
  ['a\nSet-Cookie: b=c', 'a%0ASet-Cookie: b=c'],
  ['a\r\n\r\nHTTP/1.1 200 OK', 'a%0D%0A%0D%0AHTTP/1.1 200 OK'],
  ['größer', 'gr%C3%B6%C3%9Fer'],
  ['\u{1f600}\u2028\ufeff', '%F0%9F%98%80%E2%80%A8%EF%BB%BF'],
  ['a\tb\x7f\x1b[31m', 'a%09b%7F%1B[31m'],
  ['50% of %0D%0A', '50%25 of %250D%250A'],
  ['č\u010a\u560d\u560a', '%C4%8D%C4%8A%E5%98%8D%E5%98%8A'],
  [`"'<script>;,`, `"'<script>;,`],
  ['a\0b', 'a%00b'],
]

const LONG = 'x'.repeat(3000)
const CUT = `${'x'.repeat(1024)}...`

/** Every way in which a text that is sent comes back in a header. */
const ECHOES: Readonly<Record<string, (text: string) => Promise<readonly [Answer, string, string]>>> = {
  'a missing namespace': async (text) => [
    await request('GET', `/namespaces/alice%2F${encodeURIComponent(text)}`),
    'path',
    'alice/',
  ],
  'a missing tag': async (text) => [
    await request('GET', `/tags/alice%2F${encodeURIComponent(text)}`),
    'path',
    'alice/',
  ],
  'a malformed path': async (text) => [
    await sendJson(
      'POST',
      '/tags/alice',
      JSON.stringify({ name: `${text}/`, description: 'd', indexed: true }),
    ),
    'path',
    'alice/',
  ],
  'a path without permission': async (text) => [
    await setting().service.request('PUT', `/tags/alice%2F${encodeURIComponent(text)}`, {
      json: { description: 'd' },
    }),
    'path',
    'alice/',
  ],
  'a missing user': async (text) => [
    await request('GET', `/users/q${encodeURIComponent(text)}`),
    'name',
    'q',
  ],
  'a malformed user name': async (text) => [
    await sendJson(
      'PUT',
      '/permissions/tags/alice/books/plain?action=update',
      JSON.stringify({ policy: 'open', exceptions: [`!${text}`] }),
    ),
    'name',
    '!',
  ],
  'an unknown field': async (text) => [
    await sendJson('PUT', '/namespaces/alice/books', JSON.stringify({ description: 'd', [`f${text}`]: 1 })),
    'fieldname',
    'f',
  ],
  'a malformed query': async (text) => [
    await request('GET', '/objects', { query: { query: `has ${text}` } }),
    'query',
    'has ',
  ],
}

describe('a text comes back encoded in one header', () => {
  describe.each(Object.entries(ECHOES))('as %s', (_what, echo) => {
    test.each(INJECTIONS)('for %j', async (text, header) => {
      const [answer, name, prefix] = await echo(text)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      // The case of user names is folded, so only letters are compared; the text may continue after the prefix.
      expect(String(fact(answer, name)).toLowerCase()).toMatch(matcherFor(prefix + header))
      for (const value of Object.values(answer.headers)) expect(String(value)).toMatch(/^[\x20-\x7e]*$/)
    })

    test('and is cut after 1,024 characters', async () => {
      const [answer, name, prefix] = await echo(LONG)
      expect(fact(answer, name)).toBe(`${(prefix + CUT).slice(0, 1024)}...`)
    })

    test('and is not cut at 1,024 characters', async () => {
      const [, , prefix] = await echo('x')
      const [answer, name] = await echo('x'.repeat(1000 - prefix.length))
      expect(String(fact(answer, name))).toMatch(/x\/?$/)
    })

    test('and is cut by its encoded length', async () => {
      const [answer, name] = await echo('ü'.repeat(1000))
      const value = String(fact(answer, name))
      expect(value).toMatch(/^[\x20-\x7e]*%[\dA-F]{0,2}\.\.\.$/)
      expect(value.length).toBeLessThanOrEqual(1027)
    })
  })

  test('as a part of a message', async () => {
    for (const [text] of INJECTIONS) {
      const answer = await request('GET', '/objects', { query: { query: `${text} ${LONG}` } })
      expect(answer.error).toBe('TParseError')
      const message = String(fact(answer, 'message'))
      expect(message).toMatch(/^[\x20-\x7e]+$/)
      expect(message.length).toBeLessThanOrEqual(1027)
    }
  })

  test('but not if it is an argument that is not UTF-8', async () => {
    const octets = rawRequest('GET /objects?query=%FF%0D%0AX-Evil:1', [`Authorization: ${basic('alice')}`])
    const answer = await exchangeOne(setting().url, octets)
    expect([answer.status, answer.error]).toEqual([400, 'InvalidUTF8Argument'])
    expect([answer.headers['x-evil'], answer.headers['x-service-argument']]).toEqual([undefined, 'query'])
  })
})

/** Matches a text that begins with this one, in lower case. */
const matcherFor = (text: string): RegExp =>
  new RegExp(`^${text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
