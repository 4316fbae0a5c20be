/**
 * Finds processes whose writes are lost: they have a database file, or a write-ahead log, open that was deleted or replaced
 * meanwhile.
 */
import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { sqlitePath } from './sqlite-file.ts'

/** A process and the file that it has open. */
export interface Detached {
  readonly pid: number
  readonly file: string
}

/** Linux adds this to the name of a file that is in no folder any more (proc(5)). */
const DELETED = ' (deleted)'

/**
 * The detached processes of a SQLite database, one row for each process, as far as this user may see: users see their own
 * processes, root sees all. Empty on other systems than Linux, and for MySQL.
 */
export function detachedFrom(databaseUrl: string): Detached[] {
  if (!databaseUrl.startsWith('sqlite:') || process.platform !== 'linux') return []
  const path = resolve(sqlitePath(databaseUrl))
  if (!existsSync(dirname(path))) return []
  const file = join(realpathSync(dirname(path)), basename(path))
  const lost = new Set([file, `${file}-wal`].map((name) => `${name}${DELETED}`))
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const found = openFiles(pid).find((name) => lost.has(name))
      return found === undefined ? [] : [{ pid: Number(pid), file: found.slice(0, -DELETED.length) }]
    })
}

/** The names of the files that a process has open; none if it has ended, or belongs to another user. */
function openFiles(pid: string): string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).map((descriptor) => targetOf(`${folder}/${descriptor}`))
  } catch {
    return []
  }
}

/** The target of a descriptor; empty if it was closed while its folder was read. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

/** The consequence, and how to save the data. */
export const aboutDetached = ({
  pid,
  file,
}: Detached): { readonly what: string; readonly remedy: string } => ({
  what: `process ${String(pid)} writes into ${file}, which was deleted or replaced since: its latest writes are in no file of the store`,
  remedy: 'save what it has by gloss export --all while it runs, then restart it and restore from that',
})
