/** Which host of a database URL is in use (docs/decisions/0070-hosts-and-tls.md). */
import { failureOf, waitingHelps } from '../connection/failures.ts'
import { accountIn, accountOf, type Account } from './mysql-account.ts'
import { hostText, tlsOptions, type Host } from './mysql-address.ts'
import { Outsider, roleOf, type Role } from './mysql-roles.ts'
import { Session, type Endpoint } from './mysql-session.ts'
import { waitsFor, type Waits } from '../connection/waits.ts'

/** The index in the URL of the host in use, or `NONE`. All threads of a process use the same host. */
export type HostInUse = Int32Array<SharedArrayBuffer>

/** Why a host was passed over. */
export interface PassedOver {
  readonly host: Host
  readonly code: unknown
  readonly message: string
}

/** How often the service checks, while it is busy, whether the host in use still writes, in milliseconds. */
const LOOK_MS = 2000

/** MySQL's error code with which a host that only reads is passed over. */
const READ_ONLY = 'ER_READ_ONLY_MODE'

/** The host in use turned out to be outside its group: no connection to it is used any more. */
const NONE = -1

type Prepare = (session: Session) => Promise<unknown>

/** What the caller of `Hosts.of` knows besides the URL. */
interface Known {
  /** The host that another thread has chosen. */
  readonly inUse?: HostInUse | undefined
  /** The file that has the URL, and may have one with another account later. */
  readonly file?: string | undefined
}

/** A node that has lost its cluster answers commands that need no table, such as SHOW, but not this one. */
const doNothing: Prepare = (session) => session.query('DO 1')

/** The hosts of a URL. They have the same data: one cluster, or a primary and its replicas. */
export class Hosts {
  static readonly #known = new Map<string, Hosts>()
  readonly inUse: HostInUse
  /** The optional settings that these servers have refused: a further session sets the other ones in one statement. */
  readonly refused = new Set<string>()
  readonly file: string | undefined
  readonly #hosts: readonly [Host, ...Host[]]
  #account: Account
  #lookedAt = performance.now()
  /** Whether a host belongs to a group: then the check also runs for a single host. */
  #haveGroup = false

  private constructor(databaseUrl: string, { inUse, file }: Known) {
    this.inUse = inUse ?? new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    this.file = file
    this.#account = accountOf(databaseUrl)
    this.#hosts = this.#account.hosts
  }

  /** The `Hosts` of a URL, the same object for all callers. */
  static of(databaseUrl: string, more: Known = {}): Hosts {
    const known = Hosts.#known.get(databaseUrl)
    if (known !== undefined) return known
    const hosts = new Hosts(databaseUrl, more)
    Hosts.#known.set(databaseUrl, hosts)
    return hosts
  }

  /** The URL with the account that is in use. */
  get url(): string {
    return this.#account.url
  }

  /**
   * Connects to the host in use, or else to the next one that writes, which is in use from then on. If all answer and none
   * writes, to the host in use. All in the time of one connection. Rejects with the reasons of all hosts, or with the
   * driver's error if there is one host.
   */
  async open(waits: Waits, prepare = doNothing): Promise<Session> {
    const end = performance.now() + waits.connect
    const share = waits.connect / this.#hosts.length
    const used = Atomics.load(this.inUse, 0)
    const first = Math.max(used, 0)
    const passed: NoWriter[] = []
    for (let i = 0; i < this.#hosts.length; i++) {
      const index = (first + i) % this.#hosts.length
      // At least an equal share of the time: if this process was busy, that does not shorten the next host's share.
      const connect = Math.max(share, (end - performance.now()) / (this.#hosts.length - i))
      const tried = await this.#try(index, { ...waits, connect }, prepare)
      this.#haveGroup ||= tried.inGroup
      if (tried.writes) {
        // Does not overwrite a host that another thread has found meanwhile: that result is newer.
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

  /**
   * Reads the files of the URL again, and signs in with the account that they have now, which is in use from then on. Resolves
   * to whether it is a new one. Rejects with the reason if no host admits it, and then goes on with the account in use.
   */
  async renew(waits: Waits): Promise<boolean> {
    const account = this.#read()
    tlsOptions(account.target.encryption)
    if (account === this.#account) return false
    let reason: unknown
    for (const index of this.#hosts.keys()) {
      const tried = await tryHost(this.#endpointOf(index, account), waits, doNothing)
      void tried.session?.close()
      if (!tried.writes) reason = tried.error
      if (this.#adopted(account, tried)) return true
    }
    throw reason
  }

  /** Tries a host; if it refuses the account, again with that of the file, which an operator may have changed. */
  async #try(index: number, waits: Waits, prepare: Prepare): Promise<Tried> {
    const before = this.#account
    const tried = await tryHost(this.#endpointOf(index, before), waits, prepare)
    if (tried.writes || failureOf(tried.error) !== 'refused') return tried
    const account = this.#readQuietly()
    if (account === undefined || account.url === before.url) return tried
    const again = await tryHost(this.#endpointOf(index, account), waits, prepare)
    this.#adopted(account, again)
    return again
  }

  /** Uses an account from now on if a host has admitted it; returns whether it did. */
  #adopted(account: Account, { session }: Tried): boolean {
    if (session === undefined) return false
    if (account.url !== this.#account.url) this.#account = account
    return true
  }

  /** A host with an account. Its connections are no longer used once another host or another account is in use. */
  #endpointOf(index: number, { url, target }: Account): Endpoint {
    return {
      ...target,
      host: this.#hosts[index] as Host,
      isInUse: () => Atomics.load(this.inUse, 0) === index && this.#account.url === url,
      look: () => void this.#look(),
    }
  }

  /** The account in the file, or without one that in use. Throws if the file cannot be used. */
  #read(): Account {
    return this.file === undefined ? this.#account : accountIn(this.file, this.#account)
  }

  /** As `#read`; undefined if the file cannot be used. It may be half written; `renew` says what is wrong with it. */
  #readQuietly(): Account | undefined {
    try {
      return this.#read()
    } catch {
      return undefined
    }
  }

  /** Finds the host to use: connections would stay on a demoted host, which refuses no read, or on a frozen one. */
  async #look(): Promise<void> {
    if (this.#hosts.length === 1 && !this.#haveGroup) return
    if (performance.now() - this.#lookedAt < LOOK_MS) return
    this.#lookedAt = performance.now()
    const waits = waitsFor(0)
    try {
      await (await this.open({ ...waits, connect: waits.aside })).close()
    } catch {
      // A caller that needs a connection gets the error.
    }
  }
}

/** The result of connecting to a host: a session that can write, one that only reads, or none. */
type Tried = { readonly inGroup: boolean } & ({ readonly writes: true; readonly session: Session } | NoWriter)

interface NoWriter {
  readonly writes: false
  readonly session?: Session | undefined
  readonly host: Host
  readonly error: unknown
}

async function tryHost(place: Endpoint, waits: Waits, prepare: Prepare): Promise<Tried> {
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
 * The first session, if all hosts answer: the host that was in use has every acknowledged write. A replica that answers
 * alone may lack the last ones, such as the withdrawal of a permission. Otherwise throws the reasons of the hosts.
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

/** The error if no host serves. It has the code of a host for which waiting helps, if there is one. */
function allPassedOver(failed: readonly NoWriter[]): unknown {
  const [only, another] = failed
  if (another === undefined) return only?.error
  const passed = failed.map(({ host, error }): PassedOver => ({ host, ...reasonOf(error) }))
  const { code } = passed.find(waitingHelps) ?? passed[0] ?? {}
  const said = passed.map(({ host, message }) => `${hostText(host)}: ${message}`).join('; ')
  return Object.assign(new Error(said), { code, passed })
}

/** The code and the message of an error. A network error for a name with several addresses has only a code. */
function reasonOf(error: unknown): Pick<PassedOver, 'code' | 'message'> {
  const { code, message } = error as { code?: unknown; message: string }
  return { code, message: message === '' ? String(code) : message }
}
