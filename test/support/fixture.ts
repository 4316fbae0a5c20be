/** The users, namespaces, tags and values that the rows of the status tables assume. */
import type { Service } from './service.ts'

/** An object without an about value. Nobody created it: every UUID is an object. */
export const THING = '0197a3c0-5a5a-7000-8000-00000000000a'

/** What rows need to know and the service chose. */
export interface Fixture {
  /** The URL of the service. */
  readonly url: string
  /** The id of the object with the about value `book-1`. */
  readonly book: string
}

/** alice's tags in `alice/books`, and whether they are indexed. */
const TAGS = { rating: true, secret: true, shared: true, plain: false } as const

/**
 * Creates, over HTTP: alice's namespaces `alice/books` (listed by everybody) and `alice/empty`; the tags
 * `alice/books/rating` (read by everybody), `alice/books/secret` (read by alice alone), `alice/books/shared` (written
 * and deleted by everybody), `alice/books/plain` (not indexed) and `alice/private/diary`; the object `book-1` with
 * rating 5, a secret and an opaque cover; the object `bare` without tags; and the object THING with rating 7.
 */
export async function buildFixture(service: Service): Promise<Fixture> {
  const ok: Service['ok'] = (...request) => service.ok(...request)
  const as = 'alice'
  const description = 'for tests'
  for (const name of ['books', 'empty']) {
    await ok('POST', '/namespaces/alice', { as, json: { name, description } })
  }
  for (const [name, indexed] of Object.entries(TAGS)) {
    await ok('POST', '/tags/alice/books', { as, json: { name, description, indexed } })
  }
  const setPolicy = (tag: string, action: string, json: object): Promise<unknown> =>
    ok('PUT', `/permissions/tag-values/${tag}`, { as, query: { action }, json })
  await setPolicy('alice/books/secret', 'read', { policy: 'closed', exceptions: ['alice'] })
  await setPolicy('alice/books/shared', 'write', { policy: 'open', exceptions: [] })
  await setPolicy('alice/books/shared', 'delete', { policy: 'open', exceptions: [] })
  await ok('PUT', '/about/book-1/alice/books/rating', { as, primitive: '5' })
  await ok('PUT', '/about/book-1/alice/books/secret', { as, primitive: '"hidden"' })
  await ok('PUT', '/about/book-1/alice/private/diary', { as, primitive: '"dear diary"' })
  await ok('PUT', '/about/book-1/alice/books/cover', {
    as,
    body: 'not really',
    headers: { 'content-type': 'image/png' },
  })
  await ok('PUT', `/objects/${THING}/alice/books/rating`, { as, primitive: '7' })
  await ok('POST', '/about/bare', { as })
  const { id: book } = (await ok('GET', '/about/book-1')).json() as { id: string }
  return { url: service.url, book }
}
