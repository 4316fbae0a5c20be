/** Changing all that a query matches: what is shown before, what is done, and what can be undone. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

const QUERY = 'has alice/books/rating'
const OF = `#/ask?query=${encodeURIComponent(QUERY)}`

beforeAll(async () => {
  const queries = Array.from({ length: 12 }, (_, index) => [
    `service/about = "book:${String(index).padStart(2, '0')}"`,
    {
      'alice/books/rating': { value: index },
      ...(index < 3 ? { 'alice/books/lent': { value: index > 0 } } : {}),
    },
  ])
  const { service } = setting()
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
  await service.ok('PUT', '/about/book:00/bob/note', { as: 'bob', primitive: '"mine"' })
})

/** Opens the dialog. */
async function change(page: Page): Promise<ReturnType<Page['getByRole']>> {
  await page.getByRole('button', { name: /Set a tag on all 12/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(QUERY).waitFor()
  return dialog
}

const count = async (query: string): Promise<number> => {
  const answer = await setting().service.ok('GET', '/objects', { as: 'alice', query: { query } })
  return (answer.json() as { ids: string[] }).ids.length
}

test('a new tag is set on all of them, and taken off again', async () => {
  const visit = await setting().open(OF, { as: 'alice' })
  const { page } = visit
  const dialog = await change(page)
  await dialog.getByLabel('Tag', { exact: true }).fill('alice/books/size')
  await dialog.getByLabel('Type').selectOption('int')
  await dialog.getByLabel('Value').fill('9223372036854775808')
  await dialog.getByText('an int is digits, and has 64 bits').waitFor()
  await dialog.getByLabel('Value').fill('9223372036854775807')
  await dialog.getByText('The tag does not exist yet, and will be made.').waitFor()
  await dialog.getByText('None of them has this tag, so no value is lost.').waitFor()
  expect(await dialog.getByRole('row').count()).toBe(11)
  expect((await setting().service.request('GET', '/tags/alice/books/size', { as: 'alice' })).status).toBe(404)
  await dialog
    .getByRole('button', { name: 'Set alice/books/size = 9223372036854775807 on 12 objects' })
    .click()
  await dialog.waitFor({ state: 'detached' })
  expect(await count('alice/books/size = 9223372036854775807')).toBe(12)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('alice/books/size is off 12 objects again').waitFor()
  expect(await count('has alice/books/size')).toBe(0)
  await leave(visit)
})

test('values that are lost are counted before, and what is forbidden is said', async () => {
  const narrow = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' as const }
  const visit = await setting().open(OF, { as: 'alice', ...narrow })
  const { page } = visit
  const dialog = await change(page)
  await dialog.getByLabel('Tag', { exact: true }).fill('bob/note')
  await dialog.getByLabel('Value').fill('yours')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Tag', { exact: true }).fill('alice/books/lent')
  await dialog.getByLabel('Type').selectOption('bool')
  await dialog
    .getByText('3 of them have it already: 1 with another value, which is lost, and 2 with an equal value.')
    .waitFor()
  await dialog.getByText('This cannot be undone.').waitFor()
  await dialog.getByRole('button', { name: 'Set alice/books/lent = true on 12 objects' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await count('alice/books/lent = true')).toBe(12)
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)

  await change(page)
  await dialog.getByLabel('Take a tag off').check()
  await dialog.getByLabel('Tag', { exact: true }).fill('alice/books/lent')
  await dialog.getByText('Their values of it are lost.').waitFor()
  await dialog.getByRole('button', { name: 'Take alice/books/lent off 12 objects' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await count('has alice/books/lent')).toBe(0)
  await leave(visit)
})

test('what has changed since it was shown is shown again, and types are told apart', async () => {
  const visit = await setting().open(OF, { as: 'alice' })
  const { page } = visit
  const dialog = await change(page)
  await dialog.getByLabel('Tag', { exact: true }).fill('alice/books/kept')
  await dialog.getByLabel('Value').fill('true')
  const set = dialog.getByRole('button', { name: 'Set alice/books/kept = true on 12 objects' })
  await set.waitFor()
  await setting().service.ok('PUT', '/about/book:07/alice/books/kept', { as: 'alice', primitive: '5' })
  await set.click()
  await dialog.getByText('It has changed meanwhile, so nothing was written: look again.').waitFor()
  await dialog.getByText('1 of them has it already, with another value, which is lost.').waitFor()
  expect(await count('has alice/books/kept')).toBe(1)

  // The same text of another type is another change.
  await dialog.getByLabel('Type').selectOption('bool')
  await set.click()
  await dialog.waitFor({ state: 'detached' })
  expect(await count('alice/books/kept = true')).toBe(12)

  await change(page)
  await dialog.getByLabel('Tag', { exact: true }).fill('alice/books/rating')
  await dialog.getByLabel('Type').selectOption('float')
  await dialog.getByLabel('Value').fill('5.0')
  await dialog
    .getByText('11 with other values, which are lost, and 1 with an equal number, whose type may change.')
    .waitFor()
  await leave(visit)
})
