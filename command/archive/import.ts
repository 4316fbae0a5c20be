/** `gloss import-archive`: an archive back into a store. */
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { Progress } from '../exporting/progress.ts'
import { tell, warn } from '../manners/terminal.ts'
import { importArchive } from './archive-import.ts'
import { countsText } from './records.ts'

interface Options extends ConnectionOptions {
  readonly quiet?: true
}

export async function run([file = '']: readonly string[], options: Options): Promise<undefined> {
  const progress = new Progress('lines', options.quiet)
  const { end, digest, newUsers } = await importArchive(await connect(options), file, (records) =>
    progress.watch(records),
  )
  tell(`${countsText(end)} are in the store; digest ${digest}`)
  if (newUsers.length === 0) return undefined
  const users = newUsers.length === 1 ? newUsers.join('') : `${newUsers.length.toLocaleString('en')} users`
  warn(`Nobody knows the password of ${users}: set a new one by gloss user passwd NAME`)
  return undefined
}
