/** What the console says when something fails: every class of the contract, silence, and what comes from elsewhere. */
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { failureOf } from '../../console/src/parts/failure.ts'
import { ServiceError } from '../../packages/client/index.ts'
import { ERRORS, sentenceOf, type ErrorClass } from '../../src/model/errors.ts'
import { leave, useConsole } from './console.ts'

const setting = useConsole()
const CLASSES = Object.keys(ERRORS) as ErrorClass[]

/** Status and headers of an answer of this class, as the service gives it. */
function answerOf(errorClass: ErrorClass): { status: number; headers: Record<string, string> } {
  const { status, facts } = ERRORS[errorClass]
  if (errorClass === 'WrongCredentials') return { status, headers: {} }
  const values = Object.fromEntries(facts.map((fact) => [fact, `the-${fact}`]))
  const said = encodeURIComponent(sentenceOf(errorClass, values))
  const own = Object.fromEntries(Object.entries(values).map(([fact, text]) => [`x-service-${fact}`, text]))
  return {
    status,
    headers: { ...own, 'x-service-error-class': errorClass, 'x-service-message': said, 'retry-after': '20' },
  }
}

/** Words for those who write requests, which nobody does in the console. */
const FOR_PROGRAMS =
  /\b(GET|POST|PUT|DELETE|X-Service|Retry-After|Allow|JSONP|gloss|If-Match: |query string|operation)\b/

test.each(CLASSES)('%s is said in two sentences, for people', (errorClass) => {
  const { status, headers } = answerOf(errorClass)
  const { what, remedy } = failureOf(new ServiceError(new Response(null, { status, headers })))
  expect(what).toMatch(/^[A-Z"].{7,}\.$/)
  expect(remedy).toMatch(/^[A-Z].{3,}\.$/)
  expect(remedy).not.toMatch(FOR_PROGRAMS)
  expect(`${what} ${remedy}`).not.toMatch(/undefined|\[object/)
})

test('every class is shown with a link to its entry in the reference', async () => {
  const { service, open } = setting()
  const reference = (await service.ok('GET', '/docs')).body.toString()
  const anchors = new Set([...reference.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const missing: string[] = []
  const visit = await open('#/help')
  const { page } = visit
  await page.route('**/users/class.*', async (route) => {
    const errorClass = route.request().url().split('class.').at(-1) as ErrorClass
    const { status, headers } = answerOf(errorClass)
    // What is busy for long is not asked again.
    await route.fulfill({ status, headers })
  })
  for (const errorClass of CLASSES) {
    await goTo(page, `#/users/class.${errorClass}`)
    const alert = page.getByRole('main').getByRole('alert')
    const isNamed = errorClass !== 'WrongCredentials'
    const link = alert.getByRole('link', {
      name: isNamed ? `About ${errorClass}` : 'About signing in',
      exact: true,
    })
    const anchor = isNamed ? `error-${errorClass}` : 'who-is-asking'
    expect(await link.getAttribute('href')).toBe(`${service.url}/docs#${anchor}`)
    if (!anchors.has(anchor)) missing.push(anchor)
  }
  expect(missing).toEqual([])
  await leave(visit)
})

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
}

test('a refusal offers to sign in, and goes away with it', async () => {
  const visit = await setting().open('#/help')
  const { page } = visit
  let refused = true
  await page.route('**/users/bob', async (route) => {
    if (refused) await route.fulfill(answerOf('TUnauthorized'))
    else await route.continue()
  })
  await goTo(page, '#/users/bob')
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click()
  refused = false
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill('alice')
  await dialog.getByLabel('Password', { exact: true }).fill('correct horse')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('role user').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await leave(visit)
})

test('silence is said, and what is asked again on a click arrives', async () => {
  const visit = await setting().open('#/help', {
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const { page } = visit
  await page.route('**/users/bob', async (route) => route.abort())
  await goTo(page, '#/users/bob')
  await page.getByText('The service does not answer.').waitFor()
  await page.unroute('**/users/bob')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('role user').waitFor()
  await leave(visit)
})

test('a page that is busy for long says when to try again', async () => {
  const visit = await setting().open('#/help')
  const { page } = visit
  await page.route('**/users/bob', async (route) => route.fulfill(answerOf('ServiceUnavailable')))
  await goTo(page, '#/users/bob')
  const button = page.getByRole('button', { name: /^Try again in \d+ s$/ })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  await leave(visit)
})

test('an answer from a proxy has no class, and says where it may come from', () => {
  const { what, remedy, errorClass } = failureOf(new ServiceError(new Response('', { status: 502 })))
  expect({ errorClass, what }).toEqual({
    errorClass: undefined,
    what: 'The answer has the status 502, and no error class: 502.',
  })
  expect(remedy).toContain('in front of the service')
})

test('a dialog whose code did not arrive says so, and opens when it is wanted again', async () => {
  const visit = await setting().open('#/ask')
  const { page } = visit
  await page.getByRole('textbox', { name: 'Query' }).waitFor()
  await page.route('**/views*.js', (route) => route.abort(), { times: 1 })
  await page.keyboard.press('Control+k')
  await page.getByText('This could not be loaded').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Page, command' }).waitFor()
  await leave(visit)
})
