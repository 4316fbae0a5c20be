/** An archive back into a store. */
import type { Connection } from '../connection/connect.ts'
import { Failure } from '../../shared/failure.ts'
import { readArchive } from './archive-file.ts'
import { checkNothingElse, namesIn, namesOf } from './names.ts'
import { Pool } from './parallel.ts'
import type { ArchiveRecord, Tail } from './records.ts'
import { usersOf } from './store-records.ts'
import { ThingWriter } from './thing-writer.ts'
import { ValueWriter } from './value-writer.ts'

/** What an import has done. */
export interface Imported extends Tail {
  /** The users that it made, with passwords that nobody knows. */
  readonly newUsers: readonly string[]
}

/** So many requests for tags, or with values, are under way. */
const WIDTH = 4

/**
 * Makes what an archive holds, as a superuser. It reads all of the file first, and changes nothing if that is torn or
 * damaged, nor if the store has a user, a namespace or a tag that the archive does not have. What is there and equal stays
 * as it is, so that it can be run again after a break. `watch` passes the records on, and may count them. Throws a
 * `Failure`.
 */
export async function importArchive(
  connection: Connection,
  file: string,
  watch: (records: AsyncIterable<ArchiveRecord>) => AsyncIterable<ArchiveRecord>,
): Promise<Imported> {
  await checkSuperuser(connection)
  const { names, tail } = await namesIn(file)
  const present = await namesOf(connection)
  checkNothingElse(present, names)
  const things = new ThingWriter(connection)
  // Where it has made tags before, it may have written values.
  const isResumed = [...present.tags].some((tag) => !tag.startsWith('service/'))
  await write(watch(readArchive(file)), things, new ValueWriter(connection, isResumed))
  await things.finish(names)
  return { ...tail, newUsers: things.newUsers }
}

async function checkSuperuser(connection: Connection): Promise<void> {
  const caller = connection.user?.toLowerCase()
  for await (const { user, role } of usersOf(connection)) {
    if (user === caller && role === 'superuser') return
  }
  throw new Failure('only a superuser imports an archive', 'sign in as one: --as service')
}

/** Things first, with their permissions, so that nobody sees a value that they may not see. */
async function write(
  records: AsyncIterable<ArchiveRecord>,
  things: ThingWriter,
  values: ValueWriter,
): Promise<void> {
  const pool = new Pool(WIDTH)
  try {
    let section: string | undefined
    for await (const record of records) {
      const next = sectionOf(record)
      if (next !== section) await pool.done()
      section = next
      if ('user' in record) await things.user(record)
      else if ('namespace' in record) await things.namespace(record)
      else if ('tag' in record) await pool.begin(() => things.tag(record))
      else {
        const work = values.add(record)
        if (work !== undefined) await pool.begin(work)
      }
    }
    await pool.begin(values.rest())
    await pool.done()
  } finally {
    await pool.idle()
  }
}

const sectionOf = (record: ArchiveRecord): string =>
  ['user', 'namespace', 'tag'].find((kind) => kind in record) ?? 'object'
