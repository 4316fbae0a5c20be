/** Keys, the palette, the sheet of keys, and the page of words. */
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

/** Presses keys where no field has the focus. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  await page.evaluate(`document.getElementById('main').focus()`)
  for (const key of keys) await page.keyboard.press(key)
}

/** Waits until an element has the focus. */
const focused = (page: Page, selector: string): Promise<void> =>
  page.locator(`:is(${selector}):focus`).waitFor()

test('keys lead to the query and to pages, but not while somebody types', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await page.getByRole('heading', { name: 'What is here' }).waitFor()
  await press(page, '/')
  await focused(page, 'header input, header textarea')
  await page.keyboard.type('g h?/')
  expect(page.url()).not.toContain('help')
  const field = page.getByRole('banner').locator('input, textarea').first()
  expect(await field.inputValue()).toBe('g h?/')
  await field.fill('')
  for (const [key, view] of Object.entries({ h: 'help', r: 'recent', i: 'import', s: 'start' })) {
    await press(page, 'g', key)
    await page.waitForURL((url) => url.hash === `#/${view}`)
  }
  await press(page, 'g', 't')
  await focused(page, '#side .tree-pane, #side .tree-pane *')
  await leave(visit)
})

test('the sheet lists the keys, and switches those of letters off', async () => {
  const visit = await setting().open('#/help')
  const { page } = visit
  await page.getByRole('heading', { name: 'Help' }).waitFor()
  await press(page, '?')
  const sheet = page.getByRole('dialog', { name: 'Keys' })
  await sheet.getByText('go to recent changes').waitFor()
  await sheet.getByLabel('Letters are keys, too').uncheck()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await press(page, 'g', 's')
  await press(page, 'Control+k')
  await page.getByRole('dialog', { name: 'Go to' }).waitFor()
  expect(page.url()).toContain('#/help')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Keys' }).click()
  expect(await sheet.getByLabel('Letters are keys, too').isChecked()).toBe(false)
  await leave(visit)
})

test('a dialog that the browser has just closed does not close the next one', async () => {
  const visit = await setting().open('#/help')
  const { page } = visit
  await page.getByRole('heading', { name: 'Help' }).waitFor()
  await press(page, '?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  // As if Ctrl-K came before the event that tells that Escape has closed the first one.
  await page.evaluate(`
    document.querySelector('dialog').close()
    dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }))
    new Promise((resolve) => setTimeout(resolve))`)
  await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').waitFor()
  await focused(page, '[role=combobox]')
  await leave(visit)
})

test('the palette leads to tags, namespaces, objects and commands', async () => {
  const { service, open } = setting()
  await service.ok('PUT', '/about/book:Dune%20Messiah/alice/books/rating', { as: 'alice', primitive: '8' })
  const visit = await open('#/help', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
  const { page } = visit
  const field = page.getByRole('combobox', { name: /^Page, command/ })
  const choice = (name: RegExp) => page.getByRole('option', { name })
  const openPalette = async (letters: string): Promise<void> => {
    await press(page, 'Control+k')
    await field.fill(letters)
  }
  await page.getByRole('heading', { name: 'Help' }).waitFor()
  await openPalette('rating')
  await choice(/^alice\/books\/rating tag/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.hash === '#/tag/alice/books/rating')
  await openPalette('alice/books')
  await choice(/^alice\/books namespace/).click()
  await page.waitForURL((url) => url.hash === '#/namespace/alice/books')
  await openPalette('book:Dune M')
  await choice(/^book:Dune Messiah object/).waitFor()
  await page.keyboard.press('ArrowDown')
  expect(await choice(/^book:Dune M the object about this/).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.hash === '#/object/about/book%3ADune%20Messiah')
  await openPalette('write a')
  await choice(/^Write a query/).waitFor()
  await page.keyboard.press('Enter')
  await focused(page, 'header input, header textarea')
  await openPalette('01a20767-57a4-7538-8fe5-a4fd9b2f19ab')
  await choice(/object with this id/).waitFor()
  await page.getByRole('main').locator('h1').waitFor()
  await leave(visit)
})
