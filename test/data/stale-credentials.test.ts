/**
 * Two instances on one database: after a password was changed by way of one, the other one, which remembers it, writes nothing
 * with the old one, whatever is written and by whichever statement.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { raw } from '../../src/data/database/connection/sql.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { buildFixture, THING } from '../support/fixture.ts'
import { PATIENT } from '../support/database.ts'
import { PASSWORD, startAnother, startService, type Answer, type Service } from '../support/service.ts'
import { OPERATION_NAMES, sampleOf, type Sample } from '../support/samples.ts'
import { rowsOf } from './open.ts'

let service: Service
let other: Service

beforeAll(async () => {
  service = await startService()
  await buildFixture(service)
  other = await startAnother(service.databaseUrl, PATIENT, {}, { TRUST_PROXY: 'loopback' })
  for (const about of OBJECTS) await service.ok('POST', `/about/${about}`, { as: 'bob' })
  await service.ok('PUT', '/users/bob', { as: 'service', json: { role: 'superuser' } })
}, 120_000)
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const TABLES = [
  ...['users', 'namespaces', 'tags', 'permission_exceptions', 'about_values', 'tag_values', 'value_parts'],
  ...['terms', 'tag_purges'],
]

/** All that is stored. */
async function stored(): Promise<string[]> {
  const found: string[] = []
  for (const table of TABLES) {
    const rows = await rowsOf<object>(service.store, raw(`SELECT * FROM ${table}`))
    found.push(...rows.map((row) => `${table} ${JSON.stringify(row)}`).sort())
  }
  return found
}

/** The latest password of each user. */
const passwords = new Map<string, string>()
let changes = 0

/** After many wrong passwords from one address, right ones are refused there, too. */
const addressOf = (n: number) => ({ 'x-forwarded-for': `198.18.0.${String(n)}` })

const sent = (sample: Sample, as: string, password: string): Promise<Answer> =>
  other.request(sample.method, sample.path, {
    as,
    password,
    query: sample.query,
    headers: { ...addressOf(changes), 'content-type': sample.type },
    ...(sample.body !== undefined && { body: sample.body }),
  })

/** Sends a write with the old password, which must write nothing, and then with the new one, which must write. */
async function expectRefused(sample: Sample): Promise<void> {
  const { as = 'alice', method, path } = sample
  const old = passwords.get(as) ?? PASSWORD
  const password = `password number ${String(++changes)}`
  // It is known to be right where it will be wrong.
  await other.ok('GET', '/users/alice', { as, password: old, headers: addressOf(changes) })
  await service.ok('PUT', `/users/${as}`, { as, password: old, json: { password } })
  passwords.set(as, password)
  const before = await stored()
  const refused = await sent(sample, as, old)
  expect([method, path, refused.status]).toEqual([method, path, 401])
  expect(await stored()).toEqual(before)
  const { status } = await sent(sample, as, password)
  expect([method, path, status]).toEqual([method, path, sample.status])
}

const WRITES = OPERATION_NAMES.filter((name) => !/^GET |^POST \/search/.test(name))

test.each(WRITES)('%s', async (operation) => {
  const sample = await sampleOf(
    {
      ...service,
      ok: (method, path, options = {}) =>
        service.ok(method, path, { ...options, password: passwords.get(options.as ?? '') ?? PASSWORD }),
    },
    operation,
  )
  await expectRefused(sample)
})

const OBJECTS = ['first', 'second', 'third', 'fourth']

const value = (path: string, body: string, type = PRIMITIVE_MEDIA_TYPE): Sample => ({
  method: 'PUT',
  path,
  query: '',
  body,
  type,
  status: 204,
})

/** One after the other, so that what one writes is there, and remembered, for the next one. */
const VALUES: readonly ((tag: string) => Sample)[] = [
  (tag) => value(`/about/first/${tag}`, '1'),
  // New values, after a look, and then where the one before was new.
  (tag) => value(`/about/second/${tag}`, '1'),
  (tag) => value(`/about/third/${tag}`, '1'),
  (tag) => value(`/objects/${THING}/${tag}`, '1'),
  // Over a value, after a look, and then at a known place.
  (tag) => value(`/about/first/${tag}`, '2'),
  (tag) => value(`/about/first/${tag}`, '3'),
  // Values that are more than their rows.
  (tag) => value(`/about/first/${tag}`, '"some words"'),
  (tag) => value(`/about/first/${tag}`, '4'),
  (tag) => value(`/about/fourth/${tag}`, '"some words"'),
  (tag) => value(`/about/second/${tag}`, 'octets', 'text/plain'),
  (tag) => value(`/about/second/${tag}`, 'x'.repeat(100_000), 'text/plain'),
  // On a new object.
  (tag) => value(`/about/${encodeURIComponent(tag)}/${tag}`, '1'),
  (tag) => ({ method: 'DELETE', path: `/about/first/${tag}`, query: '', status: 204 }),
]

test.each(['alice', 'bob'])('single values, written by %s in each way', async (as) => {
  const tag = `alice/books/of-${as}`
  for (const sampleFor of VALUES) await expectRefused({ ...sampleFor(tag), as })
})
