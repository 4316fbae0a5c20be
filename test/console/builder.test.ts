/** The builder beside the query box: rows from the text, and the text from rows. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { counted, leave, useConsole } from './console.ts'

const setting = useConsole()

beforeAll(async () => {
  const { service } = setting()
  for (const [about, country, size] of [
    ['city:a', 'GB', 5],
    ['city:b', 'FR', 7],
    ['city:c', 'DE', 12],
  ] as const) {
    for (const [tag, value] of [
      ['country', country],
      ['size', size],
    ] as const) {
      await service.ok('PUT', `/about/${about}/alice/${tag}`, {
        as: 'alice',
        primitive: JSON.stringify(value),
      })
    }
  }
})

const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Query' })
const builder = (page: Page): Locator => page.getByRole('region', { name: 'Builder' })
const rows = (page: Page): Locator => builder(page).locator('.condition')

/** What stands in the fields of each row. */
const fields = (page: Page): Promise<string[][]> =>
  page.evaluate(
    `[...document.querySelectorAll('.builder .condition')].map((row) =>
      [...row.querySelectorAll('input, select')].map(({ value }) => value))`,
  )

/** Waits for the text that the rows make. */
const written = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction(`document.querySelector('.query textarea')?.value === ${JSON.stringify(text)}`)

/** A field of a row, or of a group. */
const field = (place: Locator, name: string): Locator => place.getByRole('combobox', { name })

test('makes a query of rows, and asks it', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await page.getByRole('button', { name: 'Build' }).click()
  const first = rows(page).first()
  await field(first, 'Tag').pressSequentially('count')
  await page.getByRole('option', { name: 'alice/country' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await field(first, 'Value').pressSequentially('G')
  await page.getByRole('option', { name: '"GB"' }).click()
  await written(page, 'alice/country = "GB"')
  await builder(page).getByRole('button', { name: 'Add group' }).click()
  // The focus is in what was added.
  await page.keyboard.type('alice/size')
  const second = rows(page).nth(1)
  await field(second, 'Operator').selectOption('>=')
  await field(second, 'Value').fill('7')
  expect(await field(second, 'Type').inputValue()).toBe('number')
  await written(page, 'alice/country = "GB" and alice/size >= 7')
  await field(builder(page), 'Find').first().selectOption('or')
  await written(page, 'alice/country = "GB" or alice/size >= 7')
  await counted(builder(page), '2 conditions: 1 and 2 → 3 objects')
  await builder(page).getByRole('button', { name: 'Add condition' }).first().click()
  await page.keyboard.type('alice/country')
  await field(rows(page).nth(2), 'Operator').selectOption('!=')
  await field(rows(page).nth(2), 'Type').selectOption('null')
  await written(page, 'alice/country = "GB" or alice/size >= 7 and alice/country != null')
  await builder(page).getByRole('button', { name: 'Remove condition 1' }).first().click()
  await written(page, 'alice/size >= 7 and alice/country != null')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByRole('heading', { name: '2 objects' }).waitFor()
  expect(await rows(page).count()).toBe(2)
  await leave(visit)
})

test('reads any query back, and keeps rows that are not finished', async () => {
  const visit = await setting().open('#/start?build=1', {
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const { page } = visit
  await builder(page).waitFor()
  await box(page).fill(
    '(alice/size > 5.0 or has alice/country) and alice/country contains "x" except has u/v',
  )
  await rows(page).nth(3).waitFor()
  expect(await fields(page)).toEqual([
    ['alice/size', '>', 'number', '5.0'],
    ['alice/country', 'has'],
    ['alice/country', 'contains', 'x'],
    ['u/v', 'has'],
  ])
  // A text that is no query has no rows.
  await page.keyboard.press('End')
  await page.keyboard.type(' and')
  await builder(page).getByText('The text above has an error').waitFor()
  await box(page).fill('has alice/size')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await field(rows(page).nth(1), 'Tag').fill('alice')
  expect(await box(page).inputValue()).toBe('has alice/size')
  expect(await fields(page)).toEqual([
    ['alice/size', 'has'],
    ['alice', '=', 'text', ''],
  ])
  await page.getByRole('button', { name: 'Move condition 2 up' }).click()
  await field(builder(page), 'Find').selectOption('except')
  // Nothing is left out of nothing.
  await written(page, '')
  expect(await rows(page).count()).toBe(2)
  await page.goBack()
  await page.goForward()
  await builder(page).waitFor()
  await page.getByRole('button', { name: 'Build' }).click()
  await builder(page).waitFor({ state: 'detached' })
  await leave(visit)
})
