/**
 * Follows a new user from an empty store to a table of 10,000 rows on the map. The user does only what the screen says
 * (`npm run console:journey`). Prints the time of each step; fails above two minutes.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { cities } from '../demo/cities.ts'
import { startChromium } from '../test/support/chromium.ts'
import { signIn } from '../test/support/sign-in.ts'
import { csvText } from '../common/csv-text.ts'
import { PASSWORD, startEmpty } from './console/store.ts'
import { argumentsOf } from './usage.ts'

const ROWS = 10_000
const MOST_SECONDS = 120
const NAME = 'explorer'
const OWN_PASSWORD = 'a password of my own'

/** Writes the user's file, which is from another source. */
function writeTable(file: string): void {
  const rows = cities.slice(0, ROWS).map(({ cityId, name, country, population, loc }) => {
    const [longitude, latitude] = loc.coordinates
    return [cityId, name, country, population, latitude, longitude].map(String)
  })
  writeFileSync(file, csvText([['id', 'name', 'country', 'population', 'latitude', 'longitude'], ...rows]))
}

async function createUser(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create the first user' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Create a user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill(NAME)
  await dialog.getByLabel('Password', { exact: true }).fill(OWN_PASSWORD)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: NAME }).waitFor()
}

async function changeUser(page: Page): Promise<void> {
  const banner = page.getByRole('banner')
  await banner.getByRole('button', { name: 'service' }).click()
  await banner.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page, NAME, OWN_PASSWORD)
}

async function chooseFile(page: Page, file: string): Promise<void> {
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByLabel('File to import').setInputFiles(file)
  await page.getByRole('heading', { name: 'What becomes of the columns' }).waitFor()
}

/** The link to the imported objects. */
const onTheMap = (page: Page): Locator => page.getByRole('main').getByRole('link', { name: /on the map/i })

async function importRows(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Import / }).click()
  await onTheMap(page).waitFor({ timeout: MOST_SECONDS * 1000 })
}

async function lookAtMap(page: Page): Promise<void> {
  await onTheMap(page).click()
  await page.getByRole('application', { name: /^Map/ }).waitFor()
  await page.getByRole('heading', { name: '10,000 objects' }).waitFor()
}

/** The steps of the user, one after another. */
const stepsWith = (
  file: string,
): readonly (readonly [says: string, does: (page: Page) => Promise<void>])[] => [
  ['signs in as the superuser, whom the log names', (page) => signIn(page, 'service', PASSWORD)],
  ['creates a user', createUser],
  ['signs in as that user', changeUser],
  ['chooses the file to import', (page) => chooseFile(page, file)],
  ['imports all rows as the screen proposes', importRows],
  ['follows the link to the map', lookAtMap],
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

argumentsOf({
  name: 'npm run console:journey',
  does: `Goes from an empty store to ${ROWS.toLocaleString('en')} rows on the map, doing only what the screen says, and prints how long each step took;
fails above ${MOST_SECONDS} seconds.`,
})
const took = await travel()
console.log(`${ROWS.toLocaleString('en')} rows are on the map after ${took.toFixed(1)} s`)
if (took > MOST_SECONDS) process.exitCode = 1
