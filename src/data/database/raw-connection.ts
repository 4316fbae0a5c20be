/** A connection in Knex's pool, with the steps of Knex's transactions. */
import { unavailable } from '../../model/errors.ts'
import type { Command, Execute } from './connection/connection.ts'
import type { Demotion } from './demotion.ts'
import { failureOf, fateAfter } from './connection/failures.ts'

/** Runs commands: a thread, a session with a server, or a database in this thread. */
export interface Driver {
  readonly execute: Execute
  /** Whether the pool may use it again. */
  readonly isUsable: boolean
  interrupt(): Promise<void>
  close(): Promise<void>
}

export class RawConnection {
  /** Whether the transaction only reads: its caller then does not wait for its end, but the next transaction does. */
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

  /** Begins a transaction. On MySQL the first statement does so. */
  async begin(): Promise<void> {
    if (!this.#isSqlite) return
    try {
      // With BEGIN alone, a transaction that starts to write later may fail there, instead of waiting for its turn.
      await this.#run(this.onlyReads ? 'BEGIN' : 'BEGIN IMMEDIATE')
    } catch (error) {
      if (failureOf(error) !== 'conflict') this.#isBroken = true
      throw error
    }
  }

  /** Commits. If the connection is lost meanwhile, the outcome is unknown, so the error causes no retry. */
  async commit(): Promise<void> {
    try {
      await this.#run('COMMIT', this.patient)
    } catch (error) {
      await this.rollback()
      throw withUnknownOutcome(error)
    }
  }

  /** Rolls back. Never rejects: if the rollback fails, the pool drops the connection. */
  async rollback(): Promise<void> {
    if (this.#isBroken) return
    this.ended = this.#run('ROLLBACK').catch(() => {
      this.#isBroken = true
    })
    if (!this.onlyReads) await this.ended
  }

  /** Stops the running command; see `Interrupt`. */
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

/** An error of a change that the database may have made all the same: it does not cause a retry. */
export const withUnknownOutcome = (error: unknown): unknown =>
  failureOf(error) === 'lost' ? unavailable(error) : error
