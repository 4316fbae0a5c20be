/** The interface of a service for the comparison with Gloss over HTTP. */
import type { Fact } from '../catalogue.ts'

/** The records with a rating from `from` to `to`. */
export interface Condition {
  readonly from: number
  readonly to: number
}

/** A service to compare with. */
export interface OtherService {
  /** The name in the results, with the database: `parse-server on PostgreSQL`. */
  readonly name: string
  /** The versions of the service and its database, known after the installation. */
  version(): string
  /** Installs it into `folder`, unless an earlier run did. Throws the reason if that fails. */
  install(folder: string): Promise<void>
  /**
   * Starts it with its own empty database under `folder`, as durable as its documented settings allow, and with the
   * indexes that its documentation advises for these conditions.
   */
  start(folder: string): Promise<RunningService>
}

/**
 * A running service. Every operation uses HTTP with keep-alive, as a user with credentials if the service has users, and
 * throws if the answer is not a success. Several operations may run at the same time.
 */
export interface RunningService {
  /** The processes of the service (`service`) and of its database. */
  readonly pids: { readonly service: readonly number[]; readonly database: readonly number[] }
  /** Stores the records in the fastest way that the service has over HTTP. Called once. */
  load(facts: readonly Fact[]): Promise<void>
  /** Reads the record with this number; returns its rating as the service returns it. */
  readOne(number: number): Promise<number>
  /** The encoded request of `readOne`, and its port. */
  reading(number: number): { readonly port: number; readonly request: Buffer }
  /** Sets the rating of the record with this number; it is durable once the promise resolves. */
  writeOne(number: number, rating: number): Promise<void>
  /** Finds the records and receives all their ids; returns their number. */
  find(condition: Condition): Promise<number>
  /** Sets the rating of all matching records; returns the number of changed ones, if the service tells. */
  bulkChange(condition: Condition, rating: number): Promise<number | undefined>
  /** Stops the service and its database and removes its data. */
  stop(): Promise<void>
}
