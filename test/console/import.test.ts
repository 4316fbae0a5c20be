/** Importing files in a browser: what is found, shown, tried, sent and refused. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { flawOf } from '../../common/importing/mapping.ts'
import { leave, signIn, signOut, useConsole } from './console.ts'

const setting = useConsole()

const PLACES = `id,name,zip,population,big,latitude,longitude,kinds
1,"Zoë, ""Z""",04109,616093,9223372036854775807,51.34,12.37,a;b
2,café,80331,,-3,48.14,11.58,c
3,=HYPERLINK(1),10115,3.5,7,5,1e3,"x
y"
`

const choose = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page
    .getByLabel('File to import')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

/** The JSON of a value. */
async function stored(about: string, tag: string): Promise<string> {
  const { body } = await setting().service.ok('GET', `/about/${encodeURIComponent(about)}/${tag}`, {
    as: 'alice',
  })
  return body.toString()
}

test('a file becomes values once it was tried, and leads to what came of it', async () => {
  const visit = await setting().open('#/import')
  const { page } = visit
  await page.getByText('Importing needs a user').waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill('alice')
  await dialog.getByLabel('Password').fill('correct horse')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await choose(page, 'places.csv.gz', gzipSync(PLACES))

  // What was found, and why.
  expect(await page.getByLabel('About value').inputValue()).toBe('places:{id}')
  expect(await page.getByLabel('Namespace of the tags').inputValue()).toBe('alice/places')
  expect(await page.getByLabel('Type of zip').inputValue()).toBe('string')
  await page.getByText('Leading zero in "04109": not an int.').waitFor()
  expect(await page.getByLabel('Type of population').inputValue()).toBe('float')
  expect(await page.getByLabel('Type of id').inputValue()).toBe('skip')
  await page.getByText('Different in all rows.').waitFor()

  // What cannot be is said before it is tried.
  await page.getByLabel('Tag of kinds').fill('alice/places/zip')
  await page.getByText("The columns 'zip' and 'kinds' both become alice/places/zip.").waitFor()
  expect(await page.getByRole('button', { name: 'Import 3 rows' }).isDisabled()).toBe(true)
  await page.getByLabel('Tag of kinds').fill('alice/places/sorts')
  await page.getByText('How it is read').click()
  await page.getByLabel('Between the items of lists').fill(';')
  await page.getByLabel('Between the items of lists').press('Tab')
  await expectChoice(page, 'Type of kinds', 'list of strings')

  await page.getByRole('button', { name: 'Try it first' }).click()
  await page.getByText('3 rows would be written.').waitFor()
  await page.getByText('3 objects, all of them new.').waitFor()
  const { status } = await setting().service.request('GET', '/namespaces/alice/places', { as: 'alice' })
  expect(status).toBe(404)

  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByText('3 rows written').waitFor()
  expect(await stored('places:1', 'alice/places/name')).toBe('"Zoë, \\"Z\\""')
  expect(await stored('places:1', 'alice/places/big')).toBe('9223372036854775807')
  expect(await stored('places:1', 'alice/places/zip')).toBe('"04109"')
  expect(await stored('places:1', 'alice/places/population')).toBe('616093.0')
  expect(await stored('places:1', 'alice/places/sorts')).toBe('["a","b"]')
  expect(await stored('places:3', 'alice/places/sorts')).toBe('["x\\ny"]')
  const map = await page.getByRole('link', { name: 'See them on the map' }).getAttribute('href')
  expect(map).toContain('show=map')
  await page.getByRole('link', { name: 'Ask for them' }).click()
  await page.getByRole('heading', { name: /3 objects/ }).waitFor()

  // Another try says what is there already.
  await page.goBack()
  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose(page, 'places.csv', PLACES)
  await page.getByRole('button', { name: 'Try it first' }).click()
  await page.getByText('3 objects, of which 3 are there already.').waitFor()
  await page.getByText(/2 of alice\/places\/population/).waitFor()
  await leave(visit)
})

/** Waits until a choice has been made. */
const expectChoice = (page: Page, label: string, choice: string): Promise<void> =>
  page
    .locator(`select[aria-label="${label}"] option:checked`, { hasText: choice })
    .waitFor({ state: 'attached' })

test('a mapping is kept, and taken again, as the command takes it', async () => {
  const visit = await setting().open('#/import', { as: 'alice' })
  const { page } = visit
  await choose(page, 'kept.csv', 'key;n\na;1\nb;2\n')
  await page.getByLabel('About value').fill('kept/{key}')
  await page.getByLabel('Type of n').selectOption('string')
  await page.getByText('How it is read: fields between semicolons').click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the mapping' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('kept.mapping.json')
  const text = readFileSync(await saved.path(), 'utf8')
  expect(flawOf(JSON.parse(text))).toBeUndefined()
  expect(JSON.parse(text)).toEqual({
    'gloss-mapping': 1,
    format: { name: 'csv', separator: ';', quotes: true },
    encoding: 'utf-8',
    object: { about: 'kept/{key}' },
    empty: 'skip',
    columns: [
      { column: 'key', skip: true },
      { column: 'n', tag: 'alice/kept/n', type: 'string' },
    ],
  })
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await choose(page, 'again.csv', 'key;n\na;1\nb;2\n')
  await expectChoice(page, 'Type of n', 'int')
  const load = (buffer: string): Promise<void> =>
    page
      .getByLabel('Mapping to load')
      .setInputFiles({ name: 'm.json', mimeType: 'application/json', buffer: Buffer.from(buffer) })
  await load('{"gloss-mapping":2}')
  await page.getByText('m.json is no mapping').waitFor()
  await load(text)
  await expectChoice(page, 'Type of n', 'string')
  expect(await page.getByLabel('About value').inputValue()).toBe('kept/{key}')
  expect(await page.getByLabel('Namespace of the tags').inputValue()).toBe('alice/kept')
  await leave(visit)
})

test('what the service refuses is kept as a file, and nobody loses the others', async () => {
  const visit = await setting().open('#/import', { as: 'alice' })
  const { page } = visit
  // More than what is sent and read at once, so that it cannot end while it is paused.
  const rows = Array.from({ length: 10_100 }, (_, index) => `${index},${index === 1500 ? 'many' : index}`)
  rows[2500] = '2500,18446744073709551616'
  await choose(page, 'many.csv', `id,n\n${rows.join('\n')}\n`)

  // The first request finds the service busy; while it waits, somebody pauses, goes on, and looks elsewhere.
  let requests = 0
  const paused = Promise.withResolvers<undefined>()
  await page.route('**/values', async (answer) => {
    requests += 1
    if (requests === 1) await answer.fulfill({ status: 503, headers: { 'Retry-After': '1' } })
    else await paused.promise.then(() => answer.continue())
  })
  await page.getByRole('button', { name: 'Import all rows' }).click()
  await page.getByRole('button', { name: 'Pause' }).click()
  paused.resolve(undefined)
  await page.getByRole('heading', { name: 'Paused: many.csv' }).waitFor()
  await page.getByRole('link', { name: 'Gloss' }).click()
  await page.goBack()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('10,098 rows written').waitFor()
  await page.getByText('2 rows refused').waitFor()
  const [refused] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the refused rows' }).click(),
  ])
  expect(refused.suggestedFilename()).toBe('many.refused.csv')
  expect(readFileSync(await refused.path(), 'utf8')).toBe(
    'id,n,reason\n' +
      '1500,many,"row 1501: n: ""many"" is no int of 64 bits"\n' +
      '2500,18446744073709551616,"row 2501: n: ""18446744073709551616"" is no int of 64 bits"\n',
  )
  expect(await stored('many:10099', 'alice/many/n')).toBe('10099')
  await leave(visit)
})

test('what is forbidden is said by trying, and ends an import', async () => {
  await setting().service.ok('POST', '/namespaces/bob', { as: 'bob', json: { name: 'own', description: '' } })
  const visit = await setting().open('#/import', { as: 'alice' })
  const { page } = visit
  await page.getByLabel('Or paste rows').fill('id\tn\n1\t2\n')
  await page.getByRole('button', { name: 'Use these rows' }).click()
  await page.getByLabel('Namespace of the tags').fill('bob/own')
  await page.getByRole('button', { name: 'Try it first' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('heading', { name: 'Stopped: pasted' }).waitFor()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Back to the mapping' }).click()
  expect(await page.getByLabel('Tag of n').inputValue()).toBe('bob/own/n')
  await leave(visit)
})

test('JSON and other encodings, in a narrow dark window', async () => {
  const narrow = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' as const, as: 'alice' }
  const visit = await setting().open('#/import', narrow)
  const { page } = visit
  await choose(page, 'broken.json', '[{"a":')
  await page.getByText('the file ends before it does').waitFor()
  await choose(page, 'latin.csv', Buffer.from('id,name\n1,Zo\xeb\n', 'latin1'))
  await page.getByText('seems to be Windows-1252').waitFor()
  await page.getByRole('cell', { name: 'Zoë' }).first().waitFor()
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await choose(
    page,
    'books.ndjson',
    '{"isbn":"1","size":9007199254740993,"by":[{"name":"x"}]}\n{"isbn":"2","size":5.0}\n',
  )
  await page.getByText('Objects or lists that cannot be values').waitFor()
  expect(await page.getByLabel('Type of by').inputValue()).toBe('skip')
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByText('2 rows written').waitFor()
  expect(await stored('books:1', 'alice/books/size')).toBe('9007199254740993')
  expect(await stored('books:2', 'alice/books/size')).toBe('5.0')
  await leave(visit)
})

test('what one user has opened, the next one does not see', async () => {
  const visit = await setting().open('#/import', { as: 'alice' })
  const { page } = visit
  await choose(page, 'secret.csv', 'id,n\n1,2\n')
  await page.getByText('secret.csv').waitFor()
  await signOut(page)
  await page.getByText('Importing needs a user').waitFor()
  await signIn(page, 'bob')
  await page.getByText('Drop a file here').waitFor()
  expect(await page.getByText('secret.csv').count()).toBe(0)
  await leave(visit)
})
