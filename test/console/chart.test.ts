/** Pictures of one tag and of two, whose parts narrow the query. */
import { beforeAll, expect, test } from '@jest/globals'
import { leave, useConsole } from './console.ts'
import { queryOf, writePlaces } from './pictures.ts'

const setting = useConsole()

beforeAll(() => writePlaces(setting().service))

const ASKED = '#/ask?query=has+alice%2Fname&show=chart'

test('draws numbers in as many bars as wanted, and others by how frequent they are', async () => {
  const visit = await setting().open(`${ASKED}&x=alice%2Fsize`)
  const { page } = visit
  const chart = page.getByRole('region', { name: 'Chart' })
  const bars = chart.getByRole('application', { name: 'Bars of alice/size' })
  await bars.waitFor()
  expect(await chart.getByLabel('Scale').inputValue()).toBe('logarithmic')
  expect(await chart.getByRole('row').count()).toBe(1 + 40)
  await chart.getByLabel('Bars', { exact: true }).fill('20')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.href.includes('bins=20'))
  await chart
    .getByRole('row')
    .nth(20)
    .filter({ hasText: '576,460,752,303,423,488' })
    .waitFor({ state: 'attached' })
  await chart.getByLabel('Scale').selectOption('linear')
  await page.waitForURL((url) => url.href.includes('scale=linear'))

  await chart.getByLabel('Across').selectOption('alice/kind')
  await chart.getByRole('button', { name: 'village 20' }).click()
  await page.waitForURL((url) => url.href.includes('village'))
  expect(queryOf(page)).toBe('has alice/name and alice/kind = "village"')
  await page.goBack()
  await page.goBack()
  await bars.waitFor()
  expect(await chart.getByLabel('Scale').inputValue()).toBe('linear')
  await leave(visit)
})

test('draws two tags as dots, which keys go through and a rectangle keeps', async () => {
  const visit = await setting().open(`${ASKED}&x=alice%2Flat`)
  const { page } = visit
  const chart = page.getByRole('region', { name: 'Chart' })
  await chart.getByLabel('Up').selectOption('alice/lon')
  await chart.getByText('All 60 objects with both.').waitFor()
  const plot = chart.getByRole('application', { name: 'Dots of alice/lat and alice/lon' })
  await plot.focus()
  await page.keyboard.press('Home')
  // The southernmost one.
  await chart.getByRole('link', { name: 'Place 59' }).waitFor()
  await page.keyboard.press('End')
  expect(await chart.getByRole('link', { name: 'Place 49' }).getAttribute('href')).toBe(
    '#/object/about/place%3A49',
  )

  const box = await plot.boundingBox()
  if (box === null) throw new Error('no plot')
  await page.mouse.move(box.x + box.width - 16, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 400, box.y + box.height - 60, { steps: 3 })
  await page.mouse.up()
  await chart.getByText('All 50 objects with both.').waitFor()
  expect(queryOf(page)).toMatch(
    /^has alice\/name and alice\/lat >= [\d.]+ and alice\/lat <= [\d.]+ and alice\/lon >= -[\d.]+ and alice\/lon <= [\d.]+$/,
  )

  await chart.getByLabel('Scale up').selectOption('logarithmic')
  await page.waitForURL((url) => url.href.includes('yscale=logarithmic'))
  await page.goBack()
  await page.goBack()
  await chart.getByText('All 60 objects with both.').waitFor()
  await chart.getByLabel('Scale up').selectOption('logarithmic')
  await chart.getByText('no place for 5 that are not above zero').waitFor()
  await chart.getByLabel('alice/lon, from').fill('179')
  await page.keyboard.press('Enter')
  await chart.getByText('All 5 objects with both.').waitFor()
  expect(queryOf(page)).toBe('has alice/name and alice/lon >= 179')
  await leave(visit)
})

test('draws on a small dark screen, and says when there is nothing to draw', async () => {
  const small = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const
  const visit = await setting().open(`${ASKED}&x=alice%2Flat&y=alice%2Flon`, small)
  await visit.page.getByText('All 60 objects with both.').waitFor()
  await leave(visit)
  const nothing = await setting().open(
    '#/ask?query=service%2Fabout+%3D+%22place%3A1%22&show=chart&x=alice%2Fkind',
    small,
  )
  await nothing.page.getByRole('button', { name: /^town/ }).first().waitFor()
  await leave(nothing)
})
