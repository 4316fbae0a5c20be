/** The interface of a database for the instances, with the faults that the script can inject. */
import type { Server } from './server.ts'

/** The faults by name. Each promise resolves when the fault is over; recovery may take longer. */
export type Harms = Readonly<Record<string, () => Promise<void>>>

export interface Database {
  /** One URL for each instance. */
  readonly urls: readonly string[]
  /** The URLs for the final check: the nodes of a cluster should have equal data, so the script checks each. */
  readonly checkedUrls: readonly string[]
  /** Differences between the servers, and data from outside their cluster, a line each. */
  readonly faults?: () => Promise<readonly string[]>
  readonly harms: Harms
  readonly servers: readonly Server[]
}
