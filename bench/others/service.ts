/** What a service that people would otherwise pick has to do to be measured beside Gloss, over HTTP. */

/** A record of the comparison. Gloss holds the same as one object with three values. */
export interface Fact {
  /** From 0 up, without gaps. */
  readonly number: number
  /** From 0 to 999. */
  readonly rating: number
  /** Some words. */
  readonly title: string
  readonly topics: readonly string[]
}

/** The records whose rating is at least `from` and at most `to`. */
export interface Condition {
  readonly from: number
  readonly to: number
}

/** A service to compare with. */
export interface OtherService {
  /** As the table of results calls it, with its database: `parse-server on PostgreSQL`. */
  readonly name: string
  /** The versions of the service and of its database; known once it is installed. */
  version(): string
  /** Installs it into `folder`, or finds it there from an earlier run. Throws with the reason where it cannot be had. */
  install(folder: string): Promise<void>
  /**
   * Starts it with an empty database of its own under `folder`, as durable as it gets by its documented settings, and
   * with the indexes that its documentation advises for these conditions.
   */
  start(folder: string): Promise<RunningService>
}

/**
 * A started service. Every operation goes over HTTP with keep-alive, as a user who has to give credentials if the
 * service knows users, and throws on an answer that is no success. Several are under way at a time.
 */
export interface RunningService {
  /** The processes whose CPU time is the service's: its own (`service`) and its database's. */
  readonly pids: { readonly service: readonly number[]; readonly database: readonly number[] }
  /** Stores the records by the fastest means that the service offers over HTTP. Called once. */
  load(facts: readonly Fact[]): Promise<void>
  /** Reads the record with that number; gives its rating as the service tells it. */
  readOne(number: number): Promise<number>
  /** The request by which `readOne` reads, as it goes over the wire, and the port that it goes to. */
  reading(number: number): { readonly port: number; readonly request: Buffer }
  /** Sets the rating of the record with that number, durably once it resolves. */
  writeOne(number: number, rating: number): Promise<void>
  /** Has the service find the records, and deliver the ids of all of them; gives how many it delivered. */
  find(condition: Condition): Promise<number>
  /** Sets the rating of all records that the condition finds; gives how many were changed, if the service tells. */
  bulkChange(condition: Condition, rating: number): Promise<number | undefined>
  /** Stops the service and its database and removes its data. */
  stop(): Promise<void>
}
