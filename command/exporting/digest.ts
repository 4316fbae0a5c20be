/** `gloss digest`: prints one line with which users compare two stores. */
import { readArchive } from '../archive/archive-records.ts'
import { Digest } from '../archive/digest.ts'
import { countsText } from '../../src/copy/records.ts'
import { recordsOf } from '../archive/store-records.ts'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import { tell } from '../terminal/terminal.ts'
import { Progress } from '../terminal/progress.ts'

interface Options extends ConnectionOptions {
  readonly quiet?: true
}

export async function run([file]: readonly string[], options: Options): Promise<undefined> {
  const records = file === undefined ? recordsOf(await connect(options)) : readArchive(file)
  const digest = new Digest()
  for await (const record of new Progress('lines', options.quiet).watch(records)) digest.add(record)
  process.stdout.write(`${digest.hex()}\n`)
  tell(countsText(digest.counts))
  return undefined
}
