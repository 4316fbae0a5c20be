/** The handlers for Mock Service Worker answer the client for TypeScript with the examples of the contract. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { setupServer } from 'msw/node'
import { createClient, readValue } from '../../packages/client/index.ts'
import { handlersFor, type Answer } from '../../packages/client/msw.ts'
import { answersOfContract } from '../../scripts/pack/answers.ts'
import { readOperations } from '../../src/http/contract/validation.ts'
import { exampleRequests } from '../examples/requests.ts'

const URL_ = 'https://gloss.example.org/api'
const answers = await answersOfContract()
const { handlers, handler } = handlersFor(answers)
const server = setupServer(...handlers(URL_))
afterAll(() => {
  server.close()
})

// openapi-fetch keeps the function `fetch` that it finds when a client is created.
server.listen({ onUnhandledRequest: 'error' })
const client = createClient(URL_, { username: 'alice', password: 'any password' })
const operations = await readOperations()

describe('each operation', () => {
  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s answers its own example requests',
    async (id, operation) => {
      const usual = answers.answers[answers.operations.find((one) => one.id === id)?.answers[0] ?? -1]
      for (const { path, query } of exampleRequests(operation)) {
        const search = new URLSearchParams()
        for (const [name, value] of Object.entries(query)) {
          for (const one of [value].flat()) search.append(name, one)
        }
        const answer = await fetch(`${URL_}${path}?${search.toString()}`, {
          method: operation.method.toUpperCase(),
        })
        const wanted = usual?.body?.replaceAll(answers.base, URL_) ?? ''
        expect([path, answer.status, await answer.text()]).toEqual([path, usual?.code, wanted])
      }
    },
  )

  test.each(answers.operations.map((operation) => [operation.id, operation] as const))(
    '%s gives each of its answers',
    async (id, { method, answers: all }) => {
      const [request] = exampleRequests(operations.find(({ operationId }) => operationId === id) as never)
      for (const { code, example } of all.map((index) => answers.answers[index] as Answer)) {
        server.use(handler(URL_, id, { code, ...(example !== undefined && { example }) }))
        const answer = await fetch(`${URL_}${request?.path ?? ''}`, { method: method.toUpperCase() })
        expect(answer.status).toBe(code)
        const shown = code >= 400 && example !== 'WrongCredentials' ? example : null
        expect(answer.headers.get('x-service-error-class')).toBe(shown)
      }
      server.resetHandlers()
    },
  )
})

test('a path is not caught by a shorter one', async () => {
  const { data } = await client.GET('/recent/users/{username}', { params: { path: { username: 'alice' } } })
  expect(Array.isArray(data)).toBe(true)
})

test('slashes in an about value and in a tag path are no border', async () => {
  const about = 'https://example.org/a-book'
  expect(await readValue(client, { about, tag: 'alice/books/rating' })).toMatchObject({
    type: 'int',
    value: 9,
  })
  server.use(handler(URL_, 'getValueByAbout', { example: 'float' }))
  expect(await readValue(client, { about, tag: 'alice/books/rating' })).toMatchObject({
    type: 'float',
    value: 8.5,
  })
  server.resetHandlers()
})

test('errors reach the client with their class, facts and seconds', async () => {
  server.use(handler(URL_, 'getUser', { example: 'TNoSuchUser' }))
  const asked = client.GET('/users/{username}', { params: { path: { username: 'nobody' } } })
  await expect(asked).rejects.toMatchObject({
    status: 404,
    errorClass: 'TNoSuchUser',
    facts: { name: expect.any(String) },
  })
  server.resetHandlers()
})

test('there are no other answers', () => {
  expect(() => handler(URL_, 'getUser', { code: 418 })).toThrow('getUser has no answer {"code":418}')
  expect(() => handler(URL_, 'getNothing')).toThrow('no operation getNothing')
})
