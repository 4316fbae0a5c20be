/** Prism's own command serves what is published of the contract, as front-end teams start it without the project's mock. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { apiOf, publish } from '../../src/documents/published.ts'
import { toOpenApi30 } from '../../src/documents/openapi30.ts'
import { readContract } from '../../src/http/contract/contract.ts'
import { readOperations } from '../../src/http/contract/validation.ts'
import { exampleAnswers, exampleRequests } from '../examples/requests.ts'
import { freePort } from '../support/ports.ts'

const published = publish(readContract())
const operations = (await readOperations()).filter(
  ({ method, path }) => method !== 'head' && !/^\/(docs|openapi|crossdomain)/.test(path),
)

describe.each([
  ['openapi.json', published],
  ['openapi.json?view=api', apiOf(published)],
  ['openapi-3.0.json', toOpenApi30(published)],
])('%s', (_, document) => {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-prism-'))
  let prism: ChildProcess
  let url = ''
  beforeAll(async () => {
    const file = join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify(document))
    url = `http://127.0.0.1:${String(await freePort())}`
    const args = ['mock', '--port', new URL(url).port, file]
    prism = spawn('node_modules/.bin/prism', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of createInterface(prism.stdout as NodeJS.ReadableStream)) {
      if (line.includes('Prism is listening')) break
    }
    prism.stdout?.resume()
  })
  afterAll(async () => {
    if (prism.exitCode === null && prism.kill()) await once(prism, 'exit')
    rmSync(folder, { recursive: true })
  })

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'answers %s with its success',
    async (_, operation) => {
      const [request] = exampleRequests(operation)
      const { path = '', query = {}, body } = request ?? {}
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) {
        for (const one of [value].flat()) search.append(name, one)
      }
      const { status } = await fetch(`${url}${path}?${search.toString()}`, {
        method: operation.method.toUpperCase(),
        headers: {
          authorization: `Basic ${btoa('alice:any password')}`,
          ...(body !== undefined && { 'content-type': body.mediaType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body.example) }),
      })
      expect([operation.operationId, status]).toEqual([
        operation.operationId,
        exampleAnswers(operation).status,
      ])
    },
  )
})
