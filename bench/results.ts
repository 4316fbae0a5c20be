/** The measurements of a run, as the file of results contains them. */
import { spawnSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import type { BulkResult } from './parts/bulk.ts'
import type { GrowthResult } from './parts/growth.ts'
import type { IsolationResult } from './parts/isolation.ts'
import type { LoadResult } from './parts/loads.ts'
import type { MemoryResult } from './parts/memory.ts'
import type { QueryResult } from './parts/queries.ts'
import type { RefusalResult } from './parts/refusals.ts'
import type { SearchResults } from './parts/search.ts'
import type { ServiceResult } from './parts/services.ts'
import type { SignInResult } from './parts/sign-in.ts'
import type { SingleResult } from './parts/single.ts'
import type { SpaceResult } from './parts/space.ts'
import type { DatabaseKind } from './store.ts'

/**
 * Members without measurements in a run are empty. Optional members are missing in results of older versions of the
 * benchmark.
 */
export interface Results {
  readonly database: DatabaseKind
  /** The database's own name and version. */
  readonly databaseVersion: string
  /** The size of the store, in values, for all measurements that use one size. */
  readonly values: number
  readonly quick: boolean
  readonly at: string
  readonly machine: Machine
  /** By the size of the store, smallest first. */
  readonly queries: readonly { readonly values: number; readonly shapes: readonly QueryResult[] }[]
  /** Empty if the store is too small to refuse any query. */
  readonly refusals: readonly RefusalResult[]
  readonly single: readonly SingleResult[]
  readonly bulk: readonly BulkResult[]
  readonly loads?: readonly LoadResult[]
  readonly search?: readonly SearchResults[]
  readonly space?: readonly SpaceResult[]
  /** Empty if there is only one size. */
  readonly growth: readonly GrowthResult[]
  readonly memory: readonly MemoryResult[]
  readonly isolation: readonly IsolationResult[]
  readonly signIn: readonly SignInResult[]
  /** Gloss first; empty without a comparison of services. */
  readonly services: readonly ServiceResult[]
}

interface Machine {
  readonly processor: string
  readonly processors: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
}

export const machine = (): Machine => ({
  processor: cpus()[0]?.model ?? 'unknown',
  processors: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: spawnSync('uname', ['-sr'], { encoding: 'utf8' }).stdout.trim(),
  node: process.version,
})
