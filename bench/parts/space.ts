/** Space: the bytes that a value takes on disk, including its share of all tables and indexes. */
import type { Sides } from '../sides.ts'
import { spaceOf, type Space } from '../space.ts'

/** The size of a store that was filled in one way. */
export interface SpaceResult extends Space {
  readonly name: string
}

/** The catalogue. Its tables and indexes were built in key order, so they have few gaps. */
export const measureSpace = async ({ databaseUrl }: Sides): Promise<SpaceResult[]> => [
  { name: 'the catalogue', ...(await spaceOf(databaseUrl)) },
]
