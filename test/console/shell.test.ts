/** The frame around the views: signing in, the menu, the drawer, views by URL, and what was sent. */
import { expect, test } from '@jest/globals'
import { PASSWORD } from '../support/service.ts'
import { leave, openMenu, signIn, signOut, useConsole } from './console.ts'

const setting = useConsole()
const NARROW = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const

test('signs in and out, and says when that is wrong', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill('alice')
  const password = dialog.getByLabel('Password', { exact: true })
  await password.fill('wrong')
  await dialog.getByLabel('Show what I type').check()
  expect(await password.getAttribute('type')).toBe('text')
  expect(await password.inputValue()).toBe('wrong')
  await password.press('Enter')
  await dialog.getByRole('alert').getByText('The credentials are wrong').waitFor()
  await password.fill(PASSWORD)
  await password.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await openMenu(page)
  await page.getByText('Signed in as alice').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Signed in as alice').waitFor({ state: 'hidden' })
  await signOut(page)
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
  await leave(visit)
})

test('says how long to wait after too many wrong passwords', async () => {
  const { service, open } = setting()
  // The same wrong password counts once.
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, at) =>
      service.request('GET', '/users/bob', { as: 'bob', password: `wrong ${String(at)}` }),
    ),
  )
  expect(answers.map(({ status }) => status)).toContain(429)
  const visit = await open('', NARROW)
  const { page } = visit
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill('bob')
  await dialog.getByLabel('Password', { exact: true }).fill('wrong again')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByRole('alert').getByText('Too many sign-ins failed').waitFor()
  await dialog.getByText(/^Wait \d+ s\.$/).waitFor()
  await leave(visit)
})

test('never has the browser ask for a password', async () => {
  const visit = await setting().open('')
  const { page } = visit
  const devtools = await page.context().newCDPSession(page)
  let asked = 0
  devtools.on('Fetch.authRequired', ({ requestId }) => {
    asked += 1
    void devtools.send('Fetch.continueWithAuth', {
      requestId,
      authChallengeResponse: { response: 'CancelAuth' },
    })
  })
  devtools.on('Fetch.requestPaused', ({ requestId }) => {
    void devtools.send('Fetch.continueRequest', { requestId })
  })
  await devtools.send('Fetch.enable', { handleAuthRequests: true })
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill('carol')
  await dialog.getByLabel('Password', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(asked).toBe(0)
  // The same answer does make it ask where the page lets it.
  await page.evaluate(`fetch('../about/@carol/service/users/role', {
    credentials: 'include', headers: { authorization: 'Basic ' + btoa('carol:wrong') },
  })`)
  expect(asked).toBeGreaterThan(0)
  await leave(visit)
})

test('goes back and forward between views, each with its title', async () => {
  const visit = await setting().open('#/users/alice')
  const { page } = visit
  await page.getByRole('heading', { name: 'alice' }).waitFor()
  expect(await page.title()).toBe('alice (user) – Gloss')
  await page.getByRole('link', { name: 'Gloss' }).click()
  await page.getByRole('heading', { name: 'What is here' }).waitFor()
  await page.locator('#main:focus').waitFor()
  expect(await page.title()).toBe('Gloss')
  await page.getByRole('link', { name: 'Recent', exact: true }).click()
  const headings = page.getByRole('main').getByRole('heading', { level: 1 })
  await headings.filter({ hasNotText: 'What is here' }).waitFor()
  expect(await page.title()).toBe('Recent changes – Gloss')
  await page.goBack()
  await page.getByRole('heading', { name: 'What is here' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'alice' }).waitFor()
  await page.goForward()
  await page.getByRole('heading', { name: 'What is here' }).waitFor()
  await page.goto(`${page.url().replace(/#.*/, '')}#/nowhere`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await leave(visit)
})

test('has the tree in a drawer where there is little room', async () => {
  const visit = await setting().open('', NARROW)
  const { page } = visit
  const button = page.getByRole('button', { name: 'Tree' })
  await button.click()
  const drawer = page.getByRole('dialog', { name: 'Pages, namespaces and tags' })
  await drawer.getByRole('button', { name: 'Close' }).waitFor()
  await page.locator('button:focus', { hasText: 'Close' }).waitFor()
  await page.locator('main[inert]').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await page.locator('.tree-button:focus').waitFor()
  await button.click()
  await drawer.getByRole('link', { name: 'Recent' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await page.waitForURL((url) => url.hash === '#/recent')
  await page.locator('main:not([inert]):focus').waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await leave(visit)
})

test('keeps the colours that somebody wants', async () => {
  const visit = await setting().open('')
  const { page } = visit
  const background = `getComputedStyle(document.body).backgroundColor`
  const usual = await page.evaluate(background)
  await openMenu(page)
  await page.getByLabel('Dark').check()
  const dark = await page.evaluate(background)
  expect(dark).not.toBe(usual)
  await page.reload()
  await page.getByRole('heading', { name: 'What is here' }).waitFor()
  expect(await page.evaluate(background)).toBe(dark)
  await openMenu(page)
  await page.getByLabel('High contrast').check()
  await page.locator('html[data-contrast=more]').waitFor()
  await leave(visit)
})

test('lists the requests, those that failed too, and copies them as commands', async () => {
  const { service, open } = setting()
  const visit = await open('#/users/nobody-at-all', { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  const bar = page.getByRole('contentinfo')
  await page.getByRole('alert').waitFor()
  await bar.getByRole('button', { name: /^Requests/ }).click()
  const failed = bar.getByRole('listitem').filter({ hasText: '/users/nobody-at-all' })
  expect(await failed.locator('.failed').textContent()).toBe('404')
  expect(await failed.textContent()).toMatch(/404\d+ ms0 B/)
  await failed.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByRole('status').getByText('Copied as a curl command').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `curl ${service.url}/users/nobody-at-all`,
  )
  await page.keyboard.press('Escape')
  await bar.getByRole('listitem').first().waitFor({ state: 'hidden' })
  await leave(visit)
})

test('shows no password in what it copies, and forgets requests with who sent them', async () => {
  const visit = await setting().open('#/users/carol', {
    as: 'carol',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page } = visit
  const bar = page.getByRole('contentinfo')
  await openMenu(page)
  await page.getByRole('button', { name: 'Change my password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^New password/).fill('another horse')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await dialog.waitFor({ state: 'detached' })
  await bar.getByRole('button', { name: /^Requests/ }).click()
  const changed = bar.getByRole('listitem').filter({ hasText: 'PUT /users/carol' })
  await changed.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByRole('status').getByText('Copied as a curl command').waitFor()
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  expect(copied).toContain('-u carol')
  expect(copied).toContain('NEW-PASSWORD')
  expect(copied).not.toContain('another horse')
  await signOut(page)
  await changed.waitFor({ state: 'detached' })
  await leave(visit)
})

test.each(['constructor', '__proto__', 'toString'])('%s is no view', async (name) => {
  const visit = await setting().open(`#/${name}`)
  await visit.page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await leave(visit)
})

test('says that the service is busy while it asks again', async () => {
  const visit = await setting().open('#/help')
  const { page } = visit
  let busy = 1
  await page.route('**/users/alice', async (route) => {
    busy -= 1
    if (busy < 0) await route.continue()
    else await route.fulfill({ status: 503, headers: { 'retry-after': '1' } })
  })
  await signIn(page, 'alice')
  await page.evaluate(`location.hash = '#/users/alice'`)
  await page.getByText('The service is busy, asking again in 1 s').waitFor()
  await page.getByRole('heading', { name: 'alice' }).waitFor()
  await page.getByText('The service is busy').waitFor({ state: 'hidden' })
  await leave(visit)
})
