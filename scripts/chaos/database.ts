/** A database that instances of the service run on, and what can be done to it. */
import type { Server } from './server.ts'

/** What is done, by name. Each resolves when all is as before, but for the time that it takes to recover. */
export type Harms = Readonly<Record<string, () => Promise<void>>>

export interface Database {
  /** One for each instance that is to run on it. */
  readonly urls: readonly string[]
  /** By which the store is checked at the end: nodes of a cluster should have the same, and each is looked at. */
  readonly checkedUrls: readonly string[]
  /** What the servers do not have alike, or have outside their cluster, a line each. */
  readonly faults?: () => Promise<readonly string[]>
  readonly harms: Harms
  readonly servers: readonly Server[]
}
