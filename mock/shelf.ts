/** The shelf of books in the contract's examples: the users, tags and values that exist before each request. */

/** A cover of the size in the examples. */
const COVER = Buffer.alloc(84_213, 'png')

/** The ids in the examples, by about value. */
export const IDS = {
  'book:Dune': '019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4',
  '@alice': '019a2f3c-58e1-7c6f-9b20-7e4d1fa6c382',
  'Object for the namespace alice/books': '019a2f3c-5d07-7a90-8e31-b2c46f9d1a58',
  'Object for the namespace alice/books/wanted': '019a2f3c-6f92-7b3d-a4c8-51e7d09b2f36',
  'Object for the attribute alice/books/rating': '019a2f3c-61b4-7e08-a9d7-0c5f83e2b649',
} as const

/** The id in the examples of an object without an about value. */
export const OTHER = '019a2f3d-02c8-7f16-b8a4-d15e70c93f2b'

/** Maps ids in the examples to the ids that the service gave to the same things. */
export type Ids = ReadonlyMap<string, string>

/** A request beyond its method and path. */
interface Options {
  /** The user who sends it. */
  readonly as: string
  /** A JSON body. */
  readonly json?: unknown
  /** A primitive value as the body, as JSON text. */
  readonly primitive?: string
  /** Any body, sent unchanged. */
  readonly body?: Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** A service that answers requests; `ok` throws if the answer is an error. */
export interface Askable {
  /** The password for mallory. */
  readonly password?: string
  /** The id of the object without an about value; by default, the service creates one. */
  readonly other?: string
  readonly ok: (method: string, path: string, options: Options) => Promise<{ json(): unknown }>
}

/** Creates alice's books on a service that contains only its users. */
export async function stockShelf({ ok, password = 'not hers', other: given }: Askable): Promise<Ids> {
  const alice = { as: 'alice' }
  const idAbout = async (about: string): Promise<string> =>
    ((await ok('GET', `/about/${encodeURIComponent(about)}`, alice)).json() as { id: string }).id
  await ok('POST', '/users', { as: 'service', json: { username: 'mallory', password } })
  const json = { name: 'Alice Liddell', email: 'alice@example.org' }
  await ok('PUT', '/users/alice', { ...alice, json })
  for (const [path, name, description] of [
    ['/namespaces/alice', 'books', 'What I read and what I think of it'],
    ['/namespaces/alice/books', 'wanted', 'Books that I have not read yet'],
  ]) {
    await ok('POST', path ?? '', { ...alice, json: { name, description } })
  }
  for (const [name, description] of [
    ['rating', 'How much I liked it, 0 to 10'],
    ['lent', 'Who has it'],
  ]) {
    await ok('POST', '/tags/alice/books', { ...alice, json: { name, description, indexed: true } })
  }
  const dune = '/about/book:Dune'
  const page = '/about/https%3A%2F%2Fexample.org%2Fa-book'
  for (const [path, primitive] of [
    [`${dune}/alice/books/title`, '"Dune"'],
    [`${dune}/alice/books/genres`, '["science fiction","classic"]'],
    [`${dune}/alice/comment`, '"It begins slowly, and then one cannot stop."'],
    [`${page}/alice/comment`, '"A page about a book"'],
  ]) {
    await ok('PUT', path ?? '', { ...alice, primitive: primitive ?? '' })
  }
  await ok('PUT', `${dune}/alice/books/rating`, { ...alice, primitive: '9' })
  const other = given ?? ((await ok('POST', '/objects', { ...alice, json: {} })).json() as { id: string }).id
  await ok('PUT', `/objects/${other}/alice/books/rating`, { ...alice, primitive: '8' })
  const headers = { 'content-type': 'image/png' }
  await ok('PUT', `${dune}/alice/books/cover`, { ...alice, body: COVER, headers })
  const closed = { ...alice, json: { policy: 'closed', exceptions: ['alice', 'bob'] } }
  await ok('PUT', '/permissions/namespaces/alice/books?action=create', closed)
  await ok('PUT', '/permissions/tags/alice/books/rating?action=update', closed)
  await ok('PUT', '/permissions/tag-values/alice/books/rating?action=write', closed)
  const pairs = Object.entries(IDS).map(async ([about, id]) => [id, await idAbout(about)] as const)
  return new Map([[OTHER, other], ...(await Promise.all(pairs))])
}
