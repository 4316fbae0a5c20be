/** The checks of the doctor for an SQLite file: 6 checks of the file, its folder and its file system. */
import { accessSync, constants, existsSync, rmSync, statfsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { SqliteDatabase } from '../../../src/data/database/sqlite/sqlite-file.ts'
import { aboutDetached, detachedFrom } from '../../../src/data/database/sqlite/detached.ts'
import { MOST_KEPT_BYTES } from '../../../src/data/database/sqlite/room.ts'
import { failure, GIB, ok, size, warning, type Finding } from './finding.ts'

/** Returns whether a service would create the file. */
export const isNew = (file: string): boolean => !existsSync(file)

export const sqliteChecks = (file: string): Finding[] => {
  const folder = existing(dirname(resolve(file)))
  return [
    rights(file),
    writers(file),
    folderRights(folder, dirname(resolve(file))),
    journal(folder),
    fileSystem(statfsSync(folder).type),
    room(folder),
  ]
}

/** The folder, or the nearest existing folder above it. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))

const WRITABLE = 0o222
const OF_OTHERS = 0o077

function rights(file: string): Finding {
  if (isNew(file)) return ok('file', 'it will be for its owner alone')
  const { mode } = statSync(file)
  if ((mode & WRITABLE) === 0 || !may(file, constants.R_OK | constants.W_OK)) {
    return failure('file', {
      what: `${file} is not writable for this user`,
      remedy: 'make it writable for whoever runs the service (chown, chmod 600)',
    })
  }
  return (mode & OF_OTHERS) === 0
    ? ok('file', 'its owner alone may read it')
    : warning('file', `others may read ${file}, and the hashes of passwords in it`, `chmod 600 ${file}*`)
}

function writers(file: string): Finding {
  const [first] = isNew(file) ? [] : detachedFrom(`sqlite:${file}`)
  return first === undefined
    ? ok('writers', 'no process writes into a deleted one')
    : failure('writers', aboutDetached(first))
}

function folderRights(folder: string, wanted: string): Finding {
  if (may(folder, constants.W_OK | constants.X_OK))
    return ok('folder', folder === wanted ? `${folder} is writable` : `${wanted} will be made`)
  return failure('folder', {
    what: `nothing can be made in ${folder}, where SQLite has files beside the database`,
    remedy: 'make it writable for whoever runs the service',
  })
}

function may(file: string, mode: number): boolean {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return false
  }
}

/** Tries a write-ahead log with a database of its own, because some file systems have no shared memory. */
function journal(folder: string): Finding {
  const scratch = join(folder, `.gloss-doctor-${process.pid}.db`)
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => SqliteDatabase
    const database = new Database(scratch)
    try {
      const mode = JSON.stringify(database.pragma('journal_mode = WAL'))
      database.prepare('CREATE TABLE tried (id INTEGER)').run()
      if (!mode.includes('wal')) throw new Error(`the journal mode stays ${mode}`)
    } finally {
      database.close()
    }
    return ok('journal', 'a write-ahead log works here')
  } catch (error) {
    return failure('journal', {
      what: `a write-ahead log does not work in ${folder}: ${(error as Error).message}`,
      remedy: 'put the file on a local disk that can be written',
    })
  } finally {
    for (const part of ['', '-wal', '-shm', '-journal']) rmSync(`${scratch}${part}`, { force: true })
  }
}

/** File systems on which SQLite's locks do not work (statfs(2), linux/magic.h). */
const NETWORK: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB 2',
  0x5346414f: 'AFS',
  0x00c36400: 'CephFS',
  0x0bd00bd0: 'Lustre',
  0x01021997: '9P',
}

/** Judges the type of the file system, a number of statfs(2). */
export function fileSystem(type: number): Finding {
  const name = NETWORK[type >>> 0]
  return name === undefined
    ? ok('file system', 'it is not one of a network')
    : failure('file system', {
        what: `it is ${name}, on which locks of SQLite may not hold, and a store may be damaged`,
        remedy: 'put the file on a local disk, or use MySQL',
      })
}

const LITTLE = GIB

function room(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  return roomOf(bavail * bsize)
}

/** Judges the number of free octets. */
export function roomOf(free: number): Finding {
  const remedy = 'make room, or put the file on a larger disk'
  if (free < MOST_KEPT_BYTES) return failure('disk', { what: `there are ${size(free)} of room`, remedy })
  return free < LITTLE
    ? warning('disk', `there are ${size(free)} of room`, remedy)
    : ok('disk', `there are ${size(free)} of room`)
}
