/** How long anything waits for the database: nothing waits for ever. */

/** Upper bounds, in milliseconds. */
export interface Waits {
  /** Until a new connection is ready for statements. */
  readonly connect: number
  /** Until a pool has a connection to give. */
  readonly place: number
  /** Until a short statement is answered, and an eighth more. */
  readonly statement: number
  /** Until a statement is answered that may take long, and an eighth of `statement` more. */
  readonly longStatement: number
  /** For what is done by a further connection: to stop a statement, or to ask whether the server is still there. */
  readonly aside: number
  /** For how long the queries of a request may run in a transaction, for which other writers wait. */
  readonly findingInTransaction: number
  /** Until connections are closed, whatever they are doing. */
  readonly close: number
}

/** The least time that the database has for a statement that may take long. */
const LONG_STATEMENT_MS = 60_000

/** The bounds of a service whose queries may take `queryTimeoutMs`. Those that follow one another are below 15 s. */
export const waitsFor = (queryTimeoutMs: number): Waits => ({
  connect: 4000,
  place: 10_000,
  statement: 8000,
  // A query is stopped when its time is over; this is for when that does not help.
  longStatement: Math.max(LONG_STATEMENT_MS, queryTimeoutMs + 10_000),
  aside: 4000,
  findingInTransaction: 5000,
  close: 5000,
})
