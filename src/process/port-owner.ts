/** Finds the process that listens on a port, as far as Linux lets this process see it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** A process. */
export interface PortOwner {
  readonly pid: number
  /** The name of its program. */
  readonly name: string
}

/** The state `LISTEN` in /proc/net/tcp (the kernel's Documentation/networking/proc_net_tcp.rst). */
const LISTENS = '0A'

/** The process that listens on a TCP port of this machine; undefined if there is none, or this process cannot see it. */
export function whoListens(port: number): PortOwner | undefined {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningSockets(table, port)))
  if (sockets.size === 0) return undefined
  const pid = namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => holdsOne(name, sockets))
  // The name in `comm` is that of a thread.
  return pid === undefined ? undefined : { pid: Number(pid), name: basename(targetOf(`/proc/${pid}/exe`)) }
}

/** The sockets that listen on a port, in the form of the links of open files. */
function listeningSockets(table: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return readIfAllowed(`/proc/net/${table}`)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === LISTENS && local.endsWith(`:${hex}`))
    .map((fields) => `socket:[${fields[9] ?? ''}]`)
}

const holdsOne = (pid: string, sockets: ReadonlySet<string>): boolean =>
  namesIn(`/proc/${pid}/fd`).some((file) => sockets.has(targetOf(`/proc/${pid}/fd/${file}`)))

/** Returns `otherwise` if another user owns the file, it is gone meanwhile, or the system is not Linux. */
function unlessHidden<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const readIfAllowed = (file: string): string => unlessHidden(() => readFileSync(file, 'utf8'), '')
const namesIn = (folder: string): string[] => unlessHidden(() => readdirSync(folder), [])
const targetOf = (link: string): string => unlessHidden(() => readlinkSync(link), '')
