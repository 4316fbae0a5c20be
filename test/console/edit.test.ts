/** Editing values in the console: each type, conflicts, undoing, and values that became opaque by mistake. */
import { expect, test } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { leave, useConsole } from './console.ts'
import type { Answer } from '../support/service.ts'

const setting = useConsole()

const read = (path: string): Promise<Answer> => setting().service.request('GET', path, { as: 'alice' })

const text = async (path: string): Promise<string> => (await read(path)).body.toString()

const put = (path: string, primitive: string, as = 'alice'): Promise<Answer> =>
  setting().service.ok('PUT', path, { as, primitive })

const row = (page: Page, tag: string): Locator =>
  page.locator('.object-values > li').filter({ has: page.locator(`a[href="#/tag/${tag}"]`) })

/** Opens the form of a value. */
async function edit(page: Page, tag: string): Promise<Locator> {
  await row(page, tag).getByRole('button', { name: 'Edit' }).click()
  const form = row(page, tag).locator('form')
  await form.waitFor()
  return form
}

/** What the last notice says. */
const notice = (page: Page, said: string): Locator => page.locator('.notices p').filter({ hasText: said })

test('edits by type: numbers to the digit, texts, booleans, null, and from one type to another', async () => {
  await put('/about/types/alice/n', '9223372036854775806')
  const visit = await setting().open('#/object/about/types', { as: 'alice' })
  const { page } = visit
  let form = await edit(page, 'alice/n')
  const field = form.getByLabel('Value')
  expect(await field.inputValue()).toBe('9223372036854775806')
  await field.fill('9223372036854775808')
  await form.getByText('An int has 64 bits').waitFor()
  await field.press('Enter')
  await field.fill('9223372036854775807')
  await field.press('Enter')
  await notice(page, 'Saved alice/n: 9223372036854775807').waitFor()
  await row(page, 'alice/n').getByText('9,223,372,036,854,775,807').waitFor()
  expect(await text('/about/types/alice/n')).toBe('9223372036854775807')

  form = await edit(page, 'alice/n')
  await form.getByLabel('Type').selectOption('float')
  await form.getByLabel('Value').fill('5')
  await form.getByText('Will be written as 5.0').waitFor()
  await form.getByLabel('Value').press('Enter')
  await notice(page, 'Saved alice/n: 5.0').waitFor()
  expect(await text('/about/types/alice/n')).toBe('5.0')

  form = await edit(page, 'alice/n')
  await form.getByLabel('Type').selectOption('string')
  await form.getByLabel('Value').fill('two\nlines')
  await form.getByLabel('Value').press('Control+Enter')
  await notice(page, 'Saved alice/n: two').waitFor()
  expect(await text('/about/types/alice/n')).toBe('"two\\nlines"')

  form = await edit(page, 'alice/n')
  await form.getByLabel('Type').selectOption('boolean')
  await form.getByLabel('Value').selectOption('false')
  await form.getByRole('button', { name: 'Save' }).click()
  await notice(page, 'Saved alice/n: false').waitFor()
  form = await edit(page, 'alice/n')
  await form.getByLabel('Type').selectOption('null')
  await form.getByRole('button', { name: 'Save' }).click()
  await notice(page, 'Saved alice/n: null').waitFor()
  expect(await text('/about/types/alice/n')).toBe('null')
  await leave(visit)
})

test('edits lists by keyboard alone', async () => {
  await put('/about/lists/alice/list', '["b","a"]')
  const visit = await setting().open('#/object/about/lists', { as: 'alice' })
  const { page } = visit
  await row(page, 'alice/list').getByRole('link', { name: 'list' }).focus()
  await page.keyboard.press('e')
  const item = (at: number): Locator => page.getByRole('textbox', { name: `Item ${at}` })
  await page.locator('[aria-label="Item 1"]:focus').waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await page.locator('[aria-label="Item 2"]:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[aria-label="Item 3"]:focus').waitFor()
  await page.keyboard.press('Enter')
  await item(4).waitFor()
  await page.keyboard.press('Backspace')
  await page.locator('[aria-label="Item 3"]:focus').waitFor()
  await page.keyboard.type('c, d')
  await page.keyboard.press('Control+Enter')
  await notice(page, 'Saved alice/list').waitFor()
  expect(await text('/about/lists/alice/list')).toBe('["a","b","c, d"]')
  await page.locator('.edit-value:focus').waitFor()
  await page.keyboard.press('e')
  await item(1).fill('never')
  await page.keyboard.press('Escape')
  await item(1).waitFor({ state: 'detached' })
  await row(page, 'alice/list').getByRole('link', { name: 'c, d' }).waitFor()
  await leave(visit)
})

test('gives the focus to another item of a list before the next key, however quick it comes', async () => {
  await put('/about/quick/alice/list', '["a"]')
  const visit = await setting().open('#/object/about/quick', { as: 'alice' })
  const { page } = visit
  await row(page, 'alice/list').getByRole('link', { name: 'list' }).focus()
  await page.keyboard.press('e')
  await page.locator('[aria-label="Item 1"]:focus').waitFor()
  // Nothing is painted between keys of one task.
  const focused = await page.evaluate(`(async () => {
    const labels = []
    for (const key of ['Enter', 'Enter', 'Backspace']) {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      await Promise.resolve()
      labels.push(document.activeElement.ariaLabel)
    }
    return labels
  })()`)
  expect(focused).toEqual(['Item 2', 'Item 3', 'Item 2'])
  await leave(visit)
})

test('stores files with their content type, which can be changed', async () => {
  await put('/about/files/alice/file', 'null')
  const visit = await setting().open('#/object/about/files', { as: 'alice' })
  const { page } = visit
  const form = await edit(page, 'alice/file')
  await form.getByLabel('Type').selectOption('opaque')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Choose a file first.').waitFor()
  const body = Buffer.from([0x89, 0x50, 0, 0xff])
  await form
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: body })
  await form.getByText('4 bytes').waitFor()
  expect(await form.getByLabel('Content type').inputValue()).toBe('image/png')
  await form.getByLabel('Content type').fill('application/x-mine')
  await form.getByLabel('Content type').press('Enter')
  await notice(page, 'Saved alice/file: application/x-mine, 4 bytes').waitFor()
  const answer = await read('/about/files/alice/file')
  expect([answer.headers['content-type'], answer.body]).toEqual(['application/x-mine', body])
  await row(page, 'alice/file').getByText('89 50 00 ff').waitFor()
  await leave(visit)
})

test('shows both versions of a conflict, and keeps the one that is chosen', async () => {
  await put('/about/conflict/alice/n', '1')
  const visit = await setting().open('#/object/about/conflict', { as: 'alice' })
  const { page } = visit
  const conflict = page.getByRole('region', { name: 'alice/n has been changed meanwhile' })
  const save = async (value: string): Promise<void> => {
    const form = await edit(page, 'alice/n')
    await put('/about/conflict/alice/n', '"theirs"')
    await form.getByLabel('Type').selectOption('string')
    await form.getByLabel('Value').fill(value)
    await form.getByLabel('Value').press('Control+Enter')
    await conflict.waitFor()
  }
  await save('mine')
  expect(await conflict.innerText()).toMatch(/There now\s+theirs\s+string\s+Yours\s+mine\s+string/)
  expect(await text('/about/conflict/alice/n')).toBe('"theirs"')
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await row(page, 'alice/n').getByText('theirs').waitFor()
  await save('mine')
  await conflict.getByRole('button', { name: 'Write mine' }).click()
  await notice(page, 'Saved alice/n: mine').waitFor()
  expect(await text('/about/conflict/alice/n')).toBe('"mine"')
  // What is shown is what may be deleted.
  await put('/about/conflict/alice/n', '"newer"')
  await row(page, 'alice/n').getByRole('button', { name: 'Delete' }).click()
  await conflict.getByText('newer').waitFor()
  await conflict.getByRole('button', { name: 'Delete it all the same' }).click()
  await notice(page, 'Deleted alice/n').waitFor()
  expect((await read('/about/conflict/alice/n')).status).toBe(404)
  await leave(visit)
})

test('undoes changes, unless somebody has changed the value since', async () => {
  await put('/about/undo/alice/n', '1.50')
  const visit = await setting().open('#/object/about/undo', { as: 'alice' })
  const { page } = visit
  const change = async (value: string): Promise<void> => {
    const form = await edit(page, 'alice/n')
    await form.getByLabel('Value').fill(value)
    await form.getByLabel('Value').press('Enter')
    await notice(page, `Saved alice/n: ${value}`).waitFor()
  }
  await change('2.5')
  await notice(page, 'Saved alice/n: 2.5').getByRole('button', { name: 'Undo' }).click()
  await notice(page, 'Undone: alice/n').waitFor()
  expect(await text('/about/undo/alice/n')).toBe('1.5')
  await row(page, 'alice/n').getByRole('button', { name: 'Delete' }).click()
  await row(page, 'alice/n').waitFor({ state: 'detached' })
  await notice(page, 'Deleted alice/n').getByRole('button', { name: 'Undo' }).click()
  await row(page, 'alice/n').waitFor()
  expect(await text('/about/undo/alice/n')).toBe('1.5')
  await change('3.5')
  await put('/about/undo/alice/n', '4.5')
  await notice(page, 'Saved alice/n: 3.5').getByRole('button', { name: 'Undo' }).click()
  await notice(page, 'somebody has changed it since').waitFor()
  expect(await text('/about/undo/alice/n')).toBe('4.5')
  await leave(visit)
})

test('adds tags with completed paths, also to objects that nobody has mentioned', async () => {
  await put('/about/other/alice/books/rating', '1')
  const visit = await setting().open('#/object/about/a%2Fnew%20one', { as: 'alice' })
  const { page } = visit
  await page.getByRole('button', { name: 'Add the first tag' }).click()
  const value = page.getByRole('textbox', { name: 'Value' })
  const tag = page.getByLabel('Tag', { exact: true })
  await tag.fill('rati')
  await page.getByRole('option', { name: 'alice/books/rating' }).click()
  await page.getByLabel('Type').selectOption('int')
  await value.fill('9')
  await value.press('Enter')
  await row(page, 'alice/books/rating').getByText('9').waitFor()
  expect(await text('/about/a%2Fnew%20one/alice/books/rating')).toBe('9')
  // A second value of a tag is no new one.
  await page.getByRole('button', { name: 'Add a tag' }).click()
  await tag.fill('alice/books/rating')
  await value.fill('ten')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'alice/books/rating has been changed' }).getByText('9').waitFor()
  await page.getByRole('button', { name: 'Keep theirs' }).click()
  // What the service refuses is said in words, and nothing that was typed is lost.
  await page.getByRole('button', { name: 'Add a tag' }).click()
  await tag.fill('bob/note')
  await value.fill('mine')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('bob').waitFor()
  expect(await value.inputValue()).toBe('mine')
  await page.evaluate(`location.hash = '#/object/about/refused'`)
  await page.getByRole('heading', { name: 'refused' }).waitFor()
  await page.getByRole('button', { name: 'Add the first tag' }).click()
  await tag.fill('bob/note')
  await value.fill('mine')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('bob').waitFor()
  expect((await read('/about/refused')).status).toBe(404)
  await page.getByRole('button', { name: 'Cancel' }).click()
  // A path cannot have this about value.
  await page.evaluate(`location.hash = '#/object/about/..'`)
  await page.getByRole('heading', { name: '..', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add the first tag' }).click()
  await tag.fill('alice/dots')
  await value.fill('two')
  await page.getByRole('button', { name: 'Save' }).click()
  await row(page, 'alice/dots').getByText('two').waitFor()
  await leave(visit)
})

test('begins to edit where the URL says so, and deletes no file that was replaced by one as large', async () => {
  const putFile = async (body: string): Promise<void> => {
    const headers = { 'Content-Type': 'text/plain' }
    await setting().service.ok('PUT', '/about/begun/alice/file', { as: 'alice', body, headers })
  }
  await putFile('old')
  await put('/about/begun/alice/a', '1')
  const visit = await setting().open('#/object/about/begun?edit=1', { as: 'alice' })
  const { page } = visit
  await row(page, 'alice/a').getByLabel('Value').fill('2')
  await page.keyboard.press('Enter')
  await notice(page, 'Saved alice/a: 2').waitFor()
  expect(new URL(page.url()).hash).toBe('#/object/about/begun')
  await row(page, 'alice/file').getByText('old').waitFor()
  await putFile('new')
  await row(page, 'alice/file').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('region', { name: 'alice/file has been changed' }).waitFor()
  expect(await text('/about/begun/alice/file')).toBe('new')
  await leave(visit)
})

test('makes a primitive value of one that became opaque by mistake', async () => {
  const { service } = setting()
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  await service.ok('PUT', '/about/mistake/alice/n', { as: 'alice', body: '42', headers })
  const visit = await setting().open('#/object/about/mistake', {
    as: 'alice',
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const { page } = visit
  await row(page, 'alice/n').getByText('As a primitive value it is the int 42').waitFor()
  await page.getByRole('button', { name: 'Make it this int' }).click()
  await row(page, 'alice/n').getByRole('link', { name: 'All with this value' }).waitFor()
  const made = await read('/about/mistake/alice/n')
  expect([made.headers['x-service-type'], made.body.toString()]).toEqual(['int', '42'])
  await notice(page, 'Saved alice/n: 42').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Make it this int' }).waitFor()
  expect((await read('/about/mistake/alice/n')).headers['content-type']).toBe(headers['Content-Type'])
  await edit(page, 'alice/n')
  await leave(visit)
})
