/** `gloss mv`: a tag or a namespace gets another path. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { emptyHome, gloss, type Ended } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
const home = emptyHome()
beforeAll(async () => {
  service = await startService()
  for (const path of ['alice/books/rating', 'alice/books', 'alice/shelf/note'])
    await service.ok('PUT', `/about/dune/${path}`, { as: 'alice', primitive: '9' })
})
afterAll(async () => {
  home.remove()
  await service.stop()
})

const mv = (from: string, to: string, user = 'alice'): Promise<Ended> =>
  gloss(['mv', from, to], {
    env: { GLOSS_URL: service.url, GLOSS_USER: user, GLOSS_PASSWORD: PASSWORD },
  })
const at = async (path: string): Promise<number> =>
  (await service.request('GET', `/about/dune/${path}`, { as: 'alice' })).status

test('a tag', async () => {
  expect(await mv('alice/books/rating', 'alice/books/stars')).toEqual({
    status: 0,
    stdout: '',
    stderr: 'alice/books/rating is now alice/books/stars\n',
  })
  expect([await at('alice/books/stars'), await at('alice/books/rating')]).toEqual([200, 404])
})

test('the tag, where there is a namespace of that name; with a slash, the namespace', async () => {
  expect((await mv('alice/books', 'alice/book')).status).toBe(0)
  expect([await at('alice/book'), await at('alice/books/stars')]).toEqual([200, 200])
  expect((await mv('alice/books/', 'alice/shelf/books')).stderr).toBe(
    'alice/books is now alice/shelf/books\n',
  )
  expect(await at('alice/shelf/books/stars')).toBe(200)
})

test('a namespace that no tag shares its name with', async () => {
  expect((await mv('alice/shelf', 'alice/room/')).status).toBe(0)
  expect(await at('alice/room/books/stars')).toBe(200)
})

test.each([
  [
    'a path that is taken',
    'alice/book',
    'alice/room/note',
    'alice',
    'the tag alice/room/note already exists',
  ],
  [
    'what is not there',
    'alice/nothing',
    'alice/something',
    'alice',
    'the namespace alice/nothing does not exist',
  ],
  ['what others own', 'alice/book', 'alice/mine', 'bob', 'you are not allowed to delete the tag alice/book'],
  [
    'into itself',
    'alice/room',
    'alice/room/inner',
    'alice',
    'the path "alice/room/inner" is not allowed here',
  ],
])('refused: %s', async (_what, from, to, user, says) => {
  const { status, stdout, stderr } = await mv(from, to, user)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain(says)
})
