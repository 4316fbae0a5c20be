/** Fills a store over HTTP, because each version of the service has its own tables. */
import { parentOf, baseName, type Path } from '../../src/model/paths.ts'
import type { Primitive } from '../../src/model/tag-value.ts'
import { idText } from '../../src/data/database/ids/ids.ts'
import { aboutCount, aboutOf, bookId, booksWith, catalogueTags, OWNER, READER } from '../catalogue.ts'
import { basic, HttpClient } from '../http.ts'
import { ADMIN_PASSWORD } from '../processes.ts'
import { expectStatus } from '../sides.ts'
import { WRITTEN } from '../store.ts'

/** The number of books in a request. */
const AT_ONCE = 1_000

/** Puts the catalogue of this many values into an empty store, with its users. */
export async function fillOverHttp(port: number, values: number): Promise<void> {
  const admin = new HttpClient(port, basic('service', ADMIN_PASSWORD))
  const owner = new HttpClient(port, basic(OWNER.username, OWNER.password))
  const post = (client: HttpClient, path: string, body: object): Promise<Buffer> =>
    expectStatus(client, 201, 'POST', path, JSON.stringify(body))
  try {
    for (const user of [OWNER, READER]) await post(admin, '/users', user)
    const namespace = parentOf(WRITTEN.gloss as Path) as Path
    await post(owner, `/namespaces/${OWNER.username}`, { name: baseName(namespace), description: '' })
    for (const { path, indexed } of [...catalogueTags(values), { path: WRITTEN.gloss, indexed: false }]) {
      const tag = { name: baseName(path as Path), description: '', indexed }
      await post(owner, `/tags/${parentOf(path as Path) ?? ''}`, tag)
    }
    const elements = elementsOf(values)
    for (let first = 0; first < elements.length; first += AT_ONCE) {
      const queries = elements.slice(first, first + AT_ONCE).join()
      await expectStatus(owner, 204, 'PUT', '/values', `{"queries":[${queries}]}`)
    }
  } finally {
    for (const client of [admin, owner]) client.close()
  }
}

/** An element of PUT /values for each book that has a tag, as JSON. */
function elementsOf(values: number): string[] {
  const entries = new Map<number, string[]>()
  for (const tag of catalogueTags(values)) {
    for (const book of booksWith(tag, values)) {
      // All values of the catalogue are primitive.
      const { json } = tag.value(book) as Primitive
      const entry = `${JSON.stringify(tag.path)}:{"value":${json}}`
      const others = entries.get(book)
      if (others === undefined) entries.set(book, [entry])
      else others.push(entry)
    }
  }
  const queryOf = (book: number): string =>
    book < aboutCount(values)
      ? `service/about = ${JSON.stringify(aboutOf(book))}`
      : `service/id = "${idText(bookId(book))}"`
  return [...entries].map(([book, some]) => `[${JSON.stringify(queryOf(book))},{${some.join()}}]`)
}
