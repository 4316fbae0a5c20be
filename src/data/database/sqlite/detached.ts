/**
 * Processes that write where nothing will be found: into a database file, or a write-ahead log, that has been deleted or
 * replaced while they had it open.
 */
import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { sqlitePath } from './sqlite-file.ts'

/** A process and the file that it has open. */
export interface Detached {
  readonly pid: number
  readonly file: string
}

/** What Linux adds to the name of a file that is in no folder any more (proc(5)). */
const DELETED = ' (deleted)'

/**
 * Those of a SQLite database, one for each process, as far as this user may see: a user sees their own processes, root sees
 * all. Elsewhere than on Linux, and for another database, there are none.
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

/** A descriptor may be closed while its folder is read. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

/** What it means, and what can still be saved. */
export const aboutDetached = ({
  pid,
  file,
}: Detached): { readonly what: string; readonly remedy: string } => ({
  what: `process ${String(pid)} writes into ${file}, which was deleted or replaced since: its latest writes are in no file of the store`,
  remedy: 'save what it has by gloss export --all while it runs, then restart it and restore from that',
})
