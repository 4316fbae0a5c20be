/** A connection as Knex's pool keeps it, with what Knex's transactions do on it. */
import { unavailable } from '../../model/errors.ts'
import type { Command, Execute } from './connection/connection.ts'
import type { Demotion } from './demotion.ts'
import { failureOf, fateAfter } from './connection/failures.ts'

/** What runs commands: a thread, a session with a server, or a database in this thread. */
export interface Driver {
  readonly execute: Execute
  /** Whether it may serve for more. */
  readonly isUsable: boolean
  interrupt(): Promise<void>
  close(): Promise<void>
}

export class RawConnection {
  /** Whether the transaction only reads: the next one is not begun before its end, but its result need not wait for that. */
  onlyReads = false
  /** Whether the statements of the transaction may take long, and so its COMMIT. */
  patient = false
  /** Resolves once the last transaction has ended. */
  ended: Promise<void> = Promise.resolve()
  readonly #driver: Driver
  readonly #isSqlite: boolean
  readonly #demotion: Demotion
  readonly #since = performance.now()
  #isBroken = false

  constructor(driver: Driver, isSqlite: boolean, demotion: Demotion) {
    this.#driver = driver
    this.#isSqlite = isSqlite
    this.#demotion = demotion
  }

  /** Whether the pool may hand it out again. */
  get isUsable(): boolean {
    return !this.#isBroken && this.#driver.isUsable && !this.#demotion.isSince(this.#since)
  }

  /** Runs a command. Rejects with the driver's error. */
  async do(command: Command): Promise<unknown> {
    try {
      return await this.#driver.execute(command)
    } catch (error) {
      const fate = fateAfter(error)
      if (fate !== 'back') this.#isBroken = true
      if (fate === 'demoted') this.#demotion.note()
      throw error
    }
  }

  /** Begins a transaction. On MySQL its first statement does so. */
  async begin(): Promise<void> {
    if (!this.#isSqlite) return
    try {
      // A transaction that becomes one of writers later may fail there, instead of waiting for its turn.
      await this.#run(this.onlyReads ? 'BEGIN' : 'BEGIN IMMEDIATE')
    } catch (error) {
      if (failureOf(error) !== 'conflict') this.#isBroken = true
      throw error
    }
  }

  /** Commits. If the connection is lost meanwhile, the outcome is unknown, so the error does not have the work run again. */
  async commit(): Promise<void> {
    try {
      await this.#run('COMMIT', this.patient)
    } catch (error) {
      await this.rollback()
      throw withUnknownOutcome(error)
    }
  }

  /** Rolls back. Never rejects: a connection that cannot is not used again. */
  async rollback(): Promise<void> {
    if (this.#isBroken) return
    this.ended = this.#run('ROLLBACK').catch(() => {
      this.#isBroken = true
    })
    if (!this.onlyReads) await this.ended
  }

  /** Stops the command that is running; as `Interrupt` says. */
  interrupt(): Promise<void> {
    return this.#driver.interrupt()
  }

  close(): Promise<void> {
    return this.#driver.close()
  }

  async #run(text: string, patient = false): Promise<void> {
    await this.do({ do: 'run', text, values: [], patient })
  }
}

/** An error of a change that may have been made all the same: it does not have the change made again. */
export const withUnknownOutcome = (error: unknown): unknown =>
  failureOf(error) === 'lost' ? unavailable(error) : error
