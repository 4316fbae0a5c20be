/** `gloss api`: single requests, their bodies and errors, and who gets the password. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { gloss, type Ended, type RunOptions } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const api = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  gloss(['api', ...args], {
    ...options,
    env: { GLOSS_URL: service.url, GLOSS_USER: 'alice', GLOSS_PASSWORD: PASSWORD, ...options.env },
  })

const TYPE = 'Content-Type: application/vnd.service.value+json'

test('it writes and reads, and prints the bytes of the answer', async () => {
  const value = '/about/book:Dune/alice/note'
  const put = await api(['put', value, '--body', '-', '--header', TYPE], { input: '"x\\u0000"' })
  expect(put).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(await api(['GET', value])).toEqual({ status: 0, stdout: '"x\\u0000"', stderr: '' })
  const found = await api(['GET', '/search?query=has%20alice/note&tag=alice/note'])
  expect(JSON.parse(found.stdout)).toMatchObject({ results: [{ about: 'book:Dune' }] })
  const head = await api(['HEAD', value])
  expect(head.stdout).toContain('content-type: application/vnd.service.value+json\n')
  expect(await api(['DELETE', value, '--header', 'If-Match: "0"'])).toMatchObject({ status: 1 })
  expect(await api(['DELETE', value])).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('a body is JSON without a header that says otherwise, and a notice of the service is shown', async () => {
  const ended = await api(['PUT', '/about/book:Dune/alice/opaque', '--body', '-'], { input: '{"a":1}' })
  expect(ended).toMatchObject({ status: 0, stdout: '' })
  expect(ended.stderr).toContain('stored as an opaque value')
})

test('an error is said in words, and has the status 1', async () => {
  const ended = await api(['GET', '/about/book:Nothing'])
  expect(ended).toMatchObject({ status: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^gloss: .+ \[NoSuchObject\]\n {2}→ .+\n$/)
})

test.each([
  [['BREW', '/users/alice'], "there is no method 'BREW'"],
  [['GET', 'users/alice'], "'users/alice' is no path"],
  [['GET', '/users/alice', '--header', 'nonsense'], "'nonsense' is no header"],
  [['PUT', '/users/alice', '--body', 'no-such-file'], "'no-such-file' cannot be read"],
])('%j is misuse', async (args, said) => {
  const ended = await api(args)
  expect(ended).toMatchObject({ status: 2, stdout: '' })
  expect(ended.stderr).toContain(said)
})

test('no other host gets a request', async () => {
  const seen: (string | undefined)[] = []
  const other: Server = createServer(({ url }, response) => {
    seen.push(url)
    response.end()
  })
  const redirecting: Server = createServer((_request, response) =>
    response.writeHead(307, { location: `${urlOf(other)}/` }).end(),
  )
  const urlOf = (server: Server): string =>
    `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  for (const server of [other, redirecting])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = urlOf(other).slice('http:'.length)
  for (const path of [urlOf(other), `@${host.slice(2)}/`, host, `/\\${host.slice(2)}`, `/..${host}`])
    expect((await api(['GET', path])).status).not.toBe(0)
  expect((await api(['GET', '/x'], { env: { GLOSS_URL: urlOf(redirecting) } })).stderr).toContain('redirects')
  expect(seen).toEqual([])
  for (const server of [other, redirecting]) server.close()
})
