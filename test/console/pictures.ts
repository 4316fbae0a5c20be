/** Objects for pictures: what alice has noted of places. */
import type { Page } from 'playwright-core'
import type { Service } from '../support/service.ts'

/** How many places there are. */
export const PLACES = 60

/**
 * Gives alice's tags values on 60 objects: `alice/lat` and `alice/lon`, all but ten around Rome and the others beside the
 * antimeridian; `alice/size`, an int from 1 to 2^59 and doubled each time; `alice/kind` and `alice/langs`.
 */
export async function writePlaces(service: Service): Promise<void> {
  const queries = Array.from({ length: PLACES }, (_, at) => [
    `service/about = "place:${String(at)}"`,
    {
      'alice/name': { value: `Place ${String(at)}` },
      'alice/lat': { value: at < 50 ? 41.5 + at / 100 : -16.5 - at / 100 },
      'alice/lon': { value: at < 50 ? 12.25 + at / 100 : at % 2 === 0 ? 179.5 : -179.5 },
      'alice/kind': { value: at % 3 === 0 ? 'village' : at % 3 === 1 ? 'town "new"' : null },
      'alice/langs': { value: at % 2 === 0 ? ['it', 'la'] : ['it'] },
    },
  ])
  // Ints of 64 bits, which JSON.stringify would round.
  const body = JSON.stringify({ queries }).replace(
    /"alice\/kind"/g,
    () => `"alice/size":{"value":SIZE},"alice/kind"`,
  )
  let at = -1
  const exact = body.replaceAll('SIZE', () => {
    at += 1
    return String(2n ** BigInt(at))
  })
  await service.ok('PUT', '/values', {
    as: 'alice',
    body: exact,
    headers: { 'content-type': 'application/json' },
  })
}

/** The query in the URL. */
export const queryOf = (page: Page): string =>
  new URLSearchParams(page.url().replace(/^.*\?/, '')).get('query') ?? ''
