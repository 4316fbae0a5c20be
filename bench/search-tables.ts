/** The table of searches. */
import type { LookupResult, SearchResult, SearchResults } from './parts/search.ts'
import { number, spread, table } from './text.ts'

/** A row with the times of Gloss and of another side for a work. */
const besideRow = (other: string, { name, matches, ...took }: SearchResult): string[] => [
  name,
  matches.toLocaleString('en'),
  number(took.gloss.median),
  `${number(took.other.median)} (${other})`,
  spread(took.ratio),
  number(took.glossCpuMs),
  number(took.otherCpuMs),
  spread(took.cpuRatio),
]

const lookupRow = ({ name, gloss, glossCpuMs }: LookupResult): string[] => [
  name,
  '',
  number(gloss.median),
  '',
  '',
  number(glossCpuMs),
  '',
  '',
]

/** The times of searches. */
export const searchTable = (searches: readonly SearchResults[]): string =>
  table(
    ['Work', 'Matches', 'Gloss, ms', 'Beside, ms', 'Ratio', 'Gloss, CPU ms', 'Beside, CPU ms', 'CPU ratio'],
    searches.flatMap(({ pages, counts, facets, lookups }) => [
      ...pages.map((page) => besideRow('bare server', page)),
      ...counts.map((count) => besideRow('SQL', count)),
      ...facets.map((facet) => besideRow('SQL', { ...facet, name: `facets of ${facet.name}` })),
      ...lookups.map(lookupRow),
    ]),
  )
