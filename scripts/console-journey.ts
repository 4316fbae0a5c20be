/**
 * A stranger's way from an empty store to a table of 10,000 rows on the map, who does only what the screen says
 * (`npm run console:journey`). Prints how long each step took; fails above two minutes.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import type { Page } from 'playwright-core'
import { cities } from '../demo/cities.ts'
import { startChromium } from '../test/support/chromium.ts'
import { signIn } from '../test/support/sign-in.ts'
import { PASSWORD, startEmpty } from './console/store.ts'

const ROWS = 10_000
const MOST_SECONDS = 120
const NAME = 'explorer'
const OWN_PASSWORD = 'a password of my own'

/** What the stranger has: a file from elsewhere. */
function writeTable(file: string): void {
  const rows = cities.slice(0, ROWS).map(({ cityId, name, country, population, loc }) => {
    const [longitude, latitude] = loc.coordinates
    return { id: cityId, name, country, population, latitude, longitude }
  })
  writeFileSync(file, stringify(rows, { header: true }))
}

type Step = readonly [says: string, does: (page: Page) => Promise<unknown>]

const stepsWith = (file: string): readonly Step[] => [
  ['signs in as the superuser, whom the log names', (page) => signIn(page, 'service', PASSWORD)],
  [
    'follows "Create the first user"',
    async (page) => {
      await page.getByRole('link', { name: 'Create the first user' }).click()
      await page
        .getByRole('main')
        .getByRole('button', { name: /create|new|add/i })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('User name').fill(NAME)
      await dialog.getByLabel('Password', { exact: true }).fill(OWN_PASSWORD)
      await dialog.getByRole('button', { name: /create/i }).click()
      await page.getByRole('main').getByText(NAME).first().waitFor()
    },
  ],
  [
    'signs in as that user',
    async (page) => {
      const banner = page.getByRole('banner')
      const account = banner.getByRole('button', { name: 'service' })
      if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape')
      await account.click()
      await banner.getByRole('button', { name: 'Sign out' }).click()
      await signIn(page, NAME, OWN_PASSWORD)
    },
  ],
  [
    'follows "Import", and chooses the file',
    async (page) => {
      await page.getByRole('link', { name: 'Import', exact: true }).click()
      await page.getByLabel('File to import').setInputFiles(file)
      await page.getByRole('main').getByRole('table').first().waitFor()
    },
  ],
  [
    'imports all rows as the screen proposes',
    async (page) => {
      await page.getByRole('button', { name: /^Import 10,000 rows/ }).click()
      await page
        .getByRole('link', { name: /look|ask|show|see/i })
        .first()
        .waitFor({ timeout: MOST_SECONDS * 1000 })
    },
  ],
  [
    'follows the link to what was imported, and the tab "Map"',
    async (page) => {
      await page
        .getByRole('main')
        .getByRole('link', { name: /look|ask|show|see/i })
        .first()
        .click()
      await page.getByRole('main').getByText('Map', { exact: true }).click()
      await page.locator('main canvas').waitFor()
      await page.waitForLoadState('networkidle')
    },
  ],
]

async function travel(): Promise<number> {
  const service = await startEmpty()
  const browser = await startChromium()
  try {
    const file = join(service.folder, 'cities.csv')
    writeTable(file)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const start = performance.now()
    const seconds = (): number => (performance.now() - start) / 1000
    await page.goto(service.url)
    for (const [says, does] of stepsWith(file)) {
      await does(page)
      console.log(`${seconds().toFixed(1).padStart(6)} s  ${says}`)
    }
    return seconds()
  } finally {
    await browser.close()
    await service.stop()
  }
}

const took = await travel()
console.log(`${ROWS.toLocaleString('en')} rows are on the map after ${took.toFixed(1)} s`)
if (took > MOST_SECONDS) process.exitCode = 1
