/** A service with everything in its store that a store can have: for tests that check, break, back up and restore it. */
import { startService, type Service } from '../support/service.ts'

/** An opaque value in three parts. */
const LARGE = Buffer.alloc(2 * 1024 * 1024 + 5, 'large \x00\xff ')

/** Values of every type and of awkward shapes, as JSON. */
const PRIMITIVES: Readonly<Record<string, string>> = {
  nothing: 'null',
  yes: 'true',
  int: '-9223372036854775808',
  largest: '9223372036854775807',
  float: '-0.0',
  tiny: '5e-324',
  word: '"one book:Dune word"',
  empty: '""',
  odd: '"\\u0000 \\u2028 ß İ \\"quoted\\" 漢字"',
  'long-word': JSON.stringify('x'.repeat(300)),
  text: JSON.stringify(`a long text ${'and some more of it '.repeat(100)}`),
  huge: JSON.stringify(`very ${'long'.repeat(300_000)} word`),
  list: '["one","two","one",""]',
  'empty-list': '[]',
  'long-list': JSON.stringify(Array.from({ length: 400 }, (_, i) => `item ${String(i)}`)),
}

/** Starts a service and fills its store with what all operations leave behind. */
export async function startFilledService(): Promise<Service> {
  const service = await startService()
  const ok: Service['ok'] = (...request) => service.ok(...request)
  const as = 'alice'
  for (const [name, primitive] of Object.entries(PRIMITIVES)) {
    await ok('PUT', `/about/thing/alice/deep/er/${name}`, { as, primitive })
  }
  await ok('POST', '/tags/alice', { as, json: { name: 'plain', description: 'not indexed', indexed: false } })
  await ok('PUT', '/about/thing/alice/plain', { as, primitive: '["words of items","are not found"]' })
  const opaque = { 'content-type': 'application/x-thing; of="a kind"' }
  await ok('PUT', '/about/thing/alice/large', { as, body: LARGE, headers: opaque })
  await ok('PUT', '/about/thing/alice/short', { as, body: Buffer.of(0, 255), headers: opaque })
  const queries = Array.from({ length: 120 }, (_, i) => [
    `service/about = "https://example.org/${String(i)}"`,
    { 'bob/number': { value: i }, 'bob/text': { value: `text of ${String(i)} ${'long '.repeat(i)}` } },
  ])
  await ok('PUT', '/values', { as: 'bob', json: { queries } })
  await changePolicies(ok)
  await deleteSome(ok)
  await moveSome(ok)
  return service
}

async function changePolicies(ok: Service['ok']): Promise<void> {
  const closed = { policy: 'closed', exceptions: ['alice', 'bob'] }
  await ok('PUT', '/permissions/namespaces/alice/deep', {
    as: 'alice',
    query: { action: 'create' },
    json: closed,
  })
  await ok('PUT', '/permissions/tag-values/alice/large', {
    as: 'alice',
    query: { action: 'read' },
    json: closed,
  })
  const open = { policy: 'open', exceptions: ['anon', 'carol'] }
  await ok('PUT', '/permissions/tag-values/alice/plain', {
    as: 'alice',
    query: { action: 'read' },
    json: open,
  })
  await ok('PUT', '/tags/alice/large', { as: 'alice', json: { description: 'described '.repeat(100) } })
}

/** Leaves behind what deleted users, tags, namespaces and values leave behind. */
async function deleteSome(ok: Service['ok']): Promise<void> {
  const json = { username: 'dave', password: 'correct horse', name: 'Dave', email: 'dave@example.org' }
  await ok('POST', '/users', { as: 'service', json })
  await ok('PUT', '/about/thing/dave/once', { as: 'dave', primitive: '"gone soon"' })
  await ok('DELETE', '/tags/dave/once', { as: 'dave' })
  await ok('DELETE', '/users/dave', { as: 'service' })
  await ok('PUT', '/about/thing/alice/gone/too', { as: 'alice', primitive: '"value of a deleted tag"' })
  await ok('DELETE', '/tags/alice/gone/too', { as: 'alice' })
  await ok('DELETE', '/namespaces/alice/gone', { as: 'alice' })
  await ok('DELETE', '/about/thing/alice/deep/er/word', { as: 'alice' })
  await ok('PUT', '/about/thing/alice/deep/er/word', { as: 'bob', primitive: '"another"' }).catch(
    () => undefined,
  )
  await ok('PUT', '/about/thing/alice/deep/er/word', { as: 'alice', primitive: '"book:Dune again"' })
}

/** Moves names, and makes them anew: their objects have no about value, while those that moved keep theirs. */
async function moveSome(ok: Service['ok']): Promise<void> {
  const as = 'alice'
  const write = (primitive: string) => ok('PUT', '/about/thing/alice/old/name', { as, primitive })
  const move = (json: object) => ok('POST', '/moves', { as, json })
  await write('"moved twice"')
  await move({ tag: 'alice/old/name', to: 'alice/old/other' })
  await write('"moved once"')
  await move({ namespace: 'alice/old', to: 'alice/deep/old' })
  await write('"not moved"')
}
