/** Space: how many bytes a value takes on disk, with all that belongs to it. */
import type { Sides } from '../sides.ts'
import { spaceOf, type Space } from '../space.ts'

/** The size of a store that was filled in one way. */
export interface SpaceResult extends Space {
  readonly name: string
}

/** The catalogue, whose tables and indexes were built in the order of their keys and so have hardly a gap. */
export const measureSpace = async ({ databaseUrl }: Sides): Promise<SpaceResult[]> => [
  { name: 'the catalogue', ...(await spaceOf(databaseUrl)) },
]
