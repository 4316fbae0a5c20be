/**
 * The attacks. Each one stopped the service for other users, or filled its memory, before the service had a limit against
 * it.
 */
import { requestBytes } from '../bench/load.ts'
import type { Attack } from './attack.ts'
import { neverRead, sendMany, sendOne } from './clients.ts'
import { grouped, SEARCHES } from './searches.ts'
import { credentials, JSON_BODY, LARGE, PRIMITIVE } from './store.ts'

/** The service closes idle connections early enough for the test to see it. */
const IMPATIENT = { IDLE_TIMEOUT_MS: '5000' }
const SIGN_IN_NAME_OCTETS = 56_000

/** The number of name sets so far, so that each attack creates new names. */
let made = 0

/** A PUT of `/values` with these entries, by a user or anonymously. */
function putValues(entries: string, user?: string): Attack['prepare'] {
  const body = Buffer.from(`{"queries":[${entries}]}`)
  const headers = { ...JSON_BODY, ...(user === undefined ? {} : credentials(user)) }
  return () => (target) => sendOne(target, ['PUT', '/values', { body, headers }])
}

/** An anonymous PUT of a value. */
function putValue(body: string): Attack['prepare'] {
  const sent = { body: Buffer.from(body), headers: PRIMITIVE }
  return () => (target) => sendOne(target, ['PUT', '/about/stranger/alice/stranger', sent])
}

const listOf = (item: string, size: number): string => `${item},`.repeat(size - 1) + item

const BODIES: readonly Attack[] = [
  {
    name: 'shape',
    what: (size) => `PUT /values, ${grouped(size)} entries of the wrong shape, anonymous`,
    size: 5_000,
    quick: 500,
    expected: ['400'],
    prepare: (size, contents) => putValues(listOf('["has a/b",{"a/b":{"value":{}}}]', size))(size, contents),
  },
  {
    name: 'entries',
    what: (size) => `PUT /values, ${grouped(size)} × {}, anonymous`,
    size: 240_000,
    quick: 20_000,
    expected: ['400'],
    prepare: (size, contents) => putValues(listOf('{}', size))(size, contents),
  },
  {
    name: 'values',
    what: (size) => `PUT /values, ${grouped(size)} JSON values, which are too many, anonymous`,
    size: 690_000,
    quick: 520_000,
    expected: ['413'],
    prepare: (size, contents) => putValues(listOf('{}', size))(size, contents),
  },
  {
    name: 'digits',
    what: (size) => `PUT of a number of ${grouped(size)} digits, anonymous`,
    size: 2_000_000,
    quick: 1_000_000,
    expected: ['400', '401'],
    prepare: (size, contents) => putValue('9'.repeat(size))(size, contents),
  },
  {
    name: 'strings',
    what: (size) => `PUT of a list of ${grouped(size)} strings, anonymous`,
    size: 240_000,
    quick: 200_000,
    expected: ['400', '401'],
    prepare: (size, contents) => putValue(`[${listOf('"a"', size)}]`)(size, contents),
  },
  {
    name: 'queries',
    what: (size) => `PUT /values with ${grouped(size)} queries, anonymous`,
    size: 40_000,
    quick: 5_000,
    expected: ['401'],
    prepare: (size, contents) => putValues(listOf(SMALL_ENTRY, size))(size, contents),
  },
  {
    name: 'user-queries',
    what: (size) => `PUT /values with ${grouped(size)} queries, the last one wrong, by a user`,
    size: 40_000,
    quick: 5_000,
    expected: ['400', '413'],
    prepare: (size, contents) =>
      putValues(`${listOf(SMALL_ENTRY, size - 1)},["has",{}]`, 'mallory')(size, contents),
  },
]
const SMALL_ENTRY = '["has alice/numbers/all",{"mallory/x":{"value":1}}]'

const WRITES: readonly Attack[] = [
  {
    name: 'tags',
    what: (size) => `PUT /values that makes ${grouped(size)} tags`,
    size: 20_000,
    quick: 500,
    expected: ['204'],
    bystanders: ['read', 'write'],
    withinMs: 3_000,
    prepare: (size) => {
      const folder = `mallory/made${++made}`
      const tags = Array.from({ length: size }, (_, i) => `"${folder}/${i}":{"value":1}`)
      const body = `{"queries":[["service/about = \\"bystander\\"",{${tags.join(',')}}]]}`
      const sent = { body, headers: { ...JSON_BODY, ...credentials('mallory') } }
      return (target) => sendOne(target, ['PUT', '/values', sent])
    },
  },
  {
    name: 'writers',
    what: (size) => `PUT /values with ${grouped(size)} costly queries, by a user, beside a writer`,
    size: 190,
    quick: 20,
    expected: ['204', '413'],
    bystanders: ['read', 'write'],
    writersWaitMs: 6_000,
    prepare: (size, contents) => {
      // Each query after the first may depend on the tag that the first one creates.
      const costly = `service/about matches \\"${'ﷺ'.repeat(3_640)}\\"`
      const entries = listOf(`["${costly}",{"mallory/costly${++made}":{"value":1}}]`, size)
      return putValues(entries, 'mallory')(size, contents)
    },
  },
]

const CONNECTIONS: readonly Attack[] = [
  {
    name: 'deaf',
    what: (size) => `${size} clients ask for 16 MB and never read`,
    size: 60,
    quick: 10,
    expected: ['closed'],
    settings: IMPATIENT,
    prepare: (size) => (target) => neverRead(target, size, requestBytes('GET', LARGE, {})),
  },
  {
    name: 'uploads',
    what: (size) => `${size} bodies of 16 MB of which the last octet never comes, anonymous`,
    size: 30,
    quick: 10,
    expected: ['closed'],
    settings: IMPATIENT,
    prepare: (size) => (target) => neverRead(target, size, UNFINISHED),
  },
  {
    name: 'pipeline',
    what: (size) => `${grouped(size)} requests on one connection, no answer is read`,
    size: 74_000,
    quick: 10_000,
    expected: ['closed'],
    settings: IMPATIENT,
    prepare: (size) => {
      const all = Buffer.alloc(size * DOCUMENT.length, DOCUMENT)
      return (target) => neverRead(target, 1, all)
    },
  },
  {
    name: 'sign-ins',
    what: (size) => `${grouped(size)} sign-ins with names of ${SIGN_IN_NAME_OCTETS / 1000} kB`,
    size: 1_600,
    quick: 200,
    expected: ['401', '429'],
    prepare: (size) => {
      const padding = `${++made}${'n'.repeat(SIGN_IN_NAME_OCTETS)}`
      return (target) =>
        sendMany(target, size, (i) => ['GET', '/users', { headers: signIn(`${i}-${padding}`) }])
    },
  },
  {
    name: 'addresses',
    what: (size) => `${grouped(size)} documents, compressed, each for another made-up host`,
    size: 1_600,
    quick: 200,
    expected: ['200'],
    prepare: (size) => (target) =>
      sendMany(target, size, (i) => [
        'GET',
        '/docs',
        { headers: { Host: `h${i}`, 'Accept-Encoding': 'gzip' } },
      ]),
  },
]
const DOCUMENT = requestBytes('GET', '/openapi.json', {})
const UNFINISHED = requestBytes(
  'PUT',
  LARGE,
  { 'Content-Type': 'text/plain' },
  'x'.repeat(16_000_000),
).subarray(0, -1)

const signIn = (name: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${name}:wrong`).toString('base64')}`,
})

/** The attacks in their order. */
export const ATTACKS: readonly Attack[] = [...BODIES, ...SEARCHES, ...WRITES, ...CONNECTIONS]
