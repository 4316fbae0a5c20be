/** Writes a backup of a store while others use it: users, tags and values, without the rows that can be derived from them. */
import { copyOf, type BackupHead } from '../../copy/copy-file.ts'
import { Counts, type BackupRecord } from '../../copy/records.ts'
import { sql } from '../database/connection/sql.ts'
import type { Store } from '../store/store.ts'
import { SCHEMA } from '../store/versions.ts'
import type { ReadTx } from '../store/views.ts'
import { SERVICE } from '../entities/users.ts'
import { objectsIn } from './backup-objects.ts'
import { namespacesIn, tagsIn, usersIn } from './backup-things.ts'
import { writeNewFile } from './new-file.ts'

/** The result of a backup. */
export interface Backup {
  readonly counts: Readonly<Counts>
  /** The damaged values, which the backup lacks, each with its fault. */
  readonly leftOut: readonly string[]
}

/**
 * Writes a backup of a store into a file, in one consistent view, with every write acknowledged before. It blocks no
 * request, and keeps in memory the names of users and tags and no more than the longest value. `schema` is that of the
 * store. Throws if the file exists.
 */
export const backUp = (store: Store, file: string, schema = SCHEMA): Promise<Backup> =>
  store.scan(SERVICE, new AbortController().signal, async (tx) => {
    const leftOut: string[] = []
    let counts: Readonly<Counts> = new Counts()
    const lines = copyOf(recordsIn(tx, leftOut), await headOf(tx, schema), (all) => (counts = all))
    await writeNewFile(file, lines)
    return { counts, leftOut }
  })

async function headOf<V>(tx: ReadTx<V>, schema: string): Promise<BackupHead> {
  const blocks = await tx.all<{ kind: Buffer; next_id: number }>(
    sql`SELECT kind, next_id FROM id_blocks ORDER BY kind`,
  )
  return { schema, next: Object.fromEntries(blocks.map((row) => [row.kind.toString(), row.next_id])) }
}

/** In the order of an archive, so that each record can be imported at once. */
async function* recordsIn<V>(tx: ReadTx<V>, leftOut: string[]): AsyncGenerator<BackupRecord> {
  const users = new Map<number, string>()
  for await (const user of usersIn(tx)) {
    users.set(user.number, user.user)
    yield user
  }
  yield* namespacesIn(tx, users)
  const tags = new Map<number, string>()
  for await (const tag of tagsIn(tx, users)) {
    tags.set(tag.number, tag.tag)
    yield tag
  }
  yield* objectsIn(tx, tags, leftOut)
}
