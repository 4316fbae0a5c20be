/** The configuration: defaults, limits, and one message that lists every mistake. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { readConfig } from '../../src/settings/config.ts'

/** The mistakes listed in the message that refuses an environment. */
function faults(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    const [first, ...rest] = (error as Error).message.split('\n')
    expect(first).toBe('The configuration is not valid:')
    return rest.map((line) => line.trim())
  }
}

test('there is a default for everything', () => {
  expect(readConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    adminPort: undefined,
    adminHost: '127.0.0.1',
    adminNames: [],
    drainWaitMs: 0,
    drainMs: 10_000,
    databaseUrl: 'sqlite:./var/gloss.db',
    adminPassword: undefined,
    baseUrl: undefined,
    trustProxy: [],
    maxBodyBytes: 16 * 1024 * 1024,
    maxJsonBytes: 2 * 1024 * 1024,
    maxWriteBytes: 1024 ** 3,
    maxUrlBytes: 64 * 1024,
    maxHeaderBytes: 80 * 1024,
    slowQueryMs: 1000,
    jsonp: 'on',
  })
})

test('an empty setting counts as not set', () => {
  expect(readConfig({ PORT: '', HOST: '', DATABASE_URL: '', ADMIN_PASSWORD: '', BASE_URL: '' })).toEqual(
    readConfig({}),
  )
})

test('settings are read', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '::',
    ADMIN_PORT: '9090',
    ADMIN_HOST: '10.0.0.1',
    ADMIN_NAMES: 'gloss.internal, gloss',
    DRAIN_WAIT_MS: '4000',
    DRAIN_MS: '0',
    DATABASE_URL: 'mysql://u:p%40@db:3307/gloss',
    ADMIN_PASSWORD: ' secret words ',
    BASE_URL: 'https://example.com/api//',
    SERVICE_NAME: 'My Gloss',
    TRUST_PROXY: 'loopback, 10.0.0.0/8,,',
    MAX_BODY_BYTES: '3',
    MAX_JSON_BYTES: '1',
    SLOW_QUERY_MS: '0',
    JSONP: 'read',
    UNKNOWN: 'ignored',
  })
  expect(config).toMatchObject({
    port: 0,
    host: '::',
    adminPort: 9090,
    adminHost: '10.0.0.1',
    adminNames: ['gloss.internal', 'gloss'],
    drainWaitMs: 4000,
    drainMs: 0,
    databaseUrl: 'mysql://u:p%40@db:3307/gloss',
    adminPassword: ' secret words ',
    baseUrl: 'https://example.com/api',
    serviceName: 'My Gloss',
    trustProxy: ['loopback', '10.0.0.0/8'],
    maxBodyBytes: 3,
    maxJsonBytes: 1,
    slowQueryMs: 0,
    jsonp: 'read',
  })
  expect(Object.isFrozen(config)).toBe(true)
})

describe('a secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-secrets-'))
  const file = join(folder, 'secret')
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  test.each([
    'open sesame',
    'open sesame\n',
    'open sesame\r\n',
    'open sesame\n\n',
    '\uFEFFopen sesame\r\n\r\n',
  ])('may be in a file: %j', (content) => {
    writeFileSync(file, content)
    expect(readConfig({ ADMIN_PASSWORD_FILE: file }).adminPassword).toBe('open sesame')
  })

  test('keeps the spaces of its file, and is one line', () => {
    writeFileSync(file, ' open sesame \n')
    expect(readConfig({ ADMIN_PASSWORD_FILE: file }).adminPassword).toBe(' open sesame ')
    writeFileSync(file, 'open\nsesame\n')
    expect(readConfig({ ADMIN_PASSWORD_FILE: file }).adminPasswordFault).toContain('several lines')
  })

  test.each(['sqlite:./var/gloss.db \n', ' sqlite:./var/gloss.db', 'mysql://u:p@db/gloss\n\n \n'])(
    'is no database with spaces around it: %j',
    (content) => {
      writeFileSync(file, content)
      expect(faults({ DATABASE_URL_FILE: file })).not.toEqual([])
    },
  )

  test('may be the database with its password', () => {
    writeFileSync(file, 'mysql://u:p@db/gloss\n')
    expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('mysql://u:p@db/gloss')
  })

  test('is not given twice', () => {
    writeFileSync(file, 'open sesame')
    expect(faults({ ADMIN_PASSWORD_FILE: file, ADMIN_PASSWORD: 'open sesame' })).toEqual([
      'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE must not both be set',
    ])
  })

  test.each(['/nowhere/secret', '/', '/dev/null'])(
    'for the first start may be in a file that is gone later: %s',
    (gone) => {
      const { adminPassword, adminPasswordFault } = readConfig({ ADMIN_PASSWORD_FILE: gone })
      expect([adminPassword, adminPasswordFault]).toEqual([
        undefined,
        expect.stringContaining('ADMIN_PASSWORD_FILE names'),
      ])
    },
  )

  test('may be as short as the operator says', () => {
    expect(readConfig({ ADMIN_PASSWORD: 'x', MIN_PASSWORD_LENGTH: '1' }).adminPassword).toBe('x')
    expect(faults({ ADMIN_PASSWORD: 'open sesame', MIN_PASSWORD_LENGTH: '12' })).toHaveLength(1)
  })
})

describe('a mistake is refused', () => {
  test.each<[name: string, ...values: string[]]>([
    ['PORT', '-1', '65536', '80a', '0x50', '8080.0', ' ', '1e3'],
    ['ADMIN_PORT', '-1', '65536', 'off', '8080'],
    ['DRAIN_WAIT_MS', '-1', '3600001', '5s'],
    ['DRAIN_MS', '-1', '3600001', '5s'],
    [
      'DATABASE_URL',
      'gloss.db',
      'sqlite:',
      'sqlite::memory:',
      'postgres://h/d',
      'mysql://',
      'mysql://h',
      'mysql://h/',
      'mysql://h/a/b',
    ],
    [
      'BASE_URL',
      'example.com',
      'ftp://example.com',
      'http://',
      'https://example.com/?q',
      'https://example.com/#f',
      'http://a b',
    ],
    ['SERVICE_NAME', 'a"b', 'a\\b', 'é', 'a\nb'],
    ['MAX_BODY_BYTES', '0', '1k', '99999999999999999999'],
    ['MAX_JSON_BYTES', '0', '2M', '268435457'],
    ['MAX_WRITE_BYTES', '0', '1G', '1125899906842625'],
    ['MAX_URL_BYTES', '0', '255'],
    ['MAX_HEADER_BYTES', '0', '1023'],
    ['MAX_CONNECTIONS', '0', '1000001'],
    ['SLOW_QUERY_MS', '-1', '1.5', '3600001'],
    ['QUERY_TIMEOUT_MS', '0', '1.5', '3600001'],
    ['STARTUP_WAIT_MS', '-1', '1.5', '3600001'],
    ['JSONP', 'ON', 'no', 'write'],
    ['NEW_STORE', 'no', 'MAKE', 'new'],
    ['MIN_PASSWORD_LENGTH', '0', '129'],
    ['ADMIN_PASSWORD', 'sevenof', 'äöüß€ab', '😀'.repeat(7)],
    ['DATABASE_URL_FILE', '/nowhere/secret', '/', '/dev/null'],
    ['TRUST_PROXY', 'me', 'loopback,10.0.0.0/99', 'true'],
  ])('in %s', (name, ...values) => {
    for (const value of values) {
      const found = faults({ [name]: value })
      expect([value, found.length]).toEqual([value, 1])
      expect(found[0]).toContain(name)
    }
  })

  test.each([
    ['127.0.0.1', '127.0.0.1', 1],
    ['0.0.0.0', '127.0.0.1', 1],
    ['::', '10.0.0.1', 1],
    ['10.0.0.1', '0.0.0.0', 1],
    ['10.0.0.1', '127.0.0.1', 0],
  ])('if ADMIN_PORT is PORT on %s and %s: %i faults', (HOST, ADMIN_HOST, count) => {
    expect(faults({ PORT: '9090', ADMIN_PORT: '9090', HOST, ADMIN_HOST })).toHaveLength(count)
    expect(faults({ PORT: '0', ADMIN_PORT: '0', HOST, ADMIN_HOST })).toEqual([])
  })

  test.each([
    [{ MAX_BODY_BYTES: '1000', MAX_JSON_BYTES: '1001' }, 1],
    [{ MAX_JSON_BYTES: '16777217' }, 1],
    [{ MAX_BODY_BYTES: '1000', MAX_JSON_BYTES: '1000' }, 0],
  ])('if JSON may be longer than a body: %j, %i faults', (env, count) => {
    const found = faults(env)
    expect(found).toHaveLength(count)
    for (const fault of found)
      expect(fault).toMatch(/^MAX_JSON_BYTES \(\d+\) must not be more than MAX_BODY_BYTES/)
  })

  test('together with all others', () => {
    const found = faults({
      PORT: 'x',
      DATABASE_URL: 'y',
      BASE_URL: 'z',
      MAX_URL_BYTES: '1',
      SERVICE_NAME: '"',
    })
    expect(found.map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'BASE_URL',
      'DATABASE_URL',
      'MAX_URL_BYTES',
      'PORT',
      'SERVICE_NAME',
    ])
  })

  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['WORKER', 'WORKERS'],
    ['ADMINPASSWORD', 'ADMIN_PASSWORD'],
    ['MAX_BODY_SIZE', undefined],
    ['HOME', undefined],
    ['POST', undefined],
    ['HOSTNAME', undefined],
    ['NODE_ENV', undefined],
  ])('in the name %s', (name, meant) => {
    const expected = meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`]
    expect(faults({ [name]: 'x' })).toEqual(expected)
  })

  test('without revealing the password in the database URL', () => {
    expect(faults({ DATABASE_URL: 'mysql://user:geheim@host' }).join()).not.toContain('geheim')
  })
})
