/** Results as a table: what its cells show, its columns and order, and what is said about queries that find nothing or are wrong. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

const MARKUP = '<img src="x" onerror="alert(1)"><b>bold</b>'

beforeAll(async () => {
  const { service } = setting()
  const as = 'alice'
  const books: Readonly<Record<string, object>> = {
    Dune: { rating: 9, pages: 4120, topics: ['desert', 'ecology'], note: MARKUP },
    Emma: { rating: 8, weight: 5 },
    Ulysses: { rating: 10, lent: true },
  }
  const queries = Object.entries(books).map(([about, values]) => [
    `service/about = "book:${about}"`,
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`alice/books/${name}`, { value: value as unknown }]),
    ),
  ])
  await service.ok('PUT', '/values', { as, json: { queries } })
  await service.ok('PUT', '/about/book:Emma/alice/books/pages', { as, primitive: '9007199254740993' })
  await service.ok('PUT', '/about/book:Dune/alice/books/weight', { as, primitive: '5.0' })
  await service.ok('PUT', '/about/book:Emma/alice/books/cover', {
    as,
    body: Buffer.from([1, 2, 3]),
    headers: { 'content-type': 'image/png' },
  })
})

const hashOf = (query: string, more = ''): string => `#/ask?query=${encodeURIComponent(query)}${more}`

/** The results; facets have tables, too. */
const tableOf = (page: Page): Locator => page.getByRole('table', { name: 'Objects that the query finds' })

/** The texts of the table, row by row, the headings first. */
const texts = (page: Page): Promise<string[][]> =>
  tableOf(page)
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...(row as unknown as { children: Iterable<{ innerText: string }> }).children].map(({ innerText }) =>
          innerText.replace(/\s+/g, ' ').trim(),
        ),
      ),
    )

const headings = (page: Page): Promise<string[]> => tableOf(page).getByRole('columnheader').allInnerTexts()

const paramsOf = (page: Page): URLSearchParams => new URLSearchParams(page.url().replace(/^[^?]*\?/, ''))

test('shows the values that the objects have, to the digit, in an order', async () => {
  const columns = ['rating', 'pages', 'weight', 'topics', 'cover', 'note']
  const more = columns.map((name) => `&column=alice/books/${name}`).join('')
  const visit = await setting().open(hashOf('has alice/books/rating', `${more}&sort=alice/books/rating`))
  const { page } = visit
  await page.getByRole('heading', { name: '3 objects' }).waitFor()
  await page.getByRole('link', { name: 'book:Dune' }).waitFor()
  expect(await texts(page)).toEqual([
    ['about', 'rating ▲', 'pages', 'weight', 'topics', 'cover', 'note'],
    ['book:Emma', '8', '9,007,199,254,740,993', '5', '', 'image/png, 3 bytes', ''],
    ['book:Dune', '9', '4,120', '5.0', 'desertecology', '', MARKUP],
    ['book:Ulysses', '10', '', '', '', '', ''],
  ])
  const table = tableOf(page)
  expect(await table.getAttribute('aria-rowcount')).toBe('4')
  expect(await page.locator('[aria-sort=ascending]').innerText()).toContain('rating')

  const rating = tableOf(page).getByRole('columnheader', { name: 'rating' })
  await rating.getByRole('button').click()
  await page.locator('[aria-rowindex="2"]', { hasText: 'Ulysses' }).waitFor()
  expect(await rating.getAttribute('aria-sort')).toBe('descending')
  expect(paramsOf(page).get('sort')).toBe('-alice/books/rating')
  await rating.getByRole('button').click()
  await page.locator('[aria-sort=descending]').waitFor({ state: 'detached' })
  expect(paramsOf(page).has('sort')).toBe(false)
  await page.goBack()
  await page.locator('[aria-sort=descending]').waitFor()
  await leave(visit)
})

test('guesses columns, adds, moves and removes them, by the panel, by keys and by dragging', async () => {
  const visit = await setting().open(hashOf('alice/books/pages > 5'))
  const { page } = visit
  await page.getByRole('heading', { name: '2 objects' }).waitFor()
  await tableOf(page).getByRole('columnheader').nth(6).waitFor()
  const guessed = await headings(page)
  expect(guessed.slice(0, 2)).toEqual(['about', 'pages'])
  expect(guessed.slice(2).sort()).toEqual(['cover', 'note', 'rating', 'topics', 'weight'])

  const open = page.getByRole('button', { name: 'Columns' })
  await open.click()
  for (const name of ['cover', 'note', 'topics', 'weight']) {
    await page.getByRole('button', { name: `Remove alice/books/${name}` }).click()
    await tableOf(page).getByRole('columnheader', { name }).waitFor({ state: 'detached' })
  }
  await page.getByLabel('Add the column of a tag').fill('len')
  await page.getByRole('option', { name: 'alice/books/lent' }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await tableOf(page).getByRole('columnheader', { name: 'lent' }).waitFor()
  await page.getByRole('button', { name: 'Move alice/books/lent left' }).press('Enter')
  await tableOf(page).getByRole('columnheader').nth(2).getByText('lent').waitFor()
  await page.locator('button[aria-label="Move alice/books/lent left"]:focus').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('button:focus', { hasText: 'Columns' }).waitFor()
  expect(paramsOf(page).getAll('column')).toEqual(
    ['pages', 'lent', 'rating'].map((name) => `alice/books/${name}`),
  )

  await tableOf(page).getByRole('columnheader', { name: 'lent' }).getByRole('button').focus()
  await page.keyboard.press('Alt+ArrowLeft')
  await tableOf(page).getByRole('columnheader').nth(1).getByText('lent').waitFor()
  await tableOf(page).getByRole('columnheader', { name: 'lent' }).locator('button:focus').waitFor()
  await page.keyboard.press('Delete')
  await tableOf(page).getByRole('columnheader', { name: 'lent' }).waitFor({ state: 'detached' })
  await page
    .getByRole('columnheader', { name: 'rating' })
    .dragTo(tableOf(page).getByRole('columnheader', { name: 'pages' }))
  await tableOf(page).getByRole('columnheader').nth(1).getByText('rating').waitFor()
  expect(await headings(page)).toEqual(['about', 'rating', 'pages'])
  await leave(visit)
})

test('shows what the columns were guessed by until the first page is there', async () => {
  const visit = await setting().open('')
  const { page } = visit
  const seen = Promise.withResolvers<undefined>()
  await page.route(/\/search\?.*&tag=alice/, (route) => seen.promise.then(() => route.continue()))
  await page.goto(`${page.url().replace(/#.*/s, '')}${hashOf('has alice/books/rating')}`)
  await tableOf(page).getByRole('link', { name: 'book:Dune' }).waitFor()
  await page.getByRole('heading', { name: 'Asking …' }).waitFor()
  seen.resolve(undefined)
  await page.getByRole('heading', { name: '3 objects' }).waitFor()
  expect((await texts(page)).map(([about]) => about).sort()).toEqual([
    'about',
    'book:Dune',
    'book:Emma',
    'book:Ulysses',
  ])
  await leave(visit)
})

test('says which condition finds nothing, and asks without it', async () => {
  const visit = await setting().open('#/recent')
  const { page } = visit
  let checks = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/search/check') && request.method() === 'POST') checks += 1
  })
  const hash = hashOf('has alice/books/rating and alice/books/pages = 7 and has alice/books/lent')
  await page.goto(`${page.url().replace(/#.*/s, '')}${hash}`)
  await page.getByRole('heading', { name: '0 objects' }).waitFor()
  await page.getByText('3 conditions: 3, 0 and 1').waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('mark', { hasText: 'alice/books/pages = 7' }).waitFor()
  expect(checks).toBe(1)
  await page.getByRole('link', { name: 'has alice/books/rating and has alice/books/lent' }).click()
  await page.getByRole('heading', { name: '1 object' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: '0 objects' }).waitFor()
  await leave(visit)
})

test('marks what is wrong in a query, and what was probably meant', async () => {
  const visit = await setting().open(hashOf('has alice/books/ratin and has alice/books/lent'))
  const { page } = visit
  await page.locator('mark', { hasText: 'alice/books/ratin' }).waitFor()
  await page.getByRole('link', { name: 'alice/books/rating' }).click()
  await page.getByRole('heading', { name: '1 object' }).waitFor()
  await page.goto(page.url().replace(/#.*/s, hashOf('has alice/books/rating and and')))
  await page.getByRole('heading', { name: 'This query cannot be answered' }).waitFor()
  await page.locator('main mark', { hasText: 'and' }).waitFor()
  await page.locator('.faults').getByText('expected a tag path').waitFor()
  await leave(visit)
})

test('works on narrow and dark screens, and asks who changes something to sign in', async () => {
  const visit = await setting().open(hashOf('has alice/books/rating'), {
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const { page } = visit
  await page.getByRole('link', { name: 'book:Dune' }).waitFor()
  await page.getByText('Facets', { exact: true }).click()
  await page.getByText('Facets', { exact: true }).click()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Add the column of a tag').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Set a tag on all 3/ }).click()
  await page.getByText('Sign in first').waitFor()
  await page.getByRole('link', { name: 'Chart' }).click()
  expect(paramsOf(page).get('show')).toBe('chart')
  await tableOf(page).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Table' }).click()
  await page.getByRole('link', { name: 'book:Dune' }).waitFor()
  await leave(visit)
})
