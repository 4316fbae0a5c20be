/** Actions forbidden to the anonymous user are refused without revealing what exists. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startService, type Options, type Service } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const json = { description: '' }
const policy = { policy: 'open', exceptions: [] }
const NONE = 'nobody/none'
const byId = 'service/id = "99999999-9999-4999-8999-999999999999"'

test.each<[method: string, path: string, options: Options, names: string]>([
  ['POST', '/namespaces/nobody', { json: { ...json, name: 'x' } }, 'nobody'],
  ['PUT', `/namespaces/${NONE}`, { json }, NONE],
  ['DELETE', `/namespaces/${NONE}`, {}, NONE],
  ['POST', '/tags/nobody', { json: { ...json, name: 'x', indexed: true } }, 'nobody'],
  ['PUT', `/tags/${NONE}`, { json }, NONE],
  ['DELETE', `/tags/${NONE}`, {}, NONE],
  ['GET', `/permissions/namespaces/${NONE}`, { query: { action: 'list' } }, NONE],
  ['PUT', `/permissions/namespaces/${NONE}`, { query: { action: 'list' }, json: policy }, NONE],
  ['GET', `/permissions/tags/${NONE}`, { query: { action: 'update' } }, NONE],
  ['PUT', `/permissions/tags/${NONE}`, { query: { action: 'update' }, json: policy }, NONE],
  ['GET', `/permissions/tag-values/${NONE}`, { query: { action: 'read' } }, NONE],
  ['PUT', `/permissions/tag-values/${NONE}`, { query: { action: 'read' }, json: policy }, NONE],
  ['PUT', `/about/none/${NONE}`, { primitive: '1' }, NONE],
  ['DELETE', `/about/none/${NONE}`, {}, NONE],
  ['PUT', `/objects/99999999-9999-4999-8999-999999999999/${NONE}`, { primitive: '1' }, NONE],
  ['DELETE', `/objects/99999999-9999-4999-8999-999999999999/${NONE}`, {}, NONE],
  ['PUT', '/values', { json: { queries: [[byId, { [NONE]: { value: 1 } }]] } }, NONE],
  ['PUT', '/values', { json: { queries: [['has nobody/asked', { [NONE]: { value: 1 } }]] } }, NONE],
  ['PUT', '/values', { json: { queries: [['service/about = "none"', { [NONE]: { value: 1 } }]] } }, NONE],
  ['DELETE', '/values', { query: { query: byId, tag: NONE } }, NONE],
  ['DELETE', '/values', { query: { query: 'has nobody/asked', tag: NONE } }, NONE],
  ['DELETE', '/values', { query: { query: 'has nobody/asked', tag: '*' } }, '*'],
])('refuses %s %s', async (method, path, options, names) => {
  const answer = await service.request(method, path, options)
  expect([answer.status, answer.error, answer.headers['x-service-path']]).toEqual([
    401,
    'TPathPermissionDenied',
    names,
  ])
  expect(answer.headers['www-authenticate']).toBe('Basic realm="Gloss"')
})

test.each<[method: string, path: string, options: Options]>([
  ['POST', '/objects', {}],
  ['POST', '/objects', { json: { about: 'none' } }],
  ['POST', '/about/none', {}],
  ['PUT', '/values', { json: { queries: [['service/about = "none"', {}]] } }],
])('%s %s creates objects and so requires credentials', async (method, path, options) => {
  expect((await service.request(method, path, options)).error).toBe('TUnauthorized')
  expect((await service.request('GET', '/about/none')).status).toBe(404)
})
