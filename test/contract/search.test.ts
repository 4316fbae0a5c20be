/** The status tables of the operations tagged `search` in the contract. */
import { CHECKS } from './search-check.ts'
import { FACETS } from './search-facets.ts'
import { PAGES } from './search-pages.ts'
import { runTable } from './status-tables.ts'
import { SUGGESTIONS } from './search-suggest.ts'

runTable(['search'], { ...PAGES, ...FACETS, ...SUGGESTIONS, ...CHECKS })
