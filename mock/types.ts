/** The types of `startMock`, which imports of the package get. They import nothing. */

/** How a mock starts. */
export interface MockOptions {
  /** The address to listen on, by default 127.0.0.1. */
  readonly host?: string
  /** TCP port, 0 to 65535; by default the system chooses. */
  readonly port?: number
  /** Whether the mock keeps data: the whole service on a temporary store. By default it answers with examples. */
  readonly stateful?: boolean
  /** An archive of `gloss export` or a backup: the data at the start of a stateful mock, instead of the examples. */
  readonly data?: string
  /** The faults at the start and after each reset. */
  readonly faults?: Faults
  /** Settings of the service, by the names of its environment variables. */
  readonly settings?: Readonly<Record<string, string | undefined>>
  /** Receives the lines that the command prints. */
  readonly print?: (line: string) => void
}

/** The faults of a mock. `code` or `cut` alone apply to every request. */
export interface Faults {
  /** How long each request waits before it is handled, 0 to 60000 milliseconds. */
  readonly delay?: number
  /** The share of requests that fail, 0 to 1, at random, but in the same sequence after each `PUT /__faults`. */
  readonly failRate?: number
  /** The status of a failure; by default 503. */
  readonly code?: number
  /** Where the connection of a failure ends: before the headers of the answer, or halfway through its body. */
  readonly cut?: Cut
  /** How many requests fail; by default there is no limit. */
  readonly times?: number
}

export type Cut = 'headers' | 'body'

/** A request that a mock received. */
export interface JournalEntry {
  /** When it came, RFC 3339. */
  readonly time: string
  readonly method: string
  /** As sent, without the query. */
  readonly path: string
  /** The decoded values of each query argument. */
  readonly query: Readonly<Record<string, readonly string[]>>
  /** By lower-case name, without `authorization`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The user whom `Authorization` names. */
  readonly user?: string
  /** The body as text, if it is UTF-8 of at most 64 KiB. */
  readonly body?: string
  /** The octets of the body. */
  readonly bodyBytes: number
  /** The operation of the contract, if the request reached one. */
  readonly operationId?: string
  /** None while the request has no answer, and if its connection was cut before the headers. */
  readonly status?: number
  readonly errorClass?: string
  /** From the request to the end of its answer, in milliseconds. */
  readonly ms?: number
}

/** The functions for one store of a mock. All reject if the mock refuses. */
export interface MockStore {
  /** Restores the data and the faults of the start, and empties the journal. */
  reset(): Promise<void>
  /** The requests since the start or the last reset, at most the latest 1000. */
  requests(): Promise<JournalEntry[]>
  /** Saves the data under a name, 1 to 64 of `A-Z a-z 0-9 . _ -`. All stores of a mock share the snapshots. */
  snapshot(name: string): Promise<void>
  /** Restores the data of a snapshot; otherwise like `reset`. */
  restore(name: string): Promise<void>
  /** Replaces the faults; `{}` ends them. */
  faults(faults: Faults): Promise<void>
}

/** A running mock, with the functions for the store that requests without `X-Mock-Store` use. */
export interface Mock extends MockStore {
  /** Such as `http://127.0.0.1:4010`, without a slash at its end. */
  readonly url: string
  /** The store that requests with `X-Mock-Store: NAME` use. */
  store(name: string): MockStore
  /** Ends the mock and deletes its data. */
  close(): Promise<void>
}
