/**
 * Two processes on one database: what one acknowledges of an account counts at once in the other. A change costs a hash
 * or two of 25 ms, so the suite makes some; `npm run races` makes 1,000, which takes minutes. Which account is changed, and by
 * which of the two, comes from a seed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { listening, runProcess, type ServiceProcess } from '../support/process.ts'
import { PASSWORD, type Answer } from '../support/service.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { Random } from '../search/random.ts'
import { ask } from '../wire/raw-requests.ts'

const CHANGES_A_ROUND = 7
const ROUNDS = Math.ceil(Number(process.env['RACE_ROUNDS'] ?? 50) / CHANGES_A_ROUND)
const SHARED = '/about/x/service-desk/shared'
const PRIVATE = '/about/x/service-desk/secret'
const JSON_TYPE = 'application/json'

let database: FreshDatabase
const processes: ServiceProcess[] = []
/** The processes: one changes an account, and the other must know. */
const urls: string[] = []

async function start(): Promise<string> {
  const env = { DATABASE_URL: database.url, ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: 'loopback' }
  const started = runProcess(env)
  processes.push(started)
  return `http://127.0.0.1:${String(await listening(started))}`
}

beforeAll(async () => {
  database = await freshDatabase()
  urls.push(await start(), await start())
  const [url = ''] = urls
  await change(url, 'POST', '/users', { username: 'service-desk', password: PASSWORD })
  await change(url, 'PUT', SHARED, '"for all"')
  await change(url, 'PUT', PRIVATE, '"for superusers"')
  const closed = { policy: 'closed', exceptions: [] }
  await change(url, 'PUT', '/permissions/tag-values/service-desk/secret?action=read', closed)
  const open = { policy: 'open', exceptions: [] }
  await change(url, 'PUT', '/permissions/tag-values/service-desk/shared?action=write', open)
}, 120_000)
afterAll(async () => {
  for (const { process: child } of processes) child.kill('SIGTERM')
  await Promise.all(processes.map(({ end }) => end))
  await database.drop()
})

/** Sends a change as the superuser, which must succeed. A text is a primitive value. */
async function change(url: string, method: string, path: string, sent?: object | string): Promise<void> {
  const type = typeof sent === 'string' ? PRIMITIVE_MEDIA_TYPE : JSON_TYPE
  const body = typeof sent === 'object' ? JSON.stringify(sent) : sent
  const headers = body === undefined ? {} : { 'content-type': type }
  const parts = { as: 'service', headers, ...(body === undefined ? {} : { body }) }
  const answer = await ask(url, method, path, parts)
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${String(answer.status)} ${answer.error ?? ''}`)
}

/** What each kind of request gets that somebody may send. */
type Answers = readonly [
  read: string,
  write: string,
  query: string,
  secret: string,
  tags: string,
  user: string,
  secrets: string,
]

/** All ways to ask a query about a tag. */
const QUERIES = [
  '/objects?query=has+service-desk/secret',
  '/values?query=has+service-desk/secret&tag=service-desk/secret',
  '/search?query=has+service-desk/secret&tag=service-desk/secret',
  '/search/facets?query=has+service-desk/secret&tag=service-desk/secret',
]
const DENIED = QUERIES.map(() => '401 TPathPermissionDenied').join(', ')
const SHOWN = ['200', ...QUERIES.slice(1).map(() => '200 with the secret one')].join(', ')
const UNAUTHORIZED = QUERIES.map(() => '401').join(', ')

const MAY: Answers = ['200', '204', '200', '401 TPathPermissionDenied', '200', '200', DENIED]
const SUPERUSER: Answers = ['200', '204', '200', '200', '200 with the secret one', '200', SHOWN]
const UNKNOWN: Answers = ['401', '401', '401', '401', '401', '401', UNAUTHORIZED]

/** Whoever tries wrong passwords often is throttled, so each round comes from an address of its own. */
const addressOf = (round: number): string => `198.18.${String(round >> 8)}.${String(round & 255)}`

/** What somebody gets who sends all kinds of requests at once; all that were refused with wrong credentials say so. */
async function tried(url: string, as: string, password: string, round: number): Promise<string> {
  const forwarded = { 'x-forwarded-for': addressOf(round) }
  const send = (method: string, path: string, body?: string): Promise<Answer> => {
    const headers = { ...forwarded, ...(body === undefined ? {} : { 'content-type': PRIMITIVE_MEDIA_TYPE }) }
    return ask(url, method, path, { as, password, headers, ...(body === undefined ? {} : { body }) })
  }
  const answers = await Promise.all([
    send('GET', SHARED),
    send('PUT', SHARED, String(round)),
    send('GET', '/objects?query=has+service-desk/shared'),
    send('GET', PRIVATE),
    send('GET', '/about/x'),
    send('GET', '/users/service'),
    ...QUERIES.map((query) => send('GET', query)),
  ])
  return answers.map(shown).join(', ')
}

const shown = ({ status, error, body }: Answer): string =>
  `${String(status)} ${error ?? (body.includes('service-desk/secret') ? 'with the secret one' : '')}`.trim()

test(`${String(ROUNDS * CHANGES_A_ROUND)} changes: no stale answer, and right credentials are never refused`, async () => {
  const faults: string[] = []
  const random = new Random()
  const { seed } = random
  const requests = { sent: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const name = `user-${String(random.below(8))}`
    const path = `/users/${name}`
    const [first, then] = [`first password ${String(round)}`, `second password ${String(round)}`]
    const [here = '', there = ''] = random.shuffled(urls)
    const must = async (what: string, password: string, answers: Answers): Promise<void> => {
      const got = await tried(there, name, password, round)
      requests.sent += answers.length - 1 + QUERIES.length
      if (got !== answers.join(', ')) faults.push(`${String(round)}: ${what}: ${got}`)
    }
    await change(here, 'POST', '/users', { username: name, password: first })
    await must('created', first, MAY)
    await change(here, 'PUT', path, { role: 'superuser' })
    await must('made superuser', first, SUPERUSER)
    await change(here, 'PUT', path, { role: 'user' })
    await must('no longer superuser', first, MAY)
    await change(here, 'PUT', path, { password: then })
    await must('new password', then, MAY)
    await must('old password', first, UNKNOWN)
    await change(here, 'DELETE', path)
    await must('deleted', then, UNKNOWN)
    await change(here, 'POST', '/users', { username: name, password: then })
    await must('created again', then, MAY)
    await change(here, 'DELETE', path)
    await must('deleted again', then, UNKNOWN)
  }
  expect({ seed, faults }).toEqual({ seed, faults: [] })
  expect(requests.sent).toBe(ROUNDS * 80)
}, 3_600_000)
