/** The query box: its colours, completions, mended slips, counts, and the queries that were asked before. */
import { beforeAll, expect, test } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { counted, leave, signIn, signOut, useConsole } from './console.ts'

const setting = useConsole()

beforeAll(async () => {
  const { service } = setting()
  for (const [about, country, size] of [
    ['city:a', 'GB', 5],
    ['city:b', 'GB', 7],
    ['city:c', 'say "hi"', 12],
  ] as const) {
    const put = (tag: string, value: unknown): Promise<unknown> =>
      service.ok('PUT', `/about/${about}/alice/${tag}`, { as: 'alice', primitive: JSON.stringify(value) })
    await put('country', country)
    await put('size', size)
    await put('secret', true)
  }
  await service.ok('PUT', '/permissions/tag-values/alice/secret', {
    as: 'alice',
    query: { action: 'read' },
    json: { policy: 'closed', exceptions: ['alice'] },
  })
})

const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Query' })
const help = (page: Page): Locator => page.locator('.typing .help')

/** Waits until what helps to type is loaded. */
const ready = (page: Page): Promise<void> => page.locator('.field.coloured').waitFor()

test('completes tags, operators, values and what joins conditions, by keyboard', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await ready(page)
  await box(page).focus()
  const take = async (typed: string, option: string, key = 'Enter'): Promise<void> => {
    await page.keyboard.type(typed)
    await page.getByRole('option', { name: option }).first().waitFor()
    for (let left = 12; left > 0; left -= 1) {
      await page.keyboard.press('ArrowDown')
      const chosen = page.locator('[role=option][aria-selected=true]')
      if ((await chosen.innerText()).includes(option)) break
    }
    const id = await page.locator('[role=option][aria-selected=true]').getAttribute('id')
    expect(await box(page).getAttribute('aria-activedescendant')).toBe(id)
    await page.keyboard.press(key)
  }
  await take('coun', 'alice/country')
  // The tag has strings.
  await page.getByRole('option').first().waitFor()
  expect((await page.getByRole('option').allInnerTexts()).slice(0, 2)).toEqual([
    expect.stringMatching(/^=/),
    expect.stringMatching(/^matches/),
  ])
  await take('', '=', 'Tab')
  await take('"s', String.raw`"say \"hi\""`)
  await take('', 'and')
  await take('has ali', 'alice/size')
  expect(await box(page).inputValue()).toBe(String.raw`alice/country = "say \"hi\"" and has alice/size `)
  await page.getByRole('option', { name: 'except' }).waitFor()
  // Nothing is chosen, so Enter asks.
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '1 object' }).waitFor()
  expect(await help(page).count()).toBe(0)
  await leave(visit)
})

test('is a text of several lines, and asks by Enter', async () => {
  const visit = await setting().open('#/ask?query=has+alice/size&column=alice/size&build=1')
  const { page } = visit
  await ready(page)
  const height = async (): Promise<number> => (await box(page).boundingBox())?.height ?? 0
  const low = await height()
  await box(page).fill('has alice/size')
  await page.keyboard.press('End')
  for (let line = 0; line < 9; line += 1) await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('and has alice/country')
  const high = await height()
  expect(high).toBeGreaterThan(low + 100)
  expect(high).toBeLessThan(180)
  // What is behind the text goes with it.
  expect(
    await page.evaluate(`(() => {
      const [text, colours] = ['textarea', '.colours'].map((one) => document.querySelector('.query ' + one))
      return text.scrollTop > 0 && text.scrollTop === colours.scrollTop && text.clientWidth === colours.clientWidth
    })()`),
  ).toBe(true)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await page.waitForURL(/country/)
  // How results are shown stays.
  expect(new URL(page.url()).hash).toContain('&column=alice%2Fsize&build=1')
  await leave(visit)
})

test('underlines what is wrong, and mends slips', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await ready(page)
  await box(page).fill(`country == 'GB' && size > 5`)
  await help(page).getByText('"country" is not a tag path').waitFor()
  expect(await page.locator('.colours .fault').allInnerTexts()).toEqual(['country'])
  await help(page).getByRole('button', { name: 'Change to alice/country = "GB" and alice/size > 5' }).click()
  expect(await box(page).inputValue()).toBe('alice/country = "GB" and alice/size > 5')
  await counted(help(page), '2 conditions: 2 and 2 → 1 object')
  expect(await page.locator('.colours .fault').count()).toBe(0)
  await box(page).fill('alice/size > true and has alice/country')
  await help(page).getByText('Expected a string or a number, found "true"').waitFor()
  expect(await page.locator('.colours .fault').allInnerTexts()).toEqual(['true'])
  // While somebody types, it is not wrong yet.
  await box(page).fill('has alice/country an')
  await page.getByRole('option', { name: 'and' }).waitFor()
  expect(await page.locator('.colours .fault').count()).toBe(0)
  await leave(visit)
})

test('counts what each condition finds, and says which are refused', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await ready(page)
  await box(page).fill('has alice/size and alice/size > 6 except alice/country = "GB"')
  await counted(help(page), '3 conditions: 3, 2 and 2 → 1 object')
  expect(await help(page).getByRole('listitem').allInnerTexts()).toEqual([
    'has alice/size\n3',
    'alice/size > 6\n2',
    'alice/country = "GB"\n2',
  ])
  await box(page).fill('has alice/sise or has alice/secret or has alice/size')
  await counted(help(page), '2 conditions have errors')
  await help(page).getByText('The tag alice/sise does not exist').waitFor()
  await help(page).getByText('You are not allowed to read').waitFor()
  expect((await page.locator('.colours .fault').allInnerTexts()).map((text) => text.trim())).toEqual([
    'has',
    '',
    'alice/sise',
    'has',
    '',
    'alice/secret',
  ])
  await leave(visit)
})

test('gives up outdated checks, and counts long queries on a click alone', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await ready(page)
  const checked: string[] = []
  await page.route('**/search/check', async (route) => {
    checked.push(route.request().postData() ?? '')
    await route.continue()
  })
  await box(page).focus()
  // All keys at once, however busy the machine is.
  await page.evaluate(`for (let end = 1; end <= 'has alice/size'.length; end += 1) {
    const field = document.activeElement
    field.value = 'has alice/size'.slice(0, end)
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }`)
  await counted(help(page), '3 objects')
  expect(checked.filter((body) => body.includes('has alice/size'))).toHaveLength(1)
  const before = checked.length
  await box(page).fill(Array(300).fill('has alice/size').join(' or '))
  await help(page).getByRole('button', { name: 'Count' }).waitFor()
  expect(checked).toHaveLength(before)
  await help(page).getByRole('button', { name: 'Count' }).click()
  await help(page).getByText('300 conditions → 3 objects').waitFor()
  expect(checked).toHaveLength(before + 1)
  await help(page).getByText('and 288 more conditions').waitFor()
  // By its button, which goes then, too; the focus stays.
  await page.locator('.query textarea:focus').waitFor()
  await page.unroute('**/search/check')
  await page.route('**/search/check', () => undefined)
  const sent = page.waitForRequest('**/search/check')
  await box(page).fill('has alice/country')
  // After a count that took long, because the machine is busy, the next one waits for a click, too.
  const button = help(page).getByRole('button', { name: 'Count' })
  await Promise.race([sent, button.waitFor().then(() => button.click())])
  const outdated = await sent
  const given = page.waitForEvent('requestfailed', (request) => request === outdated)
  await box(page).fill('has alice/country and has alice/size')
  expect((await given).failure()?.errorText).toBe('net::ERR_ABORTED')
  await leave(visit)
})

test('keeps what was asked, for going back to it', async () => {
  const visit = await setting().open('', {
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const { page } = visit
  await ready(page)
  for (const query of ['has alice/size', 'has alice/country']) {
    await box(page).fill(query)
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.waitForURL(new RegExp(query.slice(-4)))
  }
  await box(page).fill('draft')
  for (const [key, text] of [
    ['ArrowUp', 'has alice/country'],
    ['ArrowUp', 'has alice/size'],
    ['ArrowUp', 'has alice/size'],
    ['ArrowDown', 'has alice/country'],
    ['ArrowDown', 'draft'],
  ] as const) {
    await page.keyboard.press(`Alt+${key}`)
    expect(await box(page).inputValue()).toBe(text)
  }
  await page.getByRole('button', { name: 'History' }).click()
  expect(await page.locator('.past li').allInnerTexts()).toEqual(['has alice/country', 'has alice/size'])
  await page.locator('.past').getByRole('button', { name: 'has alice/size' }).click()
  expect(await box(page).inputValue()).toBe('has alice/size')
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('What you ask is kept here').waitFor()
  expect(await page.evaluate(`localStorage.getItem('gloss-queries')`)).toBeNull()
  await leave(visit)
})

test('shows nobody what another user asked', async () => {
  const visit = await setting().open('', { as: 'alice' })
  const { page } = visit
  const past = page.locator('.past')
  const history = page.getByRole('button', { name: 'History' })
  await box(page).fill('has alice/size')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.waitForURL(/size$/)
  await signOut(page)
  await history.click()
  await past.getByText('What you ask is kept here').waitFor()
  await history.click()
  await box(page).fill('mine')
  await page.keyboard.press('Alt+ArrowUp')
  expect(await box(page).inputValue()).toBe('mine')
  await signIn(page, 'alice')
  await history.click()
  expect(await past.locator('li').allInnerTexts()).toEqual(['has alice/size'])
  await leave(visit)
})
