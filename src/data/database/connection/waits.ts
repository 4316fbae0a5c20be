/** How long anything waits for the database: nothing waits for ever. */

/** Upper bounds, in milliseconds. */
export interface Waits {
  /** Until a new connection is ready for statements. */
  readonly connect: number
  /** Until a pool has a connection to give. */
  readonly place: number
  /** Until the database answers a short statement, and an eighth more. */
  readonly statement: number
  /** Until the database answers a statement that may take long, and an eighth of `statement` more. */
  readonly longStatement: number
  /** For work on a further connection: to stop a statement, or to check whether the server still runs. */
  readonly aside: number
  /** For how long the queries of a request may run in a transaction while other writers wait. */
  readonly findingInTransaction: number
  /** Until connections are closed, even if they are busy. */
  readonly close: number
}

/** The least time that the database has for a statement that may take long. */
const LONG_STATEMENT_MS = 60_000

/**
 * The bounds of a service whose queries may take `queryTimeoutMs`. A request waits less than 15 s for a connection (`connect`
 * and `place`), and less than 15 s for a short statement that is stopped at its bound (`statement` and `aside`).
 */
export const waitsFor = (queryTimeoutMs: number): Waits => ({
  connect: 4000,
  place: 10_000,
  statement: 8000,
  // The service stops a query when its time is over; this bound is for a query that does not stop.
  longStatement: Math.max(LONG_STATEMENT_MS, queryTimeoutMs + 10_000),
  aside: 4000,
  findingInTransaction: 5000,
  close: 5000,
})
