/** Taking results away: files with all of them, and the same search for other programs. */
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

const MANY = 1500

beforeAll(async () => {
  const { service } = setting()
  const as = 'alice'
  const queries = Array.from({ length: MANY }, (_, at) => [
    `service/about = "thing ${at}"`,
    { 'alice/number': { value: at } },
  ])
  await service.ok('PUT', '/values', { as, json: { queries } })
  for (const [tag, primitive] of [
    ['text', JSON.stringify('two\nlines, "quoted" é')],
    ['large', '-9223372036854775808'],
    ['list', '["a","b"]'],
  ] as const) {
    await service.ok('PUT', `/about/thing%200/alice/${tag}`, { as, primitive })
  }
})

const TAGS = ['alice/number', 'alice/text', 'alice/large', 'alice/list']
const HASH = `#/ask?query=has+alice%2Fnumber&sort=-alice%2Fnumber&${TAGS.map((tag) => `column=${tag}`).join('&')}`

/** The text of the file that a button downloads. */
async function downloaded(page: Page, button: string): Promise<[name: string, text: string]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click(),
  ])
  return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')]
}

const open = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { name: '1,500 objects' }).waitFor()
  await page.getByRole('button', { name: 'Export …' }).click()
}

test('downloads all that matches, in the order of the table, to the digit', async () => {
  const visit = await setting().open(HASH)
  const { page } = visit
  await open(page)
  const [name, csv] = await downloaded(page, 'CSV')
  expect(name).toBe('objects.csv')
  expect(csv.split('\n')[0]).toBe(`id,about,${TAGS.join(',')}`)
  expect(csv.match(/^[\da-f-]{36},thing \d+,/gm)).toHaveLength(MANY)
  expect(csv.split('\n')[1]).toMatch(/,thing 1499,1499,,,$/)
  const last = 'thing 0,0,"two\nlines, ""quoted"" é",-9223372036854775808,"[""a"",""b""]"\n'
  expect(csv.endsWith(last)).toBe(true)
  const [, ndjson] = await downloaded(page, 'NDJSON')
  const lines = ndjson.trimEnd().split('\n')
  expect(lines).toHaveLength(MANY)
  expect(lines.at(-1)).toContain('"alice/large":-9223372036854775808,"alice/list":["a","b"]}')
  await leave(visit)
})

test('says how far it is, stops when it is cancelled, and says when it fails', async () => {
  const visit = await setting().open(HASH)
  const { page } = visit
  await open(page)
  const dialog = page.getByRole('dialog')
  // The first page of the file is answered, and the second one is not.
  await page.route(/limit=1000/, () => undefined)
  await dialog.getByRole('button', { name: 'NDJSON' }).click()
  await dialog.getByText('100 of 1,500').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'NDJSON' }).waitFor()
  await page.unroute(/limit=1000/)
  await page.route(/limit=1000/, (route) => route.abort())
  await dialog.getByRole('button', { name: 'CSV', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  await leave(visit)
})

test('shows the search for other programs, and copies it', async () => {
  const visit = await setting().open(HASH, {
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
    as: 'alice',
  })
  const { page } = visit
  await open(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('region').getByText("gloss query 'has alice/number'").waitFor()
  await dialog.getByLabel('In the language of').selectOption('Python')
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toBe(await dialog.getByRole('region').innerText())
  expect(copied).toContain('login = "alice:"')
  // Pages without TLS have no clipboard.
  await page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })`,
  )
  await dialog.getByLabel('In the language of').selectOption('curl')
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied the search for curl').waitFor()
  await page.evaluate('delete navigator.clipboard')
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('curl')
  await leave(visit)
})
