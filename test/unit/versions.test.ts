/** Documents of earlier versions of the contract, and the list of versions. */
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { compareVersions } from '../../scripts/contract-versions.ts'
import { createDocuments, type DocumentName, type Selection } from '../../src/documents/documents.ts'
import { toOpenApi30 } from '../../src/documents/openapi30.ts'
import { apiOf, publish } from '../../src/documents/published.ts'

const contract = (version: string, base = 'http://127.0.0.1:8080'): object => ({
  openapi: '3.1.0',
  info: { title: 'Gloss', version },
  servers: [{ url: base }],
  externalDocs: { url: `${base}/docs` },
  tags: [{ name: 'all', externalDocs: { url: `${base}/docs#all` } }, { name: 'none' }],
  paths: Object.fromEntries(
    ['/a', `/${version}`].map((path) => {
      const operation = { tags: ['all'], responses: { '200': { description: 'An answer.' } } }
      return [path, { get: operation, head: operation }]
    }),
  ),
  components: {},
})

const asked: string[] = []
const documents = createDocuments({
  current: contract('2.0.0'),
  kept: (version) => {
    asked.push(version)
    return publish(contract(version))
  },
})

const served = (name: DocumentName, selection: Selection): object =>
  parse(documents(name, 'http://h', selection).content.toString()) as object

const BY_VERSION = [undefined, '2.0.0', '1.0.0', '1.0.0-rc.1'].flatMap((version) =>
  ([undefined, 'api'] as const).map((view): [Selection] => [{ version, view }]),
)

test.each(BY_VERSION)('each form says the same of %j, at the address of the service', (selection) => {
  const { version = '2.0.0', view } = selection
  const all = publish(contract(version, 'http://h'))
  const expected = view === 'api' ? apiOf(all) : all
  expect(served('openapi.json', selection)).toEqual(expected)
  expect(served('openapi.yaml', selection)).toEqual(expected)
  expect(served('openapi-3.0.json', selection)).toEqual(toOpenApi30(expected))
})

test('each selection has an entity of its own, which is made once', () => {
  const digests = BY_VERSION.map(([selection]) => documents('openapi.json', 'http://h', selection).digest)
  // Without a version it is the current one.
  expect(new Set(digests).size).toBe(digests.length - 2)
  asked.length = 0
  for (const [selection] of BY_VERSION) documents('openapi.json', 'http://other', selection)
  expect(asked).toEqual([])
})

test('versions are in the order of Semantic Versioning', () => {
  const versions = ['0.2.0', '0.10.0', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0', '1.0.1-rc.1', '1.0.1', '10.0.0']
  expect(versions.toReversed().sort(compareVersions)).toEqual(versions)
})
