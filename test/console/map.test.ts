/** Where all objects of a query are, and narrowing it to an area. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { leave, useConsole } from './console.ts'
import { queryOf, writePlaces } from './pictures.ts'

const setting = useConsole()

beforeAll(() => writePlaces(setting().service))

const ASKED = '#/ask?query=has+alice%2Fname&show=map'

test('counts all objects in squares, goes to where most are, and says which they are', async () => {
  const visit = await setting().open(ASKED)
  const { page } = visit
  const map = page.getByRole('region', { name: 'Map' })
  await map.getByText('60 objects on the map.').waitFor()
  await map.getByText('Where most of them are').click()
  await map
    .getByText('All are between 17.09° S to 41.99° N, 179.5° W to 179.5° E.', { exact: false })
    .waitFor()
  // Those around Rome are one or a few squares of the whole world.
  await map.getByRole('listitem').getByRole('button').first().click()
  await page.waitForURL((url) => url.href.includes('place='))
  await map
    .getByRole('link', { name: /^Place \d+$/ })
    .first()
    .waitFor()
  expect(await map.getByRole('link').first().getAttribute('href')).toMatch(/^#\/object\/about\/place%3A\d+$/)

  await map.getByRole('application').focus()
  const zoomOf = (): number => Number(/place=[^&]*%2C([\d.]+)/.exec(page.url())?.[1])
  const before = zoomOf()
  await page.keyboard.press('+')
  await page.waitForURL(() => zoomOf() > before)
  await map.getByRole('button', { name: 'All', exact: true }).click()
  await page.waitForURL((url) => !url.href.includes('place='))

  await map.getByRole('button', { name: 'Keep only these' }).click()
  await page.waitForURL(() => queryOf(page).includes('alice/lat >='))
  await map.getByText(/^[1-5]?\d objects? on the map/).waitFor()
  await leave(visit)
})

test('keeps an area that is drawn, or written, also across the antimeridian', async () => {
  const visit = await setting().open(ASKED)
  const { page } = visit
  const map = page.getByRole('region', { name: 'Map' })
  await map.getByText('60 objects on the map.').waitFor()
  await map.getByRole('button', { name: 'Choose an area' }).click()
  await drag(map.getByRole('application'), 0.35, 0.7)
  await map.getByText('50 objects on the map.').waitFor()
  expect(queryOf(page)).toMatch(
    /^has alice\/name and alice\/lat >= -?[\d.]+ and alice\/lat <= [\d.]+ and alice\/lon >= -[\d.]+ and alice\/lon <= [\d.]+$/,
  )
  await page.goBack()
  await map.getByText('60 objects on the map.').waitFor()

  await map.getByText('Choose an area by numbers').click()
  const field = (name: RegExp): Locator => map.getByLabel(name)
  await field(/south/).fill('10')
  await field(/north/).fill('-10')
  await page.keyboard.press('Enter')
  await map.getByText('The northern side is south of the southern one.').waitFor()
  await field(/south/).fill('-20')
  await field(/west/).fill('170')
  await field(/east/).fill('-170')
  await page.keyboard.press('Enter')
  await map.getByText('10 objects on the map.').waitFor()
  expect(queryOf(page)).toBe(
    'has alice/name and (alice/lat >= -20 and alice/lat <= -10 and (alice/lon >= 170 or alice/lon <= -170))',
  )
  await leave(visit)
})

test('takes other tags, on a small dark screen', async () => {
  const visit = await setting().open(`${ASKED}&place=12.5%2C41.7%2C8`, {
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const { page } = visit
  const map = page.getByRole('region', { name: 'Map' })
  await map.getByText('60 objects on the map.').waitFor()
  await map.getByRole('button', { name: 'Other tags' }).click()
  await map.getByLabel('Tag of the latitude').fill('alice/lon')
  await map.getByLabel('Tag of the longitude').fill('alice/lat')
  // The suggestions go, which lie over the button; before they are there, nothing would.
  await map.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  await map.getByRole('button', { name: 'Show', exact: true }).click()
  // Nothing is as far north as the antimeridian is east.
  await map.getByText('50 objects on the map. 10 with a latitude have', { exact: false }).waitFor()
  await leave(visit)
})

/** Draws a rectangle over the upper half of a map, from one part of its width to another. */
async function drag(map: Locator, from: number, to: number): Promise<void> {
  const box = await map.boundingBox()
  if (box === null) throw new Error('no map')
  const { mouse } = map.page()
  await mouse.move(box.x + from * box.width, box.y + 60)
  await mouse.down()
  await mouse.move(box.x + to * box.width, box.y + box.height * 0.55, { steps: 3 })
  await mouse.up()
}
