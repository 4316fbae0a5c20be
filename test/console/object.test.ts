/** The view of an object: its values, by whom they are, and what is in opaque ones. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

const DUNE = '#/object/about/book%3ADune'

beforeAll(async () => {
  const { service } = setting()
  const put = async (tag: string, primitive: string): Promise<void> => {
    await service.ok('PUT', `/about/book%3ADune/${tag}`, { as: 'alice', primitive })
  }
  const putOpaque = async (tag: string, type: string, body: string | Buffer): Promise<void> => {
    const headers = { 'Content-Type': type }
    await service.ok('PUT', `/about/book%3ADune/${tag}`, { as: 'alice', body, headers })
  }
  await put('alice/books/pages', '9223372036854775807')
  await put('alice/books/score', '5.0')
  await put('alice/books/genres', '["science fiction","<b>bold</b>"]')
  await put('alice/books/review', '"It begins slowly,\\nand <i>then</i> \\u202e"')
  await put('alice/link', '"https://example.org/dune"')
  await service.ok('PUT', '/about/book%3ADune/bob/seen', { as: 'bob', primitive: 'null' })
  const script = '<script>document.title = "run"</script>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">${script}<rect width="9" height="9"/></svg>`
  await putOpaque('alice/files/cover', 'image/svg+xml', svg)
  await putOpaque('alice/files/torn', 'image/png', 'no image')
  await putOpaque('alice/files/page', 'text/html', `<h1>Hello</h1>${script}`)
  await putOpaque('alice/files/data', 'application/json', '{"big":9223372036854775807,"whole":5.0}')
  await putOpaque('alice/files/bytes', 'application/octet-stream', Buffer.alloc(300, 7))
  await putOpaque('alice/files/large', 'text/plain', 'x'.repeat(300_000))
})

/** The row of a tag. */
const row = (page: Page, tag: string): ReturnType<Page['locator']> =>
  page.locator('.object-values > li').filter({ has: page.locator(`a[href="#/tag/${tag}"]`) })

test('shows values by namespace, to the digit, with who wrote them and what they lead to', async () => {
  const visit = await setting().open(DUNE)
  const { page } = visit
  await row(page, 'alice/books/pages').waitFor()
  expect(await page.locator('main h2').allTextContents()).toEqual([
    'alice',
    'alice/books',
    'alice/files',
    'bob',
    'service',
  ])
  expect(await row(page, 'alice/books/pages').locator('.value-whole').textContent()).toBe(
    '9,223,372,036,854,775,807',
  )
  expect(await row(page, 'alice/books/score').locator('.value-main').textContent()).toContain('5.0float')
  expect(await row(page, 'alice/books/review').locator('.value-whole').innerText()).toBe(
    'It begins slowly,\nand <i>then</i> \\u202e',
  )
  expect(await row(page, 'bob/seen').locator('.written').textContent()).toBe('just now by bob')
  const link = row(page, 'alice/link').getByRole('link', { name: 'https://example.org/dune' })
  expect(await link.getAttribute('rel')).toBe('noreferrer')
  expect(
    await page
      .locator('main')
      .getByRole('button', { name: /Edit|Delete|Add/ })
      .count(),
  ).toBe(0)
  await row(page, 'alice/books/pages').getByRole('link', { name: 'All with this value' }).click()
  expect(await page.getByLabel('Query', { exact: true }).inputValue()).toBe(
    'alice/books/pages = 9223372036854775807',
  )
  await page.goBack()
  await row(page, 'alice/books/genres').getByRole('link', { name: '<b>bold</b>' }).click()
  expect(await page.getByLabel('Query', { exact: true }).inputValue()).toBe(
    'alice/books/genres contains "<b>bold</b>"',
  )
  await page.goBack()
  await page.getByRole('main').getByRole('link', { name: 'Recent changes' }).click()
  await page.getByRole('region', { name: 'The latest values' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'book:Dune' }).waitFor()
  await leave(visit)
})

test('shows what is in opaque values, and executes nothing', async () => {
  const visit = await setting().open(DUNE)
  const { page } = visit
  const picture = page.getByRole('img', { name: 'The value of alice/files/cover' })
  await picture.waitFor()
  expect(await page.evaluate(`document.querySelector('.value-picture').naturalWidth`)).toBe(20)
  // In a tab of its own, the image has nothing of the console.
  expect(await picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml;base64,/)
  await row(page, 'alice/files/torn').getByText('cannot read it as an image').waitFor()
  const text = (tag: string): Promise<string> => row(page, `alice/files/${tag}`).locator('pre').innerText()
  expect(await text('page')).toContain('<h1>Hello</h1><script>')
  expect(await text('data')).toBe('{\n  "big": 9223372036854775807,\n  "whole": 5.0\n}')
  expect((await text('bytes')).split('\n')).toHaveLength(16)
  expect(await page.title()).not.toBe('run')
  const large = row(page, 'alice/files/large')
  expect(await large.locator('pre').count()).toBe(0)
  await large.getByRole('button', { name: 'Load it to look at it' }).click()
  await large.getByText('The first 20,000 of 300,000 characters.').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    row(page, 'alice/files/cover').getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('cover.svg')
  await leave(visit)
})

test('shows objects without an about value, and those that nobody has mentioned', async () => {
  const id = '019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4'
  const visit = await setting().open(`#/object/id/${id}`)
  await visit.page.getByText('Nobody has said anything about this object').waitFor()
  await visit.page.getByText(id, { exact: true }).waitFor()
  await visit.page.evaluate(`location.hash = '#/object/about/https%3A%2F%2Fexample.org%2Fa'`)
  await visit.page.getByRole('heading', { name: 'https://example.org/a' }).waitFor()
  const out = visit.page.getByRole('link', { name: 'Open this address' })
  expect(await out.getAttribute('href')).toBe('https://example.org/a')
  const long = `the ${'very '.repeat(8_000)}last`
  await setting().service.ok('POST', '/objects', { as: 'alice', json: { about: long } })
  await visit.page.evaluate(`location.hash = '#/object/about/${encodeURIComponent(long)}'`)
  await row(visit.page, 'service/about').waitFor()
  await visit.page.evaluate(`location.hash = '#/object/id/nonsense'`)
  await visit.page.getByRole('alert').getByText('UUID').waitFor()
  await leave(visit)
})

test('fits into a narrow window in the dark', async () => {
  const visit = await setting().open(DUNE, { viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
  await visit.page.getByRole('img', { name: 'The value of alice/files/cover' }).waitFor()
  await leave(visit)
})
