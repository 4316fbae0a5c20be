/**
 * Each shell command in the reference succeeds exactly as it is shown, if they are run in a sensible order; so do those of
 * HEAD, which it says how to make.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { modelOf, type Operation } from '../../src/documents/model.ts'
import { exampleCurl } from '../../src/documents/requests.ts'
import { readContract } from '../../src/http/contract/contract.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

const { operations } = modelOf(readContract())
const shownOf = (base: string): string[] =>
  operations.filter(({ method }) => method !== 'HEAD').map((operation) => exampleCurl(operation, base))
const EXAMPLES = shownOf('').join(' ')
/** The objects and tags of the examples. */
const OBJECTS = new Set(EXAMPLES.match(/\/(?:about\/[\w:.-]+|objects\/[\da-f-]{36})/g))
const TAGS = [...new Set(EXAMPLES.match(/alice\/books\/\w+/g))]

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

// Not execFileSync, which would block the service as well.
const execute = promisify(execFile)

/** Runs the command of an operation and returns the status of the answer. */
async function statusOf(operation: Operation): Promise<number> {
  const command = `${exampleCurl(operation, service.url)} -s -o /dev/null -w '%{http_code}'`
  const env = { ...process.env, GLOSS_LOGIN: `service:${PASSWORD}` }
  return Number((await execute('sh', ['-c', command], { env })).stdout)
}

const run = (chosen: readonly Operation[]): void => {
  test.each(chosen.map((operation) => [operation.id, operation] as const))(
    'the command of %s',
    async (_id, operation) => {
      const status = await statusOf(operation)
      const declared = operation.answers.map((answer) => Number(answer.status))
      expect([declared.includes(status), status >= 200 && status < 300, status]).toEqual([true, true, status])
    },
  )
}

const byMethod = (...methods: string[]): Operation[] =>
  operations.filter(({ method }) => methods.includes(method))
const named = (...ids: string[]): Operation[] =>
  ids.flatMap((id) => operations.filter((one) => one.id === id))

test('the reference shows exactly these commands', async () => {
  const page = (await service.ok('GET', '/docs')).body.toString()
  const shown = [...page.matchAll(/<pre class="curl"><code>([^<]*)<\/code>/g)].map(([, text = '']) =>
    text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
  )
  expect(shown.sort()).toEqual(shownOf(service.url).sort())
})

const CREATING = named('createUser', 'createNamespace', 'createTag')
const DELETING = named('deleteTag', 'deleteNamespace', 'deleteUser')

describe('creating', () => {
  beforeAll(() => service.ok('DELETE', '/users/alice', { as: 'service' }))
  run([...CREATING, ...byMethod('POST').filter((operation) => !CREATING.includes(operation))])
})

describe('reading and changing', () => {
  beforeAll(async () => {
    for (const tag of TAGS) {
      for (const object of OBJECTS)
        await service.ok('PUT', `${object}/${tag}`, { as: 'service', primitive: '9' })
    }
  })
  // Reading comes first: PUT changes permissions.
  run(byMethod('GET', 'HEAD'))
  run(byMethod('PUT'))
})

describe('deleting values', () => {
  run(byMethod('DELETE').filter((operation) => !DELETING.includes(operation)))
})

describe('deleting tags, namespaces and users', () => {
  run(named('deleteTag'))
  describe('once they are empty', () => {
    beforeAll(() => empty('alice/books'))
    run(named('deleteNamespace', 'deleteUser'))
  })
})

/** Deletes the contents of a namespace. */
async function empty(path: string): Promise<void> {
  const as = 'service'
  const query = { returnTags: 'true', returnNamespaces: 'true' }
  const { tagNames, namespaceNames } = (
    await service.ok('GET', `/namespaces/${path}`, { as, query })
  ).json() as {
    tagNames: string[]
    namespaceNames: string[]
  }
  for (const name of tagNames) await service.ok('DELETE', `/tags/${path}/${name}`, { as })
  for (const name of namespaceNames) {
    await empty(`${path}/${name}`)
    await service.ok('DELETE', `/namespaces/${path}/${name}`, { as })
  }
}
