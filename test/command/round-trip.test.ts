/** Values of all types, exported and imported again. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { emptyHome, gloss } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
const home = emptyHome()
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  await service.stop()
  home.remove()
})

const VALUES = [
  ['5', '-9223372036854775808', '5.0', 'true', '"5"', 'null', '""', '["a","b"]', '[]'],
  ['"04109"', '"113"', '"null"', '5', '[]', '""'],
  ['[]', '["x"]', '"[]"', '["a \\"b\\""]', 'null'],
  ['2.5', '5', '1e+300', '-0.0', 'false'],
  ['"=1+2"', '"-5"', '"@x"', '" x "', '"\\\\N"', '"a\\nb"', '"NA"', '"1,50"'],
  ['null', 'null'],
]

test.each([
  ['a.csv', []],
  ['b.csv', ['--excel']],
  ['c.ndjson', []],
  ['d.json', []],
])('%s %j keeps every value', async (name, more) => {
  const env = { GLOSS_URL: service.url, GLOSS_USER: 'alice', GLOSS_PASSWORD: PASSWORD }
  const run = (...args: readonly string[]) => gloss(args, { cwd: home.folder, env })
  const tags = VALUES.map((_, index) => `alice/${name}/t${String(index)}`)
  const queries = Array.from({ length: 9 }, (_, row) => {
    const values = VALUES.flatMap((texts, index) => {
      const text = texts[row]
      return text === undefined ? [] : [`${JSON.stringify(tags[index])}:{"value":${text}}`]
    })
    return `["service/about = \\"${name}:${String(row)}\\"",{${values.join()}}]`
  })
  await service.ok('PUT', '/values', {
    as: 'alice',
    body: `{"queries":[${queries.join()}]}`,
    headers: { 'content-type': 'application/json' },
  })
  const query = tags.map((tag) => `has ${tag}`).join(' or ')
  const read = async (): Promise<unknown> =>
    (await service.ok('GET', '/values', { as: 'alice', query: { query, tag: tags } })).body
      .toString()
      .replaceAll(/,"updated-at":"[^"]*"/g, '')
  const before = await read()
  const exported = await run(
    'export',
    query,
    '--columns',
    ['id', 'about', ...tags].join(),
    ...more,
    '-o',
    name,
  )
  expect(exported.status).toBe(0)
  await service.ok('DELETE', '/values', { as: 'alice', query: { query, tag: tags } })
  const { status, stderr } = await run('import', join(home.folder, name), '--yes')
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  expect(await read()).toBe(before)
})
