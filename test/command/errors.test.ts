/** What the command says of errors: of every class of the contract, of answers from elsewhere, and of silence. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { explain, explainClass } from '../../command/terminal/explanations.ts'
import { ServiceError as RefusedAnswer } from '../../packages/client/index.ts'
import { ERRORS, type ErrorClass, sentenceOf } from '../../src/model/errors.ts'
import { gloss } from '../support/gloss.ts'

const classes = Object.keys(ERRORS) as ErrorClass[]
const headers = ['X-Service-Error-Class', 'X-Service-Message', 'X-Service-Path'] as const

/** An answer of this class as the service gives it. */
function answerOf(errorClass: ErrorClass, hint?: string): RefusedAnswer {
  const { status, facts } = ERRORS[errorClass]
  const values = Object.fromEntries(facts.map((fact) => [fact, `the ${fact}`]))
  const fields = Object.fromEntries(
    facts.filter((fact) => fact !== 'message').map((fact) => [`x-service-${fact}`, `the%20${fact}`]),
  )
  const said = encodeURIComponent(sentenceOf(errorClass, values, hint))
  const own =
    errorClass === 'WrongCredentials' ? {} : { [headers[0]]: errorClass, [headers[1]]: said, ...fields }
  return new RefusedAnswer(new Response(null, { status, headers: own }))
}

test.each(classes)('%s is what happened, and what to do', (errorClass) => {
  for (const { what, remedy } of [explain(answerOf(errorClass)), explainClass(errorClass)]) {
    expect(what).toMatch(/^\S.{7,}$/)
    expect(remedy).toMatch(/^\S.{4,}$/)
    expect(what).not.toContain(remedy)
    expect(`${what} ${remedy}`).not.toMatch(/undefined|\[object/)
  }
})

test.each(['TParseError', 'TNonexistentTag', 'WrongCredentials'] as const)(
  '%s is found in an answer with its headers',
  async (errorClass) => {
    const { status } = ERRORS[errorClass]
    const own = errorClass === 'WrongCredentials' ? '' : `X-Service-Error-Class: ${errorClass}\r\n`
    const before = 'HTTP/1.1 100 Continue\r\n\r\n'
    const answer = `${before}HTTP/1.1 ${String(status)} Whatever\r\n${own}X-Service-Message: it%20is%20so\r\n\r\n`
    const ended = await gloss(['explain'], { input: answer })
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    expect(ended.stdout.split('\n')[0]).toBe(`${errorClass} (${String(status)})`)
  },
)

test('the hint of the service comes before the remedy of the command', () => {
  expect(explain(answerOf('TNonexistentTag', 'did you mean x?'))).toEqual({
    what: 'the tag the path does not exist',
    remedy: 'did you mean x?',
  })
})

test('without a class and an answer, all classes are listed', async () => {
  const { status, stdout } = await gloss(['explain'])
  expect(status).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.split(' ')[0])).toEqual(classes)
  const all = JSON.parse((await gloss(['explain', '--json'])).stdout) as readonly { readonly class: string }[]
  expect(all.map((one) => one.class)).toEqual(classes)
})

test('a class is explained by an example', async () => {
  const { stdout } = await gloss(['explain', 'TPathPermissionDenied'])
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'TPathPermissionDenied (401)',
    'For example: you are not allowed to read values of the tag alice/books/rating',
  ])
  const unknown = await gloss(['explain', 'Xyzzy'])
  expect(unknown.stderr).toContain('→ gloss explain lists all classes')
})

test('a class that there is not is misuse, and gets the one that was probably meant', async () => {
  const ended = await gloss(['explain', 'TNonexistantTag'])
  expect(ended).toMatchObject({ status: 2, stdout: '' })
  expect(ended.stderr).toContain('did you mean TNonexistentTag?')
})

test.each([
  ['text', 'Hello', 'is no answer of HTTP'],
  ['a success', 'HTTP/1.1 200 OK\r\n\r\n{}', 'is no error'],
])('%s cannot be explained', async (_what, input, said) => {
  const ended = await gloss(['explain'], { input })
  expect(ended).toMatchObject({ status: 2, stdout: '' })
  expect(ended.stderr).toContain(said)
})

test('an answer that is not from Gloss says so', async () => {
  await withServer(502, async (url) => {
    const ended = await gloss(['query', 'has a/b', '--url', url])
    expect(ended).toMatchObject({ status: 1, stdout: '' })
    expect(ended.stderr).toContain('has the status 502, and no error class')
  })
})

async function withServer(status: number, work: (url: string) => Promise<void>): Promise<void> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(status).end('<h1>Bad gateway</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
