/** `gloss unset`: deletes tags from all objects that a query matches. */
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { withQuery } from '../connection/query-failure.ts'
import { visible } from '../../common/values.ts'
import { printJson } from '../terminal/output.ts'
import { tell } from '../terminal/terminal.ts'
import { isTooLarge, Keeping } from '../undo/keeping.ts'
import { objects } from '../../common/changing/change.ts'
import { meant, preview } from './preview.ts'

interface Options extends ConnectionOptions {
  readonly yes?: true
  readonly json?: true
}

export async function run([query = '', ...tags]: readonly string[], options: Options): Promise<undefined> {
  const connection = await connect(options)
  const changed = await change(connection, { query, tags }, options)
  if (options.json) printJson({ objects: changed, tags })
  return undefined
}

/** Deletes the values after a preview. Returns the number of objects that had one; 0 if the user declines. */
async function change(
  connection: Connection,
  { query, tags }: { readonly query: string; readonly tags: readonly string[] },
  { yes }: Options,
): Promise<number> {
  const after = tags.map(() => undefined)
  const { count, present } = await preview(connection, { query, tags, after }, true)
  if (count === 0 || present.every((number) => number === 0)) return 0
  const what = tags.map(visible).join(', ')
  const [first] = present
  const concerned = (tags.length === 1 ? first : undefined) ?? count
  const tooLarge = isTooLarge(count, tags.length)
  if (!(await meant(`Take ${what} off ${objects(concerned)}?`, yes))) return 0
  const keeping = new Keeping(connection)
  const params = { query: { query, tag: [...tags] } }
  await withQuery(query, connection, async () => {
    if (!tooLarge) await keeping.keepFound(query, new Map(tags.map((tag) => [tag, null])))
    await keeping.during(() => connection.client.DELETE('/values', { params }))
  })
  tell(`${what} ${tags.length === 1 ? 'is' : 'are'} off ${objects(concerned)}`)
  return concerned
}
