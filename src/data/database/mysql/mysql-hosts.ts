/** Which of the hosts of a database URL is in use (docs/decisions/0070-hosts-and-tls.md). */
import { waitingHelps } from '../connection/failures.ts'
import { hostText, readMysqlUrl, type Host } from './mysql-address.ts'
import { Outsider, roleOf, type Role } from './mysql-roles.ts'
import { Session, type Place } from './mysql-session.ts'
import { waitsFor, type Waits } from '../connection/waits.ts'

/** The place of the host in use in the URL, or `NONE`: the threads of a process go to the same one. */
export type HostInUse = Int32Array<SharedArrayBuffer>

/** Why a host was passed over. */
export interface PassedOver {
  readonly host: Host
  readonly code: unknown
  readonly message: string
}

/** How often it is looked whether the host in use still writes, in milliseconds, while there is something to do. */
const LOOK_MS = 2000

/** Why a host that only reads is passed over, among the codes of MySQL. */
const READ_ONLY = 'ER_READ_ONLY_MODE'

/** Where the host in use turned out to be outside its group: no connection to it is used any more. */
const NONE = -1

type Prepare = (session: Session) => Promise<unknown>

/** A node that has lost its cluster answers what needs no table, such as SHOW, but not this. */
const doNothing: Prepare = (session) => session.query('DO 1')

/** The hosts of a URL. They have the same data: one cluster, or a primary and its replicas. */
export class Hosts {
  static readonly #known = new Map<string, Hosts>()
  readonly inUse: HostInUse
  readonly #places: readonly [Place, ...Place[]]
  #lookedAt = performance.now()
  /** Whether a host was seen that belongs to a group: a single one must be looked at then, too. */
  #haveGroup = false

  private constructor(databaseUrl: string, inUse: HostInUse) {
    this.inUse = inUse
    const { hosts, ...rest } = readMysqlUrl(databaseUrl)
    const placeOf = (host: Host, i: number): Place => ({
      ...rest,
      host,
      isInUse: () => Atomics.load(this.inUse, 0) === i,
      look: () => void this.#look(),
    })
    const [first, ...others] = hosts
    this.#places = [placeOf(first, 0), ...others.map((host, i) => placeOf(host, i + 1))]
  }

  /** Those of a URL, the same for all who ask; with `inUse` if another thread has chosen. */
  static of(databaseUrl: string, inUse?: HostInUse): Hosts {
    const known = Hosts.#known.get(databaseUrl)
    if (known !== undefined) return known
    const shared = inUse ?? new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const hosts = new Hosts(databaseUrl, shared)
    Hosts.#known.set(databaseUrl, hosts)
    return hosts
  }

  /**
   * Connects to the host in use, or else to the next one that writes, which is in use from then on. If all are there and
   * none writes, to the host in use. All in the time of one connection. Rejects with the reasons of all hosts, or with
   * the driver's error if there is one host.
   */
  async open(waits: Waits, prepare = doNothing): Promise<Session> {
    const end = performance.now() + waits.connect
    const share = waits.connect / this.#places.length
    const used = Atomics.load(this.inUse, 0)
    const first = Math.max(used, 0)
    const passed: NoWriter[] = []
    for (let i = 0; i < this.#places.length; i++) {
      const index = (first + i) % this.#places.length
      // No less than an equal share: a process that was busy itself counts nothing against the next one.
      const connect = Math.max(share, (end - performance.now()) / (this.#places.length - i))
      const tried = await tryHost(this.#places[index] as Place, { ...waits, connect }, prepare)
      this.#haveGroup ||= tried.inGroup
      if (tried.writes) {
        // Not if others have found another one meanwhile: what they found is newer.
        Atomics.compareExchange(this.inUse, 0, used, index)
        closeAll(passed)
        return tried.session
      }
      passed.push(tried)
    }
    if (passed[0]?.error instanceof Outsider) Atomics.compareExchange(this.inUse, 0, used, NONE)
    const session = readingOnly(passed)
    Atomics.compareExchange(this.inUse, 0, used, first)
    return session
  }

  /** Finds the host that is to be in use: one that is demoted refuses no read, and one that is frozen says nothing. */
  async #look(): Promise<void> {
    if (this.#places.length === 1 && !this.#haveGroup) return
    if (performance.now() - this.#lookedAt < LOOK_MS) return
    this.#lookedAt = performance.now()
    const waits = waitsFor(0)
    try {
      await (await this.open({ ...waits, connect: waits.aside })).close()
    } catch {
      // Whoever needs a connection is told why there is none.
    }
  }
}

/** What came of connecting to a host: a session that can write, one that only reads, or none. */
type Tried = { readonly inGroup: boolean } & ({ readonly writes: true; readonly session: Session } | NoWriter)

interface NoWriter {
  readonly writes: false
  readonly session?: Session
  readonly host: Host
  readonly error: unknown
}

async function tryHost(place: Place, waits: Waits, prepare: Prepare): Promise<Tried> {
  const { host } = place
  let role: Role = { writes: false, inGroup: false }
  try {
    const session = await Session.open(place, waits, async (opened) => {
      role = await roleOf(opened)
      await prepare(opened)
    })
    const { writes, inGroup } = role
    if (writes) return { writes, inGroup, session }
    const error = Object.assign(new Error('it is read-only'), { code: READ_ONLY })
    return { writes, inGroup, session, host, error }
  } catch (error) {
    return { writes: false, inGroup: role.inGroup || error instanceof Outsider, host, error }
  }
}

function closeAll(passed: readonly NoWriter[]): void {
  for (const { session } of passed) void session?.close()
}

/**
 * The first session, if all hosts are there: the host that was in use has all that was acknowledged. A replica that is
 * left alone may lack the last of it, such as that a permission was withdrawn. Throws why none serves.
 */
function readingOnly(passed: readonly NoWriter[]): Session {
  const sessions = passed.flatMap(({ session }) => session ?? [])
  const [first] = sessions
  if (first !== undefined && sessions.length === passed.length) {
    closeAll(passed.slice(1))
    return first
  }
  closeAll(passed)
  throw allPassedOver(passed)
}

/** The error if no host serves; by its code, something that may pass is worth waiting for. */
function allPassedOver(failed: readonly NoWriter[]): unknown {
  const [only, another] = failed
  if (another === undefined) return only?.error
  const passed = failed.map(({ host, error }): PassedOver => ({ host, ...reasonOf(error) }))
  const { code } = passed.find(waitingHelps) ?? passed[0] ?? {}
  const said = passed.map(({ host, message }) => `${hostText(host)}: ${message}`).join('; ')
  return Object.assign(new Error(said), { code, passed })
}

/** A network error of a name with several addresses has only a code. */
function reasonOf(error: unknown): Pick<PassedOver, 'code' | 'message'> {
  const { code, message } = error as { code?: unknown; message: string }
  return { code, message: message === '' ? String(code) : message }
}
