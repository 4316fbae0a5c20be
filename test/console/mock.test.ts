/** The console on both mocks: what it asks for is in the contract, so they can answer it. */
import { afterAll, beforeAll, describe, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { PASSWORD } from '../../mock/data.ts'
import { startMock, type Mock } from '../consumer/bases.ts'
import { visit } from '../pages/browser.ts'
import { startChromium } from '../support/chromium.ts'
import { leave, signIn } from './console.ts'

/** Each view that reads, and what it shows on either mock. */
const VIEWS: readonly (readonly [hash: string, heading: RegExp])[] = [
  ['', /./],
  ['#/namespace/alice/books', /books/],
  ['#/tag/alice/books/rating', /rating/],
  ['#/tag/alice/books/rating?show=permissions', /rating/],
  ['#/object/about/book%3ADune', /book:Dune/],
  ['#/recent', /recent|latest/i],
  ['#/ask?query=alice%2Fbooks%2Frating+%3E+5&column=alice%2Fbooks%2Frating', /object/],
]

let browser: Browser
beforeAll(async () => {
  browser = await startChromium()
})
afterAll(() => browser.close())

describe.each([
  ['of examples', [], 'any'],
  ['that remembers', ['--stateful'], PASSWORD],
])('the mock %s', (_which, args, password) => {
  let mock: Mock
  beforeAll(async () => {
    mock = await startMock(args)
  })
  afterAll(() => mock.stop())

  test('shows every view that reads, without a fault', async () => {
    const visited = await visit(browser, mock.url, '/console/', { viewport: { width: 1280, height: 900 } })
    const { page } = visited
    await signIn(page, 'alice', password)
    for (const [hash, heading] of VIEWS) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      await page.getByRole('main').getByRole('heading', { level: 1, name: heading }).waitFor()
      if ((await page.getByRole('main').getByRole('alert').count()) > 0)
        throw new Error(`${hash}: ${await page.getByRole('main').getByRole('alert').innerText()}`)
    }
    await leave(visited)
  })
})
