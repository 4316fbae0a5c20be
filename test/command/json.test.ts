/** The results that `--json` prints, besides those that are rows. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { gloss } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** Subcommands in their order, and what each prints. */
const RESULTS: readonly (readonly [args: readonly string[], printed: string])[] = [
  [
    ['tag', 'book:1', 'alice/n=9223372036854775807', 'alice/f=5.0', 'alice/l=["a","b"]'],
    '{"object":"book:1","values":{"alice/n":9223372036854775807,"alice/f":5.0,"alice/l":["a","b"]}}',
  ],
  [
    ['tag', 'book:1', 'alice/cover=LICENSE', '--file', '--media-type', 'text/plain'],
    '{"object":"book:1","values":{"alice/cover":{"value-type":"text/plain","size":SIZE}}}',
  ],
  [['set', 'has alice/n', 'alice/seen=true', '--yes'], '{"objects":1,"values":{"alice/seen":true}}'],
  [['set', 'alice/n = 3', 'alice/seen=true', '--yes'], '{"objects":0,"values":{"alice/seen":true}}'],
  [['unset', 'has alice/n', 'alice/seen', '--yes'], '{"objects":1,"tags":["alice/seen"]}'],
  [['unset', 'has alice/n', 'alice/seen', '--yes'], '{"objects":0,"tags":["alice/seen"]}'],
  [['untag', 'book:1', 'alice/n', 'alice/f'], '{"object":"book:1","tags":["alice/n","alice/f"]}'],
]

test.each(RESULTS)('%j', async (args, printed) => {
  const env = { GLOSS_URL: service.url, GLOSS_USER: 'alice', GLOSS_PASSWORD: PASSWORD }
  const { status, stdout, stderr } = await gloss([...args, '--json', '--quiet'], { env })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout.replace(/"size":\d+/, '"size":SIZE')).toBe(`${printed}\n`)
})
