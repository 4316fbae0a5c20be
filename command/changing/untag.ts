/** `gloss untag`: deletes tags from one object. */
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { queryOf } from '../../common/connection/addresses.ts'
import { addressOf, mustExist } from '../connection/objects.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { Keeping } from '../undo/keeping.ts'
import { visible } from '../../common/values.ts'
import { printJson } from '../terminal/output.ts'
import { tell } from '../terminal/terminal.ts'

export async function run(
  [name = '', ...tags]: readonly string[],
  options: ConnectionOptions & { readonly json?: true },
): Promise<undefined> {
  const connection = await connect(options)
  const address = await addressOf(connection, name)
  await mustExist(connection, address)
  const keeping = new Keeping(connection)
  const query = { query: queryOf(address), tag: tags }
  await withSpelling(connection, async () => {
    await keeping.keep([{ target: address, values: new Map(tags.map((tag) => [tag, null])) }])
    await keeping.during(() => connection.client.DELETE('/values', { params: { query } }), true)
  })
  if (options.json) printJson({ object: name, tags })
  tell(`${visible(name)} is without ${tags.map(visible).join(', ')}`)
  return undefined
}
