/** The tree: by keyboard and by pointer, what the URL names, what is not for everybody, paging and filtering. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { leave, signOut, useConsole } from './console.ts'

const setting = useConsole()

beforeAll(async () => {
  const { service } = setting()
  const json = { description: '', indexed: true }
  for (const [path, name] of [
    ['alice/books', 'rating'],
    ['alice/books', 'title'],
    ['alice/private', 'diary'],
  ] as const) {
    await service.ok('POST', `/tags/${path}`, { as: 'alice', json: { ...json, name } })
  }
})

const item = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true })
const focused = (page: Page, text: string) =>
  page
    .locator(':focus')
    .filter({ hasText: new RegExp(`^${text}$`) })
    .waitFor()

test('leads by keyboard alone to what is in a namespace, and back', async () => {
  const visit = await setting().open('#/tag/alice/books/rating', { as: 'alice' })
  const { page } = visit
  await page.locator('[role=treeitem][aria-current=page]', { hasText: 'rating' }).waitFor()
  await item(page, 'private namespace not for everybody').waitFor()
  // One stop of the tab key, which is where the page is.
  await page.getByLabel('Filter namespaces and tags').focus()
  await page.keyboard.press('Tab')
  await focused(page, 'ratingtag')
  await page.keyboard.press('ArrowDown')
  await focused(page, 'titletag')
  await page.keyboard.press('ArrowLeft')
  await focused(page, 'booksnamespace')
  await page.keyboard.press('ArrowLeft')
  await item(page, 'rating tag').waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await focused(page, 'ratingtag')
  await page.keyboard.press('Home')
  await focused(page, 'alicenamespace')
  await page.keyboard.press('End')
  await focused(page, 'servicenamespace')
  await page.keyboard.type('bo')
  await focused(page, 'booksnamespace')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'books' }).waitFor()
  expect(await item(page, 'books namespace').getAttribute('aria-current')).toBe('page')
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'rating' }).waitFor()
  await leave(visit)
})

test('shows of a namespace that nobody may list what they may read, and forgets it when somebody signs out', async () => {
  const visit = await setting().open('', { as: 'alice', colorScheme: 'dark' })
  const { page } = visit
  const turn = (name: string) => item(page, name).locator('.mark').click()
  await turn('alice namespace')
  await turn('private namespace not for everybody')
  await item(page, 'diary tag not for everybody').waitFor()
  await signOut(page)
  await item(page, 'diary tag not for everybody').waitFor({ state: 'detached' })
  await turn('alice namespace')
  await turn('private namespace not for everybody')
  await page.getByRole('treeitem', { name: 'Nothing that you may see' }).waitFor()
  await turn('service namespace')
  await item(page, 'about tag').waitFor()
  await turn('users namespace not for everybody')
  await item(page, 'username tag').waitFor()
  expect(await item(page, 'email tag not for everybody').count()).toBe(0)
  await leave(visit)
})

test('filters, and has the namespaces above a match open', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await page.getByLabel('Filter namespaces and tags').fill('ratin')
  await item(page, 'rating tag').waitFor()
  expect(await page.getByRole('treeitem').allTextContents()).toEqual([
    'alicenamespace',
    'booksnamespace',
    'ratingtag',
  ])
  expect(await page.locator('mark').textContent()).toBe('ratin')
  await item(page, 'rating tag').click()
  await page.getByRole('heading', { level: 1, name: 'rating' }).waitFor()
  await page.getByLabel('Filter namespaces and tags').fill('nothing has this name')
  await page.getByText('0 paths').waitFor()
  await leave(visit)
})

test('has the asker first, and further users page by page, but the one of the URL at once', async () => {
  const visit = await setting().open('')
  const { page } = visit
  // As if there were many users.
  await page.route('**/search?*', async (route) => {
    await route.continue({ url: route.request().url().replace('limit=100', 'limit=2') })
  })
  await page.goto(`${page.url()}#/namespace/carol`)
  await page.reload()
  await item(page, 'carol namespace').waitFor()
  expect(await item(page, 'bob namespace').count()).toBe(0)
  await item(page, 'More namespaces').click()
  await item(page, 'bob namespace').waitFor()
  await item(page, 'More namespaces').press('Enter')
  await item(page, 'service namespace').waitFor()
  expect(await page.getByRole('treeitem').allTextContents()).toEqual(
    ['alice', 'bob', 'carol', 'service'].map((name) => `${name}namespace`),
  )
  await leave(visit)
})
