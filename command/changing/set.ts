/** `gloss set`: writes one value on all objects that a query matches. */
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { withQuery } from '../connection/query-failure.ts'
import {
  assignmentsOf,
  describe,
  entriesOf,
  statesOf,
  valuesOf,
  type Assignment,
  type TypeOptions,
} from './assignments.ts'
import { isTooLarge, Keeping } from '../undo/keeping.ts'
import { objects } from '../../common/changing/change.ts'
import { meant, preview } from './preview.ts'
import { printJson } from '../terminal/output.ts'
import { tell } from '../terminal/terminal.ts'

interface Options extends ConnectionOptions, TypeOptions {
  readonly yes?: true
  readonly json?: true
}

export async function run([query = '', ...words]: readonly string[], options: Options): Promise<undefined> {
  const assignments = assignmentsOf(words, options)
  const connection = await connect(options)
  const changed = await change(connection, { query, assignments }, options)
  if (options.json) printJson({ objects: changed, values: valuesOf(assignments) })
  return undefined
}

/** Writes the values after a preview. Returns the number of objects that the query matched; 0 if the user declines. */
async function change(
  connection: Connection,
  { query, assignments }: { readonly query: string; readonly assignments: readonly Assignment[] },
  { yes }: Options,
): Promise<number> {
  const { count } = await preview(connection, {
    query,
    tags: assignments.map(({ tag }) => tag),
    after: assignments.map(({ value }) => value),
  })
  const tooLarge = isTooLarge(count, assignments.length)
  const what = assignments.map(describe).join(', ')
  if (count === 0 || !(await meant(`Set ${what} on ${objects(count)}?`, yes))) return 0
  const body = { queries: [[query, entriesOf(assignments)]] } as never
  const keeping = new Keeping(connection)
  await withQuery(query, connection, async () => {
    if (!tooLarge) await keeping.keepFound(query, statesOf(assignments))
    await keeping.during(() => connection.client.PUT('/values', { body }))
  })
  tell(`${what} ${assignments.length === 1 ? 'is' : 'are'} on ${objects(count)}`)
  return count
}
