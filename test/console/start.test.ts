/** The start page: an empty store, one with data, and the questions of the demo. */
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { leave, signIn, useConsole } from './console.ts'

const setting = useConsole()

/** The queries in the list under a heading, once all of them have a count. */
async function queriesOf(page: Page, heading: string): Promise<string[]> {
  const list = page.getByRole('region', { name: heading })
  await list.locator('.found:not(:empty)').nth(3).waitFor()
  return list.locator('code').allTextContents()
}

test('an empty store says what to do first, as far as who asks may do it', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await page.getByRole('heading', { name: 'No tags that everybody may read' }).waitFor()
  expect(await page.getByRole('link', { name: /^5 users$/ }).count()).toBe(1)
  expect(await queriesOf(page, 'Queries to begin with')).toContain('has service/users/username')
  await page.getByText('Nothing yet that you may read').waitFor()
  await signIn(page, 'service')
  await page.getByRole('heading', { name: 'No tags yet' }).waitFor()
  await page.getByRole('link', { name: 'Create the first user' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Import a table' }).first().click()
  await page.waitForURL((url) => url.hash === '#/import')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await leave(visit)
})

test('four queries are made of the data, and each finds something', async () => {
  const { service, open } = setting()
  const books = [
    ['Dune', 1965, 'desert "planet"'],
    ['Dune Messiah', 1969, 'desert "planet"'],
    ['Emma', 1815, 'courtship'],
  ] as const
  for (const [title, year, genre] of books) {
    const about = `/about/${encodeURIComponent(title)}/alice/books`
    await service.ok('PUT', `${about}/title`, { as: 'alice', primitive: JSON.stringify(title) })
    await service.ok('PUT', `${about}/year`, { as: 'alice', primitive: String(year) })
    await service.ok('PUT', `${about}/genres`, { as: 'alice', primitive: JSON.stringify([genre]) })
  }
  const visit = await open('', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
  const { page } = visit
  await page.getByText('has alice/books/title').waitFor()
  const queries = await queriesOf(page, 'Queries to begin with')
  expect(queries).toEqual([
    'has alice/books/title',
    'alice/books/year >= 1000',
    'alice/books/title matches "dune"',
    String.raw`alice/books/genres contains "desert \"planet\""`,
  ])
  for (const query of queries) {
    const { count } = (await service.ok('GET', '/search', { query: { query, count: 'exact' } })).json() as {
      count: number
    }
    expect(count).toBeGreaterThan(0)
  }
  const changes = page.getByRole('region', { name: 'Written last' })
  await changes.getByRole('link', { name: 'Emma' }).first().waitFor()
  await page.getByRole('link', { name: /alice\/books\/year >= 1000/ }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/ask?query='))
  expect(new URLSearchParams(page.url().split('?')[1]).get('sort')).toBe('-alice/books/year')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await leave(visit)
})

test('what only its owner may read is an example for its owner alone', async () => {
  const { service, open } = setting()
  await service.ok('PUT', '/about/Ithaca/bob/note', { as: 'bob', primitive: '"Homecoming"' })
  await service.ok('PUT', '/permissions/tag-values/bob/note', {
    as: 'bob',
    query: { action: 'read' },
    json: { policy: 'closed', exceptions: ['bob'] },
  })
  const visit = await open('')
  const { page } = visit
  await page.getByText('You see what anybody may see.').waitFor()
  const changes = page.getByRole('region', { name: 'Written last' })
  await changes.getByRole('listitem').first().waitFor()
  expect(await changes.getByText('bob/note').count()).toBe(0)
  await signIn(page, 'bob')
  await changes.getByText('bob/note').waitFor()
  await page.getByText('You see what bob may see.').waitFor()
  await leave(visit)
})

test('the questions of the demo are there once their owners are', async () => {
  const { service, open } = setting()
  for (const username of ['cities', 'countries', 'unicode']) {
    await service.ok('POST', '/users', { as: 'service', json: { username, password: 'correct horse' } })
  }
  const write = async (owner: string, tag: string, json: unknown): Promise<void> => {
    const primitive = JSON.stringify(json)
    await service.ok('PUT', `/about/country:FI/${owner}/${tag}`, { as: owner, primitive })
  }
  await write('cities', 'population', 5_600_000)
  await write('countries', 'borders', ['RU'])
  await write('unicode', 'scripts', ['Latin'])
  const visit = await open('')
  const { page } = visit
  const tour = page.getByRole('region', { name: 'One world, many hands' })
  const question = tour.getByRole('listitem').filter({ hasText: 'Which neighbours of Russia' })
  await question.getByText('1 object').waitFor()
  await tour.getByRole('link', { name: /more than a million/ }).click()
  await page.waitForURL((url) => url.hash.includes('show=map'))
  await page.goBack()
  await question.getByText('1 object').waitFor()
  await leave(visit)
})
