/** The small world in which the rows of the status tables are asked. */
import type { Service } from '../support/service.ts'

/** An object that has no about value: nobody made it, as any UUID is one. */
export const THING = '0197a3c0-5a5a-7000-8000-00000000000a'

/** What rows need to know of the world that the service chose. */
export interface World {
  /** Where the service is. */
  readonly url: string
  /** The id of the object about `book-1`. */
  readonly book: string
}

/** alice's tags in `alice/books`, and whether they are indexed. */
const TAGS = { rating: true, secret: true, shared: true, plain: false } as const

/**
 * Makes it, over HTTP: alice's namespaces `alice/books` (listed by everybody) and `alice/empty`; the tags
 * `alice/books/rating` (read by all), `alice/books/secret` (read by alice alone), `alice/books/shared` (everybody may
 * write and delete), `alice/books/plain` (not indexed), `alice/private/diary`; the object about `book-1` with rating 5,
 * a secret and a cover, which is opaque; the object about `bare` with nothing; the object THING with rating 7.
 */
export async function buildWorld(service: Service): Promise<World> {
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
