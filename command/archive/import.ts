/** `gloss import` of an archive: imports the whole archive into a store. */
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { Progress } from '../terminal/progress.ts'
import { tell, warn } from '../terminal/terminal.ts'
import { importArchive } from './archive-import.ts'
import { countsText } from '../../src/copy/records.ts'

interface Options extends ConnectionOptions {
  readonly quiet?: true
}

/** Imports an archive, and prints what the store contains afterwards. Throws a `Failure` as `importArchive` does. */
export async function importFile(file: string, options: Options): Promise<void> {
  const progress = new Progress('lines', options.quiet)
  const { digest, newUsers } = await importArchive(await connect(options), file, (records) =>
    progress.watch(records),
  )
  tell(`${countsText(digest.counts)} are in the store; digest ${digest.hex()}`)
  if (newUsers.length === 0) return
  const users = newUsers.length === 1 ? newUsers.join('') : `${newUsers.length.toLocaleString('en')} users`
  warn(`Nobody knows the password of ${users}: set a new one by gloss user passwd NAME`)
}
