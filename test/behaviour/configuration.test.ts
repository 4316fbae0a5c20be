/** How `BASE_URL`, `TRUST_PROXY` and `SERVICE_NAME` change `URI`, `Location` and the realm of HTTP Basic. */
import { describe, expect, test } from '@jest/globals'
import { useService, type Session } from './use-service.ts'

const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'forwarded.example' }

/** What the URLs that the service returns begin with. */
async function baseOf({ ok }: Session, headers: Record<string, string>): Promise<string> {
  const answer = await ok('POST', '/about/x', { as: 'alice', headers })
  const { URI, id } = answer.json() as { URI: string; id: string }
  expect(answer.headers.location).toBe(URI)
  expect(URI.endsWith(`/objects/${id}`)).toBe(true)
  return URI.slice(0, -`/objects/${id}`.length)
}

describe('by default', () => {
  const session = useService()

  test('URLs are built from Host', async () => {
    expect(await baseOf(session, { host: 'example.org:1234' })).toBe('http://example.org:1234')
  })

  test('forwarded headers are ignored', async () => {
    expect(await baseOf(session, { host: 'example.org', ...forwarded })).toBe('http://example.org')
  })
})

describe('with a trusted proxy', () => {
  const session = useService({ TRUST_PROXY: 'loopback' })

  test('URLs are built from the headers it forwards', async () => {
    expect(await baseOf(session, { host: 'internal:8080', ...forwarded })).toBe('https://forwarded.example')
  })
})

describe('with a base URL and a name', () => {
  const session = useService({
    BASE_URL: 'https://gloss.example/api/',
    TRUST_PROXY: 'loopback',
    SERVICE_NAME: 'Our Gloss',
  })

  test('URLs are built from the base URL alone', async () => {
    expect(await baseOf(session, { host: 'internal:8080', ...forwarded })).toBe('https://gloss.example/api')
  })

  test('the realm is the service name', async () => {
    for (const options of [{ as: 'alice', password: 'wrong' }, {}]) {
      const { headers } = await session.request('POST', '/about/x', options)
      expect(headers['www-authenticate']).toBe('Basic realm="Our Gloss"')
    }
  })
})
