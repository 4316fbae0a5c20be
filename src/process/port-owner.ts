/** Which process listens on a port, as far as Linux lets this one see. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** A process. */
export interface PortOwner {
  readonly pid: number
  /** Of its program. */
  readonly name: string
}

/** The state `LISTEN` in /proc/net/tcp (the kernel's Documentation/networking/proc_net_tcp.rst). */
const LISTENS = '0A'

/** The process that listens on a TCP port of this machine; undefined if none does, or it cannot be seen. */
export function whoListens(port: number): PortOwner | undefined {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningSockets(table, port)))
  if (sockets.size === 0) return undefined
  const pid = namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => holdsOne(name, sockets))
  // The name in `comm` is that of a thread.
  return pid === undefined ? undefined : { pid: Number(pid), name: basename(targetOf(`/proc/${pid}/exe`)) }
}

/** The sockets that listen on a port, as the links of open files name them. */
function listeningSockets(table: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return textOf(`/proc/net/${table}`)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === LISTENS && local.endsWith(`:${hex}`))
    .map((fields) => `socket:[${fields[9] ?? ''}]`)
}

const holdsOne = (pid: string, sockets: ReadonlySet<string>): boolean =>
  namesIn(`/proc/${pid}/fd`).some((file) => sockets.has(targetOf(`/proc/${pid}/fd/${file}`)))

/** What belongs to others, has ended meanwhile, or is of another system, counts as empty. */
function unlessHidden<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const textOf = (file: string): string => unlessHidden(() => readFileSync(file, 'utf8'), '')
const namesIn = (folder: string): string[] => unlessHidden(() => readdirSync(folder), [])
const targetOf = (link: string): string => unlessHidden(() => readlinkSync(link), '')
