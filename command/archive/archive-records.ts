/** Reads what an archive, or a backup, says of a store's content. */
import { CopyFault, recordsIn, verifyCopy } from '../../src/copy/copy-file.ts'
import type { ArchiveRecord, ObjectName } from '../../src/copy/records.ts'
import { Failure, STATUS } from '../../common/failure.ts'
import { KEPT_BY_SERVICE } from './store-records.ts'

/**
 * Yields the records of an archive, and those that an archive would have of a backup. It reads the whole file first. Throws a
 * `Failure` if the file is neither, is incomplete or was changed.
 */
export async function* readArchive(file: string): AsyncGenerator<ArchiveRecord> {
  await verifyCopy(file).catch((error: unknown) => {
    if (!(error instanceof CopyFault)) throw error
    throw new Failure(error.message, 'copy the file again, or make it again', STATUS.failed, { cause: error })
  })
  for await (const record of recordsIn(file)) {
    if ('opaque' in record) yield { ...record, object: nameIn(record.object) }
    else if ('object' in record)
      yield { ...record, object: nameIn(record.object), values: ownValues(record.values) }
    else yield record
  }
}

/** An object with an about value has another id in another store. */
const nameIn = (object: ObjectName): ObjectName => ('about' in object ? { about: object.about } : object)

const ownValues = <Value>(values: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([tag]) => !KEPT_BY_SERVICE.has(tag)))
