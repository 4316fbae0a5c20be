/**
 * Limits of lengths count characters as Unicode code points, or octets of UTF-8: with characters that are two code units and
 * four octets, each limit is met exactly, and by one character or octet more.
 */
import { describe, expect, test } from '@jest/globals'
import type { Answer } from '../support/service.ts'
import { ask, useService } from './raw-requests.ts'

const setting = useService()

const request = (method: string, path: string, json?: unknown, as = 'alice'): Promise<Answer> =>
  setting().service.request(method, path, { as, ...(json !== undefined && { json }) })

const outcome = ({ status, error }: Answer): unknown[] => [status, error]

/** Of the plane of letters: its lower case is as long. */
const LETTER = '𐐨'
const FACE = '😀'

type Ask = (text: string) => Promise<Answer>
/** The status where it fits, and the status and class where it does not. */
type Outcomes = readonly [status: number, refused: readonly [number, string]]

let created = 0
const createUser = (fields: object): Promise<Answer> => {
  created += 1
  return request(
    'POST',
    '/users',
    { username: `units${created}`, password: 'correct horse', ...fields },
    'service',
  )
}

const put = (path: string): Promise<Answer> =>
  setting().service.request('PUT', path, { as: 'alice', primitive: '1' })

const e = encodeURIComponent

const CHARACTERS: readonly (readonly [what: string, most: number, character: string, Ask, Outcomes])[] = [
  ['a user name', 128, LETTER, (username) => createUser({ username }), [201, [400, 'TUsernameTooLong']]],
  ['a new password', 1024, FACE, (password) => createUser({ password }), [201, [400, 'InvalidPayloadField']]],
  [
    'a changed password',
    1024,
    FACE,
    (password) => request('PUT', '/users/carol', { password }, 'service'),
    [204, [400, 'InvalidPayloadField']],
  ],
  [
    'the name of a namespace with its path',
    233 - 'alice/'.length,
    LETTER,
    (name) => request('POST', '/namespaces/alice', { name, description: '' }),
    [201, [400, 'TInvalidPath']],
  ],
  [
    'the name of a tag with its path',
    233 - 'alice/books/'.length,
    LETTER,
    (name) => request('POST', '/tags/alice/books', { name, description: '', indexed: false }),
    [201, [400, 'TInvalidPath']],
  ],
  [
    'the path of a tag that a value makes',
    233 - 'alice/made/'.length,
    LETTER,
    (name) => put(`/about/units/alice/made/${e(name)}`),
    [204, [400, 'TInvalidPath']],
  ],
  [
    'the text of suggestions',
    512,
    FACE,
    (text) => request('GET', `/search/suggest?tag=alice/books/rating&text=${e(text)}`),
    [200, [400, 'TBadArgument']],
  ],
  [
    'a callback',
    128,
    LETTER,
    (callback) => ask(setting().url, 'GET', `/users/alice?callback=${e(callback)}`),
    [200, [400, 'TBadArgument']],
  ],
]

describe('characters are code points', () => {
  test.each(CHARACTERS)('of %s at most %d', async (_what, most, character, asking, [fits, exceeds]) => {
    expect(outcome(await asking(character.repeat(most)))).toEqual([fits, undefined])
    expect(outcome(await asking(character.repeat(most + 1)))).toEqual(exceeds)
  })

  test('of a new password at least 8', async () => {
    expect(outcome(await createUser({ password: FACE.repeat(7) }))).toEqual([400, 'InvalidPayloadField'])
    expect(outcome(await createUser({ password: FACE.repeat(8) }))).toEqual([201, undefined])
  })
})

/** A text of so many octets: characters of four, and what is missing as letters. */
const octets = (count: number): string => FACE.repeat(Math.floor(count / 4)) + 'x'.repeat(count % 4)

const BEFORE = 'alice/books/plain = ""'.length

const OCTETS: readonly (readonly [what: string, most: number, Ask, Outcomes])[] = [
  ['an about value', 65_535, (about) => request('POST', '/objects', { about }), [201, [400, 'TBadArgument']]],
  [
    'a query',
    32_768 - BEFORE,
    (text) =>
      request('PUT', '/values', {
        queries: [[`alice/books/plain = "${text}"`, { 'alice/books/plain': { value: 1 } }]],
      }),
    [204, [400, 'TParseError']],
  ],
]

describe('octets are those of UTF-8', () => {
  test.each(OCTETS)('of %s at most %d', async (_what, most, asking, [fits, exceeds]) => {
    expect(Buffer.byteLength(octets(most))).toBe(most)
    expect(outcome(await asking(octets(most)))).toEqual([fits, undefined])
    expect(outcome(await asking(octets(most + 1)))).toEqual(exceeds)
  })
})
