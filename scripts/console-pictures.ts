/**
 * Takes pictures of the console, light and dark, into docs/pictures (`npm run console:pictures`), from a temporary store
 * with the demo or from a service that has it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { startChromium } from '../test/support/chromium.ts'
import { signIn } from '../test/support/sign-in.ts'
import { smallerPng } from './console/png.ts'
import { loadDemo, PASSWORD, startEmpty } from './console/store.ts'
import { ROOT } from './digest.ts'
import { argumentsOf, oneOf, optional, several, text } from './usage.ts'

const FOLDER = join(ROOT, 'docs', 'pictures')
const SIZE = { width: 1280, height: 800 }
const MOST_BYTES = 150_000

/** A picture. */
interface Picture {
  readonly name: string
  readonly hash: string
  readonly as?: string
  /** The actions of a user before the picture; most states have a URL and need none. */
  readonly does?: (page: Page) => Promise<void>
  /** The element that appears when the page is complete. */
  readonly shown: (page: Page) => Locator
}

const asked = (query: string, more: [string, string][]): string =>
  `#/ask?${new URLSearchParams([['query', query], ...more]).toString()}`

const LARGE = 'cities/population > 100000'
const COLUMNS = ['name', 'country', 'population'].map((name): [string, string] => [
  'column',
  `cities/${name}`,
])

/** A table as a user has it in a file. */
const FILE = `id,name,country,inhabitants,founded,twins
658225,Helsinki,FI,558457,1550,Oslo|Moscow
633679,Turku,FI,175945,1229,Bergen|Gothenburg
634963,Tampere,FI,202687,1779,
643492,Oulu,FI,128962,1605,Halle
`

const PICTURES: readonly Picture[] = [
  {
    name: 'start',
    hash: '#/start',
    shown: (page) =>
      page
        .getByRole('main')
        .getByText(/\d objects/)
        .first(),
  },
  {
    name: 'tree',
    hash: '#/tag/countries/borders',
    shown: (page) => page.getByRole('treeitem', { name: /borders/ }),
  },
  {
    name: 'object',
    hash: '#/object/about/country%3AFI',
    as: 'alice',
    // The last element that appears.
    shown: (page) => page.getByRole('main').getByText('Learn more than kiitos'),
  },
  {
    name: 'table',
    hash: asked(LARGE, [
      ...COLUMNS,
      ['sort', '-cities/population'],
      ['facet', 'cities/country'],
      ['facet', 'cities/population'],
    ]),
    shown: (page) => page.getByRole('main').getByText('Shanghai'),
  },
  {
    name: 'map',
    hash: asked(LARGE, [...COLUMNS, ['show', 'map']]),
    shown: (page) => page.getByRole('application', { name: /^Map/ }),
  },
  {
    name: 'import',
    hash: '#/import',
    as: 'alice',
    does: async (page) => {
      const file = { name: 'towns.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) }
      await page.locator('input[type=file]').setInputFiles(file)
    },
    shown: (page) => page.getByRole('main').getByText('Tampere').first(),
  },
  {
    name: 'permissions',
    hash: '#/tag/alice/note?show=permissions',
    as: 'alice',
    shown: (page) => page.getByRole('main').getByRole('table').first(),
  },
  {
    name: 'error',
    hash: asked('cities/country == "FI" and cities/name like Turku', []),
    shown: (page) => page.getByRole('alert').first(),
  },
]

const NAMES = PICTURES.map(({ name }) => name)
const { url: given, only } = argumentsOf({
  name: 'npm run console:pictures --',
  does: 'Takes pictures of the console, light and dark, into docs/pictures.',
  options: {
    url: optional(
      text('URL'),
      'a service with the demo, whose users have DEMO_PASSWORD',
      'a temporary store with the demo',
    ),
    only: several(oneOf('NAME', NAMES), 'which picture', NAMES),
  },
})

async function take(
  browser: Browser,
  { url, password }: { readonly url: string; readonly password: string },
  { name, hash, as, does, shown }: Picture,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${url}/console/${hash}`)
    if (as !== undefined) await signIn(page, as, password)
    await does?.(page)
    await shown(page).waitFor()
    // Waits for the remaining requests; the console does not poll.
    await page.waitForLoadState('networkidle')
    const png = smallerPng(await page.screenshot())
    await context.close()
    const file = `console-${name}-${colorScheme}.png`
    console.log(`${file} ${String(png.length)} bytes`)
    if (png.length > MOST_BYTES) throw new Error(`${file} has more than ${String(MOST_BYTES)} bytes`)
    writeFileSync(join(FOLDER, file), png)
  }
}

async function takeAll(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const temporary = given === undefined ? await startEmpty() : undefined
  const browser = await startChromium()
  try {
    const password = temporary === undefined ? (process.env['DEMO_PASSWORD'] ?? '') : PASSWORD
    const url = (given ?? temporary?.url ?? '').replace(/\/+$/, '')
    if (temporary !== undefined) await loadDemo(url)
    const wanted = PICTURES.filter(({ name }) => only.includes(name))
    for (const picture of wanted) await take(browser, { url, password }, picture)
  } finally {
    await browser.close()
    await temporary?.stop()
  }
}

await takeAll()
