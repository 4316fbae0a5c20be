/** The reference in a browser: complete without a script, short, and with a script searched, followed and copied from. */
import { describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { modelOf } from '../../src/documents/model.ts'
import { readContract } from '../../src/http/contract/contract.ts'
import { axeFindings, useBrowser } from './browser.ts'

const setting = useBrowser()
const { operations } = modelOf(readContract())
const DESKTOP = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 } }
// axe checks the colours of some thousand elements.
const AXE_MS = 180_000

const textsOf = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(({ textContent }) =>
    textContent.trim().replaceAll(/\\s+/g, ' '))`)

test.each([true, false])(
  'has every operation, and no dead links; with a script: %s',
  async (javaScriptEnabled) => {
    const { page, faults } = await setting().visit('/docs', { ...DESKTOP, javaScriptEnabled })
    const idsOf = (selector: string): Promise<string[]> =>
      page.evaluate(`[...document.querySelectorAll('${selector}')].map(({ id }) => id)`)
    const heads = operations.filter(({ method }) => method === 'HEAD').map(({ id }) => id)
    const others = operations.filter(({ method }) => method !== 'HEAD').map(({ id }) => id)
    expect((await idsOf('article')).sort()).toEqual(others.sort())
    expect((await idsOf('article .route a[id]')).sort()).toEqual(heads.sort())
    expect(await page.locator('article .curl').count()).toBe(others.length)
    const ids = new Set(await idsOf('[id]'))
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('a[href^="#"]')].map(({ hash }) => hash.slice(1))`,
    )
    expect(links.filter((id) => !ids.has(id))).toEqual([])
    expect(await page.locator('#find').isVisible()).toBe(javaScriptEnabled)
    await page.click('nav[aria-label="Contents"] a[href="#putValue"]')
    expect(await page.locator('#putValue:target').count()).toBe(1)
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test('says what every operation answers once', async () => {
  const { page } = await setting().visit('/docs')
  const ofAll = await textsOf(page, '#answers-of-all ~ .answers dt')
  const statuses = ['400', '401', '408', '411', '412', '413', '414', '429', '431', '500', '503']
  expect(ofAll).toEqual(statuses)
  const repeated = await textsOf(page, 'article .answers dt')
  expect(
    repeated.filter((status) => ['408', '411', '414', '429', '431', '500', '503'].includes(status)),
  ).toEqual([])
  // What is left of the others is what the operation adds.
  const errors = await textsOf(page, '#getValue details .answers > div')
  expect(errors.map((text) => text.slice(0, 3))).toEqual(['400', '401', '404', '406'])
  expect(errors[0]).toContain('UnwrappableBlob')
  expect(errors[0]).not.toContain('MultipleArgumentValues')
  expect(errors[1]).toContain('No READ')
  await page.context().close()
})

test('every class of errors that the contract explains is explained at its operation or for all', async () => {
  const { page } = await setting().visit('/docs')
  const [ofAll = ''] = await textsOf(page, 'section:has(> #answers-of-all)')
  for (const { id, answers } of operations.filter(({ method }) => method !== 'HEAD')) {
    const [own = ''] = await textsOf(page, `#${id} details`)
    const explained = answers.flatMap(({ classes, description }) =>
      classes.filter((name) => description.includes(`\`${name}\``)),
    )
    expect(explained.length).toBeGreaterThan(0)
    expect([id, explained.filter((name) => !`${own} ${ofAll}`.includes(name))]).toEqual([id, []])
  }
  await page.context().close()
})

describe('finding', () => {
  test.each([
    ['set value object', 'Set a tag value on an object PUT /objects/{object_id}/{tag_path}'],
    ['/recent/users', 'Get the latest values by a user GET /recent/users/{username}'],
    ['headObject', 'Get an object GET /objects/{object_id}'],
    ['primitivevalue', 'PrimitiveValue schema'],
    ['limits', 'Limits section'],
    ['dotted identifier', 'Web pages section'],
    ['TMadeUp', 'TMadeUp class of errors'],
  ])('%s: first %s', async (words, first) => {
    const { page, faults } = await setting().visit('/docs', DESKTOP)
    await page.evaluate(
      `document.querySelector('#errors + *').insertAdjacentHTML('afterend', '<p id="error-TMadeUp">x</p>')`,
    )
    await page.keyboard.press('/')
    await page.keyboard.type(words)
    expect((await textsOf(page, '#found li'))[0]).toBe(first)
    expect(await page.locator('#chapters').isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    const id = await page.evaluate(`document.querySelector('#found a').hash.slice(1)`)
    expect(await page.evaluate(`document.querySelector(':target')?.id`)).toBe(id)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('moves through what was found by keys, and says when there is nothing', async () => {
    const { page } = await setting().visit('/docs', DESKTOP)
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')
    await page.keyboard.press('/')
    await page.keyboard.type('permission')
    const found = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#found a')].map((a) => a.textContent)`,
    )
    expect(await page.innerText('#found-count')).toBe(`${String(found.length)} found`)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe(found[1])
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await page.evaluate('document.activeElement.id')).toBe('find')
    await page.keyboard.type(' nowhere to be found')
    expect(await page.innerText('#found-count')).toBe('Nothing found')
    await page.keyboard.press('Escape')
    expect(await page.inputValue('#find')).toBe('')
    expect(await page.locator('#chapters').isVisible()).toBe(true)
    await page.context().close()
  })

  test.each([
    ['light', DESKTOP],
    ['dark', PHONE],
  ] as const)(
    'is accessible: %s',
    async (colorScheme, size) => {
      const { page } = await setting().visit('/docs', { ...size, colorScheme })
      await page.keyboard.press('/')
      await page.keyboard.type('namespace')
      expect(await page.locator('#found a').first().isVisible()).toBe(true)
      expect(await axeFindings(page)).toEqual([])
      await page.context().close()
    },
    AXE_MS,
  )
})

test('shows in the contents what is being read', async () => {
  const { page } = await setting().visit('/docs', DESKTOP)
  const marked = page.locator('#contents [aria-current]')
  for (const id of ['errors', 'getUser', 'schemas', 'operations-tags']) {
    await page.evaluate(`document.getElementById('${id}').scrollIntoView()`)
    await page.waitForSelector(`#contents a[href="#${id}"][aria-current]`)
    expect(await marked.count()).toBe(1)
    const [link, nav] = [await marked.boundingBox(), await page.locator('#contents').boundingBox()]
    expect(link?.y).toBeGreaterThanOrEqual(nav?.y ?? Infinity)
    expect((link?.y ?? Infinity) + (link?.height ?? 0)).toBeLessThanOrEqual(
      (nav?.y ?? 0) + (nav?.height ?? 0),
    )
  }
  await page.context().close()
})

test('copies code, also where the browser withholds the clipboard', async () => {
  const { page } = await setting().visit('/docs', DESKTOP)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const command = page.locator('#getValue .code:has(.curl)')
  const copied = async (): Promise<unknown> => {
    await page.evaluate(`navigator.clipboard.writeText('')`)
    await command.getByRole('button').click()
    await command.getByText('Copied').waitFor()
    return page.evaluate('navigator.clipboard.readText()')
  }
  const text = await command.locator('pre').textContent()
  expect(text).toMatch(/^curl /)
  expect(await copied()).toBe(text)
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))`)
  await command.getByText('Copy', { exact: true }).waitFor()
  await page.evaluate(`document.execCommand('copy')`)
  await command.getByRole('button').click()
  await command.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text)
  await page.context().close()
})

test('a link to a schema opens it', async () => {
  const { page } = await setting().visit('/docs#schema-FoundObjects', DESKTOP)
  expect(await page.locator('#schema-FoundObjects').isVisible()).toBe(true)
  expect(await page.locator('#schema-User').isVisible()).toBe(false)
  await page.evaluate(`location.hash = 'schema-User'`)
  await page.waitForSelector('#schema-User:visible')
  await page.context().close()
})

describe('on a phone', () => {
  test('folds operations, and opens the one that is asked for', async () => {
    const { page } = await setting().visit('/docs#getUser', PHONE)
    const samples = (id: string) => page.locator(`#${id} .samples`)
    expect(await samples('getUser').isVisible()).toBe(true)
    expect(await samples('putValue').isVisible()).toBe(false)
    const inView = await page.locator('#getUser h3').boundingBox()
    expect(inView?.y).toBeGreaterThan(0)
    expect(inView?.y).toBeLessThan(200)
    await page.locator('#putValue').getByRole('button', { name: 'Arguments' }).click()
    expect(await samples('putValue').isVisible()).toBe(true)
    const screens = await page.evaluate<number>('document.documentElement.scrollHeight / innerHeight')
    expect(screens).toBeLessThan(80)
    await page.context().close()
  })

  test('has the contents behind a button, and a way back to the top', async () => {
    const { page, faults } = await setting().visit('/docs', PHONE)
    expect(await page.locator('#contents').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Contents' }).click()
    await page.locator('#contents a[href="#deleteTag"]').click()
    await page.waitForSelector('#deleteTag .samples:visible')
    expect(await page.locator('#contents').isVisible()).toBe(false)
    await page.waitForFunction(`document.getElementById('place').textContent.includes('Delete a tag')`)
    await page.getByRole('link', { name: 'Top of the page' }).click()
    await page.waitForFunction('scrollY < 200')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('has them without a script, too', async () => {
    const { page } = await setting().visit('/docs', { ...PHONE, javaScriptEnabled: false })
    await page.getByRole('button', { name: 'Contents' }).click()
    expect(await page.locator('#contents a[href="#deleteTag"]').isVisible()).toBe(true)
    expect(await page.locator('#deleteTag .samples').isVisible()).toBe(true)
    await page.context().close()
  })
})
