/** Imports an archive into a store. */
import type { Connection } from '../connection/connect.ts'
import { Failure } from '../../common/failure.ts'
import type { Digest } from './digest.ts'
import { readArchive } from './archive-records.ts'
import { checkNothingElse, namesIn, namesOf } from './names.ts'
import { Pool } from './parallel.ts'
import type { ArchiveRecord } from '../../src/copy/records.ts'
import { usersOf } from './store-records.ts'
import { ThingWriter } from './thing-writer.ts'
import { ValueWriter } from './value-writer.ts'

/** The result of an import. */
export interface Imported {
  /** The digest of the archive. */
  readonly digest: Digest
  /** The users that the import created. It gave them random passwords and did not keep those. */
  readonly newUsers: readonly string[]
}

/** The number of concurrent requests for tags, or with values. */
const WIDTH = 4

/**
 * Creates the content of an archive, or of a backup, in a store, as a superuser. It reads the whole file first. It changes nothing if the
 * file is incomplete or damaged, or if the store has a user, a namespace or a tag that the archive does not have. It
 * leaves equal things in the store unchanged, so that a user can run it again after an interruption. `watch` passes the
 * records on, and may count them. Throws a `Failure`.
 */
export async function importArchive(
  connection: Connection,
  file: string,
  watch: (records: AsyncIterable<ArchiveRecord>) => AsyncIterable<ArchiveRecord>,
): Promise<Imported> {
  await checkSuperuser(connection)
  const { names, digest } = await namesIn(file)
  const present = await namesOf(connection)
  checkNothingElse(present, names)
  const things = new ThingWriter(connection)
  // An earlier import that created these tags may also have written values.
  const isResumed = [...present.tags].some((tag) => !tag.startsWith('service/'))
  await write(watch(readArchive(file)), things, new ValueWriter(connection, isResumed))
  await things.finish(names)
  return { digest, newUsers: things.newUsers }
}

async function checkSuperuser(connection: Connection): Promise<void> {
  const caller = connection.user?.toLowerCase()
  for await (const { user, role } of usersOf(connection)) {
    if (user === caller && role === 'superuser') return
  }
  throw new Failure('only a superuser imports an archive', 'sign in as one: --as service')
}

/**
 * Writes tags and namespaces with their permissions before the values, so that no user sees a value without permission.
 */
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
