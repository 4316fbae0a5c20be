/** What the values of tags are like, and narrowing a query by them. */
import { beforeAll, expect, test } from '@jest/globals'
import { leave, useConsole } from './console.ts'
import { PLACES, queryOf, writePlaces } from './pictures.ts'

const setting = useConsole()

beforeAll(() => writePlaces(setting().service))

const ASKED = '#/ask?query=has+alice%2Fname'

test('counts values, items and numbers of tags that it guesses, and narrows by each', async () => {
  const visit = await setting().open(ASKED)
  const { page } = visit
  const card = (tag: string) => page.getByRole('region', { name: tag, exact: true })
  const kinds = card('alice/kind').getByRole('list')
  await kinds.getByRole('button').first().waitFor()
  expect(await kinds.getByRole('button').allTextContents()).toEqual(['null20', 'town "new"20', 'village20'])
  expect(await card('alice/langs').getByRole('listitem').allTextContents()).toEqual(['it60', 'la30'])
  // All are different.
  expect(await card('alice/name').count()).toBe(0)

  await kinds.getByRole('button', { name: 'town' }).click()
  await page.waitForURL((url) => url.href.includes('town'))
  expect(queryOf(page)).toBe('has alice/name and alice/kind = "town \\"new\\""')
  await card('alice/langs').getByRole('button', { name: /^la/ }).click()
  await page.waitForURL((url) => url.href.includes('contains'))
  expect(queryOf(page)).toBe('has alice/name and alice/kind = "town \\"new\\"" and alice/langs contains "la"')
  await page.goBack()
  await page.goBack()
  expect(queryOf(page)).toBe('has alice/name')
  await leave(visit)
})

test('narrows by ranges of numbers to the digit, with pointer, keys and fields', async () => {
  const visit = await setting().open(`${ASKED}&facet=alice%2Fsize`)
  const { page } = visit
  const card = page.getByRole('region', { name: 'alice/size' })
  const bars = card.getByRole('application')
  // Sizes are so many times as far apart that only a logarithmic scale shows them.
  const scale = card.getByRole('button', { name: 'log scale', pressed: true })
  await scale.waitFor()
  expect(await card.getByRole('row').count()).toBe(1 + 24)
  await scale.click()
  await page.waitForURL((url) => url.href.includes('linear=alice'))
  await card.getByRole('button', { name: 'log scale', pressed: false }).click()
  await page.waitForURL((url) => url.href.includes('log=alice'))
  await scale.waitFor()

  await bars.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+ArrowLeft')
  await card.getByText(/to 576,460,752,303,423,488: \d/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.href.includes('576460752303423488'))
  const [, from = ''] =
    /^has alice\/name and alice\/size >= (\d+) and alice\/size <= 576460752303423488$/.exec(queryOf(page)) ??
    []
  expect(BigInt(from) > 2n ** 53n).toBe(true)

  await page.goBack()
  await card.getByLabel('alice/size, from').fill('9007199254740993')
  await card.getByLabel('alice/size, to').fill('not a number')
  await page.keyboard.press('Enter')
  expect(queryOf(page)).toBe('has alice/name')
  await card.getByLabel('alice/size, to').fill('')
  await card.getByRole('button', { name: 'Keep' }).click()
  await page.waitForURL((url) => url.href.includes('9007199254740993'))
  expect(queryOf(page)).toBe('has alice/name and alice/size >= 9007199254740993')
  await card.getByText('All 6', { exact: false }).waitFor()

  await page.goBack()
  await card.getByText(`All ${String(PLACES)}`, { exact: false }).waitFor()
  const box = await bars.boundingBox()
  if (box === null) throw new Error('no bars')
  await page.mouse.move(box.x + 2, box.y + 30)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 - 2, box.y + 40)
  await page.mouse.up()
  await page.waitForURL((url) => url.href.includes('%3E%3D+1+and'))
  expect(queryOf(page)).toMatch(/^has alice\/name and alice\/size >= 1 and alice\/size < \d+$/)
  await leave(visit)
})

test('takes tags in and out, on a small dark screen', async () => {
  const visit = await setting().open(`${ASKED}&facet=alice%2Fkind&facet=alice%2Flat`, {
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const { page } = visit
  await page.getByText('Facets', { exact: true }).click()
  await page.getByRole('button', { name: 'Remove the facet alice/kind' }).click()
  await page.getByRole('region', { name: 'alice/kind' }).waitFor({ state: 'detached' })
  await page.getByLabel('Count the values of a tag').fill('alice/langs')
  await page.getByRole('button', { name: 'Count', exact: true }).click()
  await page.getByRole('region', { name: 'alice/langs' }).getByRole('listitem').first().waitFor()
  expect(new URLSearchParams(page.url().replace(/^.*\?/, '')).getAll('facet')).toEqual([
    'alice/lat',
    'alice/langs',
  ])
  await page.getByLabel('Count the values of a tag').fill('alice/no-such-tag')
  await page.getByRole('button', { name: 'Count', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await leave(visit)
})
