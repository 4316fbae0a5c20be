/** `gloss unset`: deletes tags from all objects that a query matches. */
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { withQuery } from '../connection/query-failure.ts'
import { visible } from '../../common/values.ts'
import { tell } from '../terminal/terminal.ts'
import { isTooLarge, Keeping } from '../undo/keeping.ts'
import { objects } from '../../common/changing/change.ts'
import { meant, preview } from './preview.ts'

interface Options extends ConnectionOptions {
  readonly yes?: true
}

export async function run([query = '', ...tags]: readonly string[], options: Options): Promise<undefined> {
  const connection = await connect(options)
  const change = { query, tags, after: tags.map(() => undefined) }
  const { count, present } = await preview(connection, change, true)
  if (count === 0 || present.every((number) => number === 0)) return undefined
  const what = tags.map(visible).join(', ')
  const [first] = present
  const concerned = objects((tags.length === 1 ? first : undefined) ?? count)
  const tooLarge = isTooLarge(count, tags.length)
  if (!(await meant(`Take ${what} off ${concerned}?`, options.yes))) return undefined
  const keeping = new Keeping(connection)
  const params = { query: { query, tag: [...tags] } }
  await withQuery(query, connection, async () => {
    if (!tooLarge) await keeping.keepFound(query, new Map(tags.map((tag) => [tag, null])))
    await keeping.during(() => connection.client.DELETE('/values', { params }))
  })
  tell(`${what} ${tags.length === 1 ? 'is' : 'are'} off ${concerned}`)
  return undefined
}
