/**
 * Every view of the console, wide and narrow, light and dark: axe finds nothing, nothing is wider than the screen, the
 * policy of the page forbids nothing that it does. EVERYWHERE=1 looks at all four of each.
 */
import { beforeAll, expect, test } from '@jest/globals'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

beforeAll(async () => {
  const { service } = setting()
  const put = (about: string, tag: string, primitive: string): Promise<unknown> =>
    service.ok('PUT', `/about/${encodeURIComponent(about)}/alice/${tag}`, { as: 'alice', primitive })
  for (let number = 0; number < 12; number += 1) {
    const city = `city:${String(number)}`
    await put(city, 'cities/name', JSON.stringify(`City ${String(number)}`))
    await put(city, 'cities/lat', `${String(number * 5 - 30)}.5`)
    await put(city, 'cities/lon', `${String(number * 20 - 120)}.25`)
    await put(city, 'cities/population', String(10 ** (number % 6) * (number + 1)))
  }
  await put('city:1', 'cities/topics', '["harbour","university"]')
  await service.ok('PUT', '/about/city%3A1/alice/cities/flag', {
    as: 'alice',
    body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><rect width="3" height="1" fill="#c96"/></svg>',
    headers: { 'content-type': 'image/svg+xml' },
  })
})

const CITIES = 'query=has+alice%2Fcities%2Fname'

/** Each view by its URL, as whom, and what is there when all is shown. */
const VIEWS: readonly [hash: string, as: string | undefined, shown: string][] = [
  ['#/start', undefined, 'main a[href^="#/ask"]'],
  ['#/start', 'alice', 'main a[href^="#/ask"]'],
  ['#/namespace/alice/cities', 'alice', 'main a[href="#/tag/alice/cities/name"]'],
  ['#/namespace/alice/cities?show=permissions', 'alice', 'main table'],
  ['#/tag/alice/cities/population', 'bob', 'main .spread'],
  ['#/tag/alice/cities/population?show=permissions', 'alice', 'main table'],
  ['#/object/about/city%3A1', 'alice', 'main img'],
  ['#/recent', 'alice', 'main a[href^="#/object"]'],
  [`#/ask?${CITIES}`, 'alice', 'main a[href^="#/object"]'],
  [`#/ask?${CITIES}&show=map`, undefined, 'main canvas'],
  [`#/ask?${CITIES}&show=chart&x=alice%2Fcities%2Fpopulation`, undefined, 'main canvas'],
  ['#/ask?query=alice%2Fcities%2Fname+%3D+York', undefined, 'main [role=alert]'],
  [`#/ask?${CITIES}&build=1`, undefined, 'select, [role=combobox]'],
  ['#/import', 'alice', 'main input, main button'],
  ['#/users', 'service', 'main table'],
  ['#/nothing', undefined, 'main a'],
]

const LOOKS = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 320, height: 700 }, colorScheme: 'dark' },
  { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { viewport: { width: 320, height: 700 }, colorScheme: 'light' },
] as const

const shownIn = process.env['EVERYWHERE'] ? LOOKS : LOOKS.slice(0, 2)

test.each(VIEWS.flatMap((view) => shownIn.map((look) => [...view, look] as const)))(
  '%s as %s',
  async (hash, as, shown, look) => {
    const visit = await setting().open(hash, { ...look, ...(as === undefined ? {} : { as }) })
    await visit.page.locator(shown).first().waitFor()
    expect(await visit.page.title()).toContain('Gloss')
    await leave(visit)
  },
)
