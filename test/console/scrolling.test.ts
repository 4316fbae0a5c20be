/** A table of thousands of rows: which of them exist, walking through them by keys, and coming back to one. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

const MANY = 4000

beforeAll(async () => {
  const { service } = setting()
  const queries = Array.from({ length: MANY }, (_, at) => [
    `service/about = "thing ${at}"`,
    { 'alice/number': { value: at }, 'alice/text': { value: `text of ${at}` } },
  ])
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
})

const HASH = '#/ask?query=has+alice%2Fnumber&sort=alice%2Fnumber'

const rowOf = (page: Page, at: number) => page.getByRole('link', { name: `thing ${at}`, exact: true })
const rowsIn = (page: Page): Promise<number> => page.locator('.objects .row').count()
const topOf = (page: Page): Promise<number> =>
  page.evaluate<number>(`document.querySelector('.objects').scrollTop`)
const scrollTo = (page: Page, row: number): Promise<void> =>
  page.evaluate(
    `document.querySelector('.objects').scrollTop = ${row} * document.querySelector('.objects .row').offsetHeight`,
  )

/** Waits until a row has the focus. */
const focusOn = (page: Page, row: number): Promise<void> =>
  page.locator('.objects a:focus', { hasText: new RegExp(`^thing ${row}$`) }).waitFor()

test('only rows exist that can be seen, and a few more', async () => {
  const visit = await setting().open(HASH)
  const { page } = visit
  await page.getByRole('heading', { name: '4,000 objects' }).waitFor()
  await rowOf(page, 0).waitFor()
  expect(
    await page.getByRole('table', { name: 'Objects that the query finds' }).getAttribute('aria-rowcount'),
  ).toBe(String(MANY + 1))
  await page.getByText('300 rows loaded').waitFor()
  await scrollTo(page, 2500)
  await rowOf(page, 2500).waitFor()
  expect(await page.locator('[aria-rowindex="2502"]').innerText()).toContain('text of 2500')
  await scrollTo(page, MANY)
  await rowOf(page, MANY - 1).waitFor()
  // All of them are there, so that nothing is said about it.
  await page.getByText('rows loaded').waitFor({ state: 'detached' })
  expect(await rowsIn(page)).toBeLessThan(80)
  await leave(visit)
})

test('opens a row by keys, and comes back to it, with what has changed meanwhile', async () => {
  const visit = await setting().open(HASH)
  const { page } = visit
  await rowOf(page, 0).waitFor()
  // Nothing is left to be drawn, for which the focus would wait.
  await page.getByText('300 rows loaded').waitFor()
  await page.keyboard.press('j')
  await focusOn(page, 0)
  for (const key of ['j', 'ArrowDown', 'j', 'k']) await page.keyboard.press(key)
  await focusOn(page, 2)
  await page.keyboard.press('End')
  await focusOn(page, MANY - 1)
  await page.keyboard.press('Home')
  await focusOn(page, 0)

  await scrollTo(page, 1500)
  await rowOf(page, 1505).waitFor()
  // It has the focus, and so stays, wherever the table is.
  await focusOn(page, 0)
  await rowOf(page, 1505).click()
  await page.waitForURL(/#\/object\/about\/thing%201505$/)
  await setting().service.ok('PUT', '/about/thing%201506/alice/text', { as: 'alice', primitive: '"changed"' })
  await page.goBack()
  await rowOf(page, 1505).waitFor()
  await focusOn(page, 1505)
  await page.getByRole('cell', { name: 'changed' }).waitFor()
  const top = await topOf(page)
  expect(top).toBeGreaterThan(1400 * 30)

  await page.keyboard.press('e')
  await page.waitForURL(/#\/object\/about\/thing%201505\?edit=1$/)
  await page.goBack()
  await focusOn(page, 1505)
  expect(await topOf(page)).toBe(top)
  await page.keyboard.press('Enter')
  await page.waitForURL(/#\/object\/about\/thing%201505$/)
  await leave(visit)
})

test('comes back to a row also before the view of its object has arrived', async () => {
  const visit = await setting().open(HASH)
  const { page } = visit
  await page.getByText('300 rows loaded').waitFor()
  let arrive: () => void = () => undefined
  const left = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/assets/views-*.js', async (route) => {
    await left
    await route.continue()
  })
  await rowOf(page, 5).click()
  await page.locator('main').getByText('Loading …').waitFor()
  await page.goBack()
  await focusOn(page, 5)
  arrive()
  await page.waitForLoadState('networkidle')
  await focusOn(page, 5)
  await leave(visit)
})

test('says why rows are missing, and fetches them on demand', async () => {
  const visit = await setting().open(HASH)
  const { page } = visit
  await page.getByText('300 rows loaded').waitFor()
  await page.route('**/search?**', (route) => route.abort())
  await scrollTo(page, 2000)
  await page.getByRole('alert').waitFor()
  await page.unroute('**/search?**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, 2000).waitFor()
  await leave(visit)
})
