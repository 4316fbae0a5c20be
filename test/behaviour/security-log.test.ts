/** Which operations leave entries in the security log, and which entries: one for each change that was made, else none. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { buildFixture } from '../support/fixture.ts'
import type { SecurityEvent } from '../../src/http/credentials/security-events.ts'
import { PASSWORD, startService, type Options, type Service } from '../support/service.ts'
import { OPERATION_NAMES, sampleOf } from '../support/samples.ts'

let service: Service
let entries: SecurityEvent[] = []

beforeAll(async () => {
  service = await startService({}, { note: (event) => entries.push(event) })
  await buildFixture(service)
})
afterAll(() => service.stop())
beforeEach(() => {
  entries = []
})

const by = 'service'
const password = 'another horse'
const field = (json: object): Options => ({ as: by, json })

/** Requests one after the other, with the events that each leaves behind, all about the user eve. */
const CHANGES: readonly (readonly [
  method: string,
  path: string,
  options: Options,
  status: number,
  events: readonly string[],
])[] = [
  ['POST', '/users', { as: 'alice', json: { username: 'eve', password } }, 401, []],
  ['POST', '/users', field({ username: 'eve', password: 'short' }), 400, []],
  ['POST', '/users', field({ username: 'eve', password, role: 'nobody' }), 400, []],
  ['POST', '/users', field({ username: 'eve', password, name: 'Eve' }), 201, ['user created']],
  ['POST', '/users', field({ username: 'eve', password }), 412, []],
  ['PUT', '/users/eve', { as: by }, 204, []],
  ['PUT', '/users/eve', field({}), 204, []],
  ['PUT', '/users/eve', field({ name: 'Eva' }), 204, ['user changed']],
  ['PUT', '/users/eve', field({ name: 'Eve', email: 'eve@example.org' }), 204, ['user changed']],
  ['PUT', '/users/eve', field({ password }), 204, ['password changed']],
  ['PUT', '/users/eve', field({ role: 'superuser' }), 204, ['role changed']],
  ['PUT', '/users/eve', field({ password, role: 'user' }), 204, ['password changed', 'role changed']],
  ['PUT', '/users/eve', field({ password, name: 'Eva' }), 204, ['password changed', 'user changed']],
  ['PUT', '/users/eve', field({ role: 'user', name: 'Eve' }), 204, ['role changed', 'user changed']],
  [
    'PUT',
    '/users/eve',
    field({ password, role: 'user', name: 'Eva', email: 'eva@example.org' }),
    204,
    ['password changed', 'role changed', 'user changed'],
  ],
  ['PUT', '/users/eve', field({ password: 'short' }), 400, []],
  ['PUT', '/users/eve', { as: 'alice', json: { password } }, 401, []],
  ['PUT', '/users/nobody', field({ password }), 404, []],
  ['GET', '/users/eve', { as: by }, 200, []],
  ['DELETE', '/users/eve', { as: 'alice' }, 401, []],
  ['DELETE', '/namespaces/eve/private', { as: by }, 204, []],
  ['DELETE', '/users/eve', { as: by }, 204, ['user deleted']],
  ['DELETE', '/users/eve', { as: by }, 404, []],
]

test('each change of a user is an entry of its own, and what was refused is none', async () => {
  for (const [method, path, options, status, events] of CHANGES) {
    entries = []
    const answer = await service.request(method, path, options)
    const expected = events.map((event) => ({ event, username: 'eve', by }))
    expect([method, path, options.json, answer.status, entries]).toEqual([
      ...[method, path, options.json, status],
      expected,
    ])
  }
})

test('who changes their own password is the one who did', async () => {
  await service.ok('PUT', '/users/carol', { as: 'carol', json: { password } })
  expect(entries).toEqual([{ event: 'password changed', username: 'carol', by: 'carol' }])
})

const EVENTS: Readonly<Record<string, readonly string[]>> = {
  'POST /users': ['user created'],
  'PUT /users/{username}': ['user changed'],
  'DELETE /users/{username}': ['user deleted'],
}

test.each(OPERATION_NAMES)('%s', async (operation) => {
  const { method, path, query, as, body, type, status } = await sampleOf(service, operation)
  entries = []
  const sent = { query, headers: { 'content-type': type }, ...(body !== undefined && { body }) }
  const answer = await service.request(method, path, { ...sent, ...(as !== undefined && { as }) })
  expect(answer.status).toBe(status)
  expect(entries.map(({ event }) => event)).toEqual(EVENTS[operation] ?? [])
})

test.each(OPERATION_NAMES)('%s with a wrong password', async (operation) => {
  const { method, path, query, body, type } = await sampleOf(service, operation)
  entries = []
  const sent = { query, headers: { 'content-type': type }, ...(body !== undefined && { body }) }
  const username = `guess-${String(OPERATION_NAMES.indexOf(operation))}`
  const { status } = await service.request(method, path, { ...sent, as: username, password: PASSWORD })
  const refused = status === 401 ? ['sign-in failed'] : status === 429 ? ['sign-in refused'] : []
  expect(entries.map((entry) => [entry.event, entry.username])).toEqual(
    refused.map((event) => [event, username]),
  )
})
