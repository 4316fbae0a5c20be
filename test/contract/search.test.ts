/** The status tables of the operations tagged `search` in the contract. */
import { searchObjects } from './search-pages.ts'
import { forHead, runTable } from './status-tables.ts'

runTable(['search'], {
  'GET /search': searchObjects,
  'HEAD /search': forHead(searchObjects),
})
