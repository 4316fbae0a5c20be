/** What people do in the console, by keyboard alone: nothing here clicks, and no script moves the focus. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import type { Visit } from '../pages/browser.ts'
import { PASSWORD } from '../support/service.ts'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

const BOOKS = [
  ['Dune', 9, 'science fiction'],
  ['Emma', 8, 'novel'],
  ['Ulysses', 7, 'novel'],
] as const

beforeAll(async () => {
  for (const [title, rating, genre] of BOOKS) {
    for (const [tag, value] of Object.entries({ title, rating, genre }))
      await setting().service.ok('PUT', `/about/book:${title}/alice/books/${tag}`, {
        as: 'alice',
        primitive: JSON.stringify(value),
      })
  }
})

const ASKED = '#/ask?query=has+alice%2Fbooks%2Frating'

/** More presses than that are no way to work. */
const FAR = 60

const withFocus = (page: Page): Locator => page.locator(':focus')

/** Goes on with Tab until the focus is on it. */
async function tabTo(wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const page = wanted.page()
  await wanted.first().waitFor()
  for (let presses = 0; presses <= FAR; presses += 1) {
    if ((await wanted.and(withFocus(page)).count()) > 0) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${String(wanted)}`)
}

/** Goes to a button or a link, and does what it does. */
async function take(wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(wanted, key)
  await wanted.page().keyboard.press('Enter')
}

/** Types one text after another, with Tab between them. */
async function typeInto(page: Page, ...texts: readonly string[]): Promise<void> {
  for (const [at, text] of texts.entries()) {
    if (at > 0) await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
}

async function signIn(page: Page, name: string): Promise<void> {
  await take(page.getByRole('banner').getByRole('button', { name: 'Sign in' }))
  await page.getByLabel('User name').and(withFocus(page)).waitFor()
  await typeInto(page, name, PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('main').getByRole('heading', { level: 1, name })

/** Ends a visit; what it shows is looked at elsewhere. */
async function close({ page, faults }: Visit): Promise<void> {
  expect(faults).toEqual([])
  await page.context().close()
}

/** The value of a tag on a book. */
const stored = async (title: string, tag: string): Promise<unknown> =>
  (await setting().service.ok('GET', `/about/book:${title}/alice/books/${tag}`, { as: 'alice' })).json()

test('1: signs in, and reads whom the menu names', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await signIn(page, 'alice')
  // The button that was pressed is gone, and the focus is not.
  await withFocus(page).waitFor()
  await take(page.getByRole('banner').getByRole('button', { name: 'alice' }), 'Shift+Tab')
  await page.getByText('Signed in as alice').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Signed in as alice').waitFor({ state: 'hidden' })
  await leave(visit)
})

test('2: goes through the tree to the page of a tag', async () => {
  const visit = await setting().open('')
  const { page } = visit
  const item = (name: string): Locator => page.getByRole('treeitem', { name, exact: true })
  await tabTo(item('alice namespace'))
  await page.keyboard.press('ArrowRight')
  await item('books namespace').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await item('rating tag').waitFor()
  await page.keyboard.type('rat')
  await page.keyboard.press('Enter')
  await heading(page, 'rating').waitFor()
  await close(visit)
})

test('3: asks a query', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await heading(page, 'What is here').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('alice/books/rating = 9')
  await page.keyboard.press('Enter')
  await heading(page, '1 object').waitFor()
  await page.getByRole('row', { name: /book:Dune/ }).waitFor()
  await close(visit)
})

test('4: completes the path of a tag in the query', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await heading(page, 'What is here').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('rati')
  await page.getByRole('option', { name: 'alice/books/rating' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('>= 8')
  expect(await withFocus(page).inputValue()).toBe('alice/books/rating >= 8')
  await page.keyboard.press('Enter')
  await heading(page, '2 objects').waitFor()
  await close(visit)
})

test('5: sorts by a column, and turns the order around', async () => {
  const visit = await setting().open(ASKED)
  const { page } = visit
  const column = page.getByRole('columnheader', { name: 'rating' })
  const first = page.locator('[role=row][data-index="0"]')
  await take(column.getByRole('button'))
  await column.and(page.locator('[aria-sort=ascending]')).waitFor()
  await first.filter({ hasText: 'book:Ulysses' }).waitFor()
  await page.keyboard.press('Enter')
  await column.and(page.locator('[aria-sort=descending]')).waitFor()
  await first.filter({ hasText: 'book:Dune' }).waitFor()
  await close(visit)
})

test('6: opens an object of the table, and comes back to its row', async () => {
  const visit = await setting().open(`${ASKED}&sort=alice%2Fbooks%2Frating`)
  const { page } = visit
  await tabTo(page.getByRole('link', { name: 'book:Ulysses' }))
  await page.keyboard.press('ArrowDown')
  await page.getByRole('link', { name: 'book:Emma' }).and(withFocus(page)).waitFor()
  await page.keyboard.press('Enter')
  await heading(page, 'book:Emma').waitFor()
  // Alt and the left arrow are the browser's own, which keys of a test do not get to.
  await page.goBack()
  await page.getByRole('link', { name: 'book:Emma' }).and(withFocus(page)).waitFor()
  await close(visit)
})

test('7: edits a value', async () => {
  const visit = await setting().open('#/object/about/book:Emma')
  const { page } = visit
  await signIn(page, 'alice')
  await take(page.getByRole('button', { name: 'Edit alice/books/title' }))
  await page.getByLabel('Value', { exact: true }).and(withFocus(page)).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type(' (1815)')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('status').getByText('Saved alice/books/title').waitFor()
  expect(await stored('Emma', 'title')).toBe('Emma (1815)')
  await page.getByRole('button', { name: 'Edit alice/books/title' }).and(withFocus(page)).waitFor()
  await close(visit)
})

test('8: edits a value by letters, and undoes it', async () => {
  const visit = await setting().open('#/object/about/book:Ulysses')
  const { page } = visit
  await signIn(page, 'alice')
  await tabTo(page.getByRole('button', { name: 'Edit alice/books/rating' }))
  await page.keyboard.press('e')
  await page.getByLabel('Value', { exact: true }).and(withFocus(page)).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Saved alice/books/rating: 3').waitFor()
  expect(await stored('Ulysses', 'rating')).toBe(3)
  const edit = page.getByRole('button', { name: 'Edit alice/books/rating' })
  await edit.and(withFocus(page)).waitFor()
  await page.keyboard.press('u')
  await page.getByRole('status').getByText('Undone: alice/books/rating').waitFor()
  expect(await stored('Ulysses', 'rating')).toBe(7)
  await edit.and(withFocus(page)).waitFor()
  await close(visit)
})

test('9: makes an exception to a permission', async () => {
  const visit = await setting().open('#/tag/alice/books/title')
  const { page } = visit
  await signIn(page, 'alice')
  await take(page.getByRole('main').getByRole('link', { name: 'Permissions' }))
  await tabTo(page.getByLabel('Another exception: read its values'))
  await page.keyboard.type('bob')
  await page.keyboard.press('Enter')
  await page.getByText('bob may no longer read its values').first().waitFor()
  await take(page.getByRole('button', { name: 'Save changes' }))
  await page.getByRole('status').getByText('Saved: bob may no longer read its values').waitFor()
  const answer = await setting().service.ok('GET', '/permissions/tag-values/alice/books/title', {
    as: 'alice',
    query: { action: 'read' },
  })
  expect(answer.json()).toEqual({ policy: 'open', exceptions: ['bob'] })
  // Each of these buttons goes when it is pressed, and the focus does not.
  await page.getByRole('region', { name: 'Permissions' }).and(withFocus(page)).waitFor()
  await take(page.getByRole('button', { name: 'Undo' }))
  await page.getByRole('status').getByText('Taken back').waitFor()
  await withFocus(page).waitFor()
  await close(visit)
})

test('10: builds a query of fields', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await take(page.getByRole('button', { name: 'Build' }))
  const builder = page.getByRole('region', { name: 'Builder' })
  await tabTo(builder.getByRole('combobox', { name: 'Tag' }))
  await page.keyboard.type('alice/books/rating')
  await tabTo(builder.getByRole('combobox', { name: 'Operator' }))
  await page.keyboard.type('>=')
  await tabTo(builder.getByRole('combobox', { name: 'Value' }))
  await page.keyboard.type('8')
  await take(page.getByRole('button', { name: 'Ask' }), 'Shift+Tab')
  await heading(page, '2 objects').waitFor()
  expect(new URLSearchParams(page.url().replace(/^.*\?/, '')).get('query')).toBe('alice/books/rating >= 8')
  await leave(visit)
})

test('11: narrows by a facet', async () => {
  const visit = await setting().open(`${ASKED}&facet=alice%2Fbooks%2Fgenre`)
  const { page } = visit
  await heading(page, '3 objects').waitFor()
  await take(
    page
      .getByRole('region', { name: 'alice/books/genre', exact: true })
      .getByRole('button', { name: 'novel' }),
  )
  await heading(page, '2 objects').waitFor()
  await withFocus(page).waitFor()
  await close(visit)
})

test('12: imports a file', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await signIn(page, 'alice')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  const chooser = page.waitForEvent('filechooser')
  await take(page.getByRole('button', { name: 'Choose a file' }))
  const buffer = Buffer.from('id,name,height\n1,Zugspitze,2962\n2,Watzmann,2713\n')
  await (await chooser).setFiles({ name: 'peaks.csv', mimeType: 'text/csv', buffer })
  await take(page.getByRole('button', { name: 'Import 2 rows' }))
  await page.getByText('2 rows written').waitFor()
  await take(page.getByRole('link', { name: 'Ask for them' }))
  await heading(page, '2 objects').waitFor()
  await leave(visit)
})

test('13: creates a user as the superuser', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await signIn(page, 'service')
  await take(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Users' }))
  await take(page.getByRole('button', { name: 'Create a user' }))
  await page.getByLabel('User name').and(withFocus(page)).waitFor()
  await typeInto(page, 'zoe', 'Zoë', 'zoe@example.org', 'long enough for anybody')
  await page.keyboard.press('Enter')
  await heading(page, 'Zoë').waitFor()
  await close(visit)
})

test('14: reads the sheet of keys, and goes to a tag by a few letters', async () => {
  const visit = await setting().open(ASKED)
  const { page } = visit
  const dialog = page.getByRole('dialog')
  const row = page.getByRole('link', { name: 'book:Dune' })
  await tabTo(row)
  await page.keyboard.press('?')
  await dialog.getByText('open the object').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await row.and(withFocus(page)).waitFor()
  await page.keyboard.press('Control+k')
  await dialog.getByRole('combobox').and(withFocus(page)).waitFor()
  await page.keyboard.type('books/rat')
  await dialog.getByRole('option', { name: 'alice/books/rating', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await heading(page, 'rating').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await leave(visit)
})
