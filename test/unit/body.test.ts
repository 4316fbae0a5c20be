/** How much room bodies take: JSON more than its octets, as it is not kept as it comes. */
import { expect, test } from '@jest/globals'
import { readBody } from '../../src/http/request/body.ts'
import type { ContractOperation } from '../../src/http/contract/contract.ts'
import type { Incoming } from '../../src/http/request/request.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'

const operationWith = (...types: string[]): ContractOperation => ({
  operationId: 'x',
  path: '/x',
  method: 'put',
  requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, {}])) },
  responses: {},
})
const JSON_ONLY = operationWith('application/json')
const ANY_VALUE = operationWith(PRIMITIVE_MEDIA_TYPE, '*/*')

test.each([
  ['JSON', JSON_ONLY, 'application/json', '["a"]', [30]],
  ['a primitive value', ANY_VALUE, PRIMITIVE_MEDIA_TYPE, '["a"]', [30]],
  ['an opaque value', ANY_VALUE, 'image/png', '["a"]', [5]],
])('%s', async (_what, operation, contentType, body, octets) => {
  const asked: number[] = []
  const incoming: Incoming = {
    method: 'PUT',
    rawPath: '/x',
    args: new Map(),
    callback: undefined,
    header: (name) => (name === 'content-type' ? contentType : undefined),
    bodyLength: () => body.length,
    readBytes: async (reserve) => {
      const sent = Buffer.from(body)
      await reserve(sent.length)
      return sent
    },
  }
  const reserve = async (octets: number): Promise<void> => void asked.push(octets)
  await readBody(incoming, operation, { maxJsonDepth: 9, reserve })
  expect(asked).toEqual(octets)
})
