/** `gloss set`: writes one value on all objects that a query matches. */
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { withQuery } from '../connection/query-failure.ts'
import { assignmentsOf, describe, entriesOf, statesOf, type TypeOptions } from './assignments.ts'
import { isTooLarge, Keeping } from '../undo/keeping.ts'
import { objects } from '../../common/changing/change.ts'
import { meant, preview } from './preview.ts'
import { tell } from '../terminal/terminal.ts'

interface Options extends ConnectionOptions, TypeOptions {
  readonly yes?: true
}

export async function run([query = '', ...words]: readonly string[], options: Options): Promise<undefined> {
  const assignments = assignmentsOf(words, options)
  const connection = await connect(options)
  const { count } = await preview(connection, {
    query,
    tags: assignments.map(({ tag }) => tag),
    after: assignments.map(({ value }) => value),
  })
  const tooLarge = isTooLarge(count, words.length)
  const change = assignments.map(describe).join(', ')
  if (count === 0 || !(await meant(`Set ${change} on ${objects(count)}?`, options.yes))) return undefined
  const keeping = new Keeping(connection)
  const body = { queries: [[query, entriesOf(assignments)]] } as never
  await withQuery(query, connection, async () => {
    if (!tooLarge) await keeping.keepFound(query, statesOf(assignments))
    await keeping.during(() => connection.client.PUT('/values', { body }))
  })
  tell(`${change} ${words.length === 1 ? 'is' : 'are'} on ${objects(count)}`)
  return undefined
}
