/** What a service must provide to be compared with Gloss over HTTP. */

/** A record of the comparison. Gloss holds the same as one object with three values. */
export interface Fact {
  /** From 0 upwards, without gaps. */
  readonly number: number
  /** From 0 to 999. */
  readonly rating: number
  /** Some words. */
  readonly title: string
  readonly topics: readonly string[]
}

/** The records with a rating from `from` to `to`. */
export interface Condition {
  readonly from: number
  readonly to: number
}

/** A service to compare with. */
export interface OtherService {
  /** Its name in the results, with its database: `parse-server on PostgreSQL`. */
  readonly name: string
  /** The versions of the service and its database, known once it is installed. */
  version(): string
  /** Installs it into `folder`, unless an earlier run did. Throws with the reason if it cannot be installed. */
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
  /** Stores the records by the fastest means that the service has over HTTP. Called once. */
  load(facts: readonly Fact[]): Promise<void>
  /** Reads the record with this number; returns its rating as the service gives it. */
  readOne(number: number): Promise<number>
  /** The encoded request of `readOne`, and its port. */
  reading(number: number): { readonly port: number; readonly request: Buffer }
  /** Sets the rating of the record with this number; it is durable once the promise resolves. */
  writeOne(number: number, rating: number): Promise<void>
  /** Finds the records and receives the ids of all of them; returns their number. */
  find(condition: Condition): Promise<number>
  /** Sets the rating of all records that match; returns how many were changed, if the service says so. */
  bulkChange(condition: Condition, rating: number): Promise<number | undefined>
  /** Stops the service and its database and removes its data. */
  stop(): Promise<void>
}
