/** The view of recent changes. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

beforeAll(async () => {
  const { service } = setting()
  for (const n of Array.from({ length: 22 }, (_, at) => at)) {
    await service.ok('PUT', `/about/thing${n}/alice/n`, { as: 'alice', primitive: String(n) })
  }
  await service.ok('PUT', '/about/thing1/bob/note', { as: 'bob', primitive: '"hello"' })
})

/** The lines, each as the texts of its cells behind the first, which is when. */
const lines = (page: Page): Promise<string[][]> =>
  page.evaluate(
    `[...document.querySelectorAll('.recent-values tbody tr')].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent))`,
  )

test('shows what was written last, by whom and on what, at a URL for each choice', async () => {
  const visit = await setting().open('#/recent')
  const { page } = visit
  await page.getByRole('region', { name: 'The latest values' }).waitFor()
  const all = await lines(page)
  expect(all).toHaveLength(20)
  expect(all.slice(0, 2)).toEqual([
    ['bob', 'thing1', 'bob/note', 'hello'],
    ['alice', 'thing21', 'alice/n', '21'],
  ])
  await page.getByRole('link', { name: 'Show the latest 100' }).click()
  await page.getByRole('link', { name: 'thing0', exact: true }).waitFor()
  await page.goBack()

  await page.getByRole('link', { name: 'By one user' }).click()
  await page.getByLabel('User name').fill('bob')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.waitForURL(/show=user&user=bob/)
  await page.getByRole('link', { name: 'bob/note' }).waitFor()
  expect(await lines(page)).toEqual([['bob', 'thing1', 'bob/note', 'hello']])

  await page.getByRole('link', { name: 'On objects' }).click()
  await page.getByLabel('Query that finds objects').fill('alice/n = 3')
  await page.getByLabel('Query that finds objects').press('Enter')
  await page.getByRole('link', { name: 'alice/n' }).waitFor()
  expect((await lines(page)).map(([by, about]) => [by, about])).toEqual([
    ['alice', 'thing3'],
    ['service', 'thing3'],
  ])

  await page.getByRole('link', { name: 'On one object' }).click()
  await page.getByLabel('About value or id').fill('thing1')
  await page.getByLabel('About value or id').press('Enter')
  await page.getByRole('link', { name: 'bob/note' }).waitFor()
  await page.goBack()
  await page.goBack()
  await page.getByRole('link', { name: 'thing3' }).first().waitFor()
  expect(await page.getByLabel('Query that finds objects').inputValue()).toBe('alice/n = 3')
  await page.getByRole('link', { name: 'thing3' }).first().click()
  await page.getByRole('heading', { name: 'thing3' }).waitFor()
  await leave(visit)
})

test('says what is wrong with a question, and fits into a narrow window in the dark', async () => {
  const visit = await setting().open('#/recent?show=user&user=nobody', {
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const { page } = visit
  await page.getByRole('alert').getByText('nobody').waitFor()
  await page.getByLabel('User name').fill('alice')
  await page.getByLabel('User name').press('Enter')
  await page.getByRole('link', { name: 'thing21' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.locator('.recent-values tbody tr:nth-child(2) a:focus').waitFor()
  await leave(visit)
})
