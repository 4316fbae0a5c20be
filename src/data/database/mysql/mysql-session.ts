/** A connection to a server that speaks the MySQL protocol. Every command gets an answer, or fails within a bounded time. */
import { connect, type Socket } from 'node:net'
import type { Connection as Driver } from 'mysql2'
import { named } from '../connection/failures.ts'
import { noteCertificate } from './certificates.ts'
import { driverOptions, type Target } from './mysql-address.ts'
import { createConnection } from './mysql-driver.ts'
import type { Waits } from '../connection/waits.ts'

/** After how long without traffic the system checks whether the other side still answers; it gives up 10 s later. */
const KEEP_ALIVE_MS = 10_000
/** How many times within `statement` ms the session checks whether that time is over. */
const SWEEPS = 8
/** How long a server may take to close a connection after the driver said goodbye. */
const FAREWELL_MS = 1000

const WHICH_NODE = `SELECT CONCAT(@@hostname, ':', @@port) AS node`

/** Settles the promise of a command. */
type Done<T> = (error: Error | null, result?: T) => void

/** The server that a session leads to, and whether new connections still lead there. */
export interface Endpoint extends Target {
  readonly isInUse: () => boolean
  /** Starts a check, not too often, whether the host still serves. */
  readonly look: () => void
}

interface Asked {
  readonly reject: (error: Error) => void
  /** Whether the answer may take long. */
  readonly patient: boolean
}

/**
 * The driver reports a lost connection only to commands with a callback, and to none after an order to close. So a session
 * keeps its pending commands and fails them itself: when the socket closes, or when the answer takes too long. A failed
 * session is never used again.
 */
export class Session {
  /** Resolves when the connection is gone. */
  readonly closed: Promise<void>
  /** For callers that send statements themselves; the session does not watch these. */
  readonly driver: Driver
  /** The socket of the connection, below its TLS. */
  readonly #socket: Socket
  readonly #place: Endpoint
  readonly #waits: Waits
  /** The pending commands, in their order: the server works on the first. */
  readonly #asked = new Set<Asked>()
  /** How many sweeps ago the server last answered, or received a command while it was idle. */
  #silentFor = 0
  #sweeper: NodeJS.Timeout | undefined
  #lost: Error | undefined
  /** The server at the other end: several may share one address. */
  #node: string | undefined

  private constructor(place: Endpoint, waits: Waits) {
    this.#place = place
    this.#waits = waits
    const options = driverOptions(place)
    const { host, port } = options
    const alive = { keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }
    this.#socket = connect({ host, port, noDelay: true, ...alive })
    // Node checks a certificate against this, and sets it only for names: an address would pass for `localhost`.
    Object.assign(this.#socket, { _host: host })
    // `open` bounds the time to connect, together with the first statements.
    this.driver = createConnection({ ...options, connectTimeout: 0, stream: () => this.#socket })
    // This listener stays: an `error` event without a listener would end the process.
    this.driver.on('error', (error: Error) => {
      this.end(error)
    })
    // Added after the driver's own listeners, which know more about the reason.
    this.closed = new Promise((resolve) => {
      this.#socket.once('close', () => {
        this.end(failure('PROTOCOL_CONNECTION_LOST', 'the connection to the database was lost'))
        resolve()
      })
    })
  }

  /** Connects, and prepares the connection within the same time limit. Rejects with the reason if that fails. */
  static async open(
    place: Endpoint,
    waits: Waits,
    prepare: (session: Session) => Promise<unknown>,
  ): Promise<Session> {
    const session = new Session(place, waits)
    const late = setTimeout(() => {
      session.end(failure('ETIMEDOUT', 'the database did not accept a connection in time'))
    }, waits.connect)
    try {
      await prepare(session)
      noteCertificate(session.driver)
      return session
    } catch (error) {
      session.end(error as Error)
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  /** Whether the pool may use the connection again: it is open, and leads to the host in use. */
  get isUsable(): boolean {
    this.#place.look()
    return this.#lost === undefined && this.#place.isInUse()
  }

  /** Calls the driver with `send`; the driver calls `done` at the end. `patient`: whether the command may take long. */
  ask<T>(send: (driver: Driver, done: Done<T>) => void, patient = false): Promise<T> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      const asked = { reject, patient }
      if (this.#asked.size === 0) this.#silentFor = 0
      this.#asked.add(asked)
      this.#sweeper ??= this.#sweeping()
      const done: Done<T> = (error, result) => {
        this.#asked.delete(asked)
        this.#silentFor = 0
        if (error === null) resolve(result as T)
        else reject(named(error))
      }
      try {
        send(this.driver, done)
      } catch (error) {
        done(error as Error)
      }
    })
  }

  /** Runs a statement without values. */
  query<Row>(text: string): Promise<Row[]> {
    return this.ask<Row[]>((driver, done) => driver.query(text, done as Done<unknown>))
  }

  /** Finds out which server this is, so that `interrupt` does not stop another connection's work. */
  async identify(): Promise<void> {
    this.#node = (await this.query<{ node: string }>(WHICH_NODE))[0]?.node
  }

  /**
   * Ends the connection and its statement. Uses a further connection, since this one is busy; to end the statement alone
   * would miss one that has been sent but not begun. Never rejects.
   */
  async interrupt(): Promise<void> {
    // If the server does not answer, the sweep ends the connection meanwhile.
    await Promise.race([this.#stopServer(), this.closed])
    this.end(failure('PROTOCOL_CONNECTION_LOST', 'the connection to the database was interrupted'))
  }

  /** Ends the connection, and fails all pending commands. */
  end(reason: Error): void {
    if (this.#lost !== undefined) return
    this.#lost = named(reason)
    clearInterval(this.#sweeper)
    this.#socket.destroy()
    for (const { reject } of this.#asked) reject(this.#lost)
    this.#asked.clear()
  }

  /** Closes the connection; resolves when it is closed. Pending commands fail. */
  async close(): Promise<void> {
    if (this.#lost === undefined && this.#asked.size === 0) {
      const late = setTimeout(() => this.#socket.destroy(), FAREWELL_MS)
      // Without this command the server would count a lost connection.
      this.driver.end()
      await this.closed
      clearTimeout(late)
    }
    this.end(failure('PROTOCOL_CONNECTION_LOST', 'the connection to the database was closed'))
    await this.closed
  }

  /** One timer for all statements: it stops when there are none. */
  #sweeping(): NodeJS.Timeout {
    const timer = setInterval(() => {
      if (this.#asked.size > 0) this.#sweep()
      else if (++this.#silentFor > SWEEPS) {
        clearInterval(timer)
        this.#sweeper = undefined
      }
    }, this.#waits.statement / SWEEPS)
    return timer.unref()
  }

  #sweep(): void {
    const [first] = this.#asked
    if (first === undefined) return
    // Later requests then need not wait for a host that does not answer.
    this.#place.look()
    // At least this long: it counts sweeps, not time, so time in which this process was busy does not count.
    const silentMs = this.#silentFor++ * (this.#waits.statement / SWEEPS)
    const { statement, longStatement } = this.#waits
    if (silentMs >= (first.patient ? longStatement : statement)) this.#giveUp()
    else if (silentMs > 0 && silentMs % statement === 0) void this.#giveUpUnlessBusy(first)
  }

  /** Gives up a command that may take long, unless the server is working on it. */
  async #giveUpUnlessBusy(first: Asked): Promise<void> {
    const busy = await this.#aside((other) => this.#isBusy(other)).catch(
      // A refusal is an answer, too.
      (error: unknown) => (error as { code?: string }).code?.startsWith('ER_') === true,
    )
    if (!busy && this.#asked.has(first)) this.#giveUp()
  }

  /** Whether the server works for this connection; true also if the other connection leads to another server. */
  async #isBusy(other: Session): Promise<boolean> {
    await other.identify()
    if (other.#node !== this.#node) return true
    // MySQL 9 cannot select from `information_schema.PROCESSLIST` while a statement in it holds bytes that are not text.
    const processes = await other.query<{ Id: number; Command: string }>('SHOW PROCESSLIST')
    const own = processes.find(({ Id }) => Id === this.driver.threadId)
    return own !== undefined && own.Command !== 'Sleep'
  }

  #giveUp(): void {
    // No request waits for the statement any more, so the server need not finish it.
    void this.#stopServer()
    this.end(failure('ETIMEDOUT', 'the database did not answer in time'))
  }

  async #stopServer(): Promise<void> {
    const { threadId } = this.driver
    const stop = async (other: Session): Promise<void> => {
      await other.identify()
      // On another server, another connection may have this number.
      if (other.#node === this.#node) await other.query(`KILL ${String(threadId)}`)
    }
    // Without a connection the service cannot stop it: then it runs until the server's own limit.
    await this.#aside(stop).catch(() => undefined)
  }

  /** Runs `work` on a further connection to the same host, in bounded time. */
  async #aside<T>(work: (session: Session) => Promise<T>): Promise<T> {
    let result: T | undefined
    const session = await Session.open(
      this.#place,
      { ...this.#waits, connect: this.#waits.aside },
      async (other) => {
        result = await work(other)
      },
    )
    void session.close()
    return result as T
  }
}

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })
