/** Users: the list for superusers, creating, changing and deleting them, and for everybody a page about themselves. */
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { leave, openMenu, signIn, signOut, useConsole } from './console.ts'

const setting = useConsole()

test('a superuser finds, creates, changes and deletes users', async () => {
  const { service, open } = setting()
  const visit = await open('#/users', { as: 'service' })
  const { page } = visit
  await page.getByRole('link', { name: 'carol' }).waitFor()
  await page.getByRole('button', { name: 'Create a user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill('Dora')
  await dialog.getByLabel('Name', { exact: true }).fill('Dora Dune')
  await dialog.getByLabel('E-mail').fill('dora@example.org')
  await dialog.getByLabel('Password', { exact: true }).fill('short')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').getByText('password').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill('long enough for anybody')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Dora Dune' }).waitFor()
  expect(await page.getByLabel('E-mail').inputValue()).toBe('dora@example.org')
  await page.getByLabel('Name', { exact: true }).fill('Dora "D." Dune')
  await page.getByLabel('Role').selectOption('superuser')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved').waitFor()
  await page.getByText('role superuser').waitFor()
  expect((await service.ok('GET', '/users/dora')).json()).toMatchObject({ name: 'Dora "D." Dune' })
  await setPassword(page, 'another long sentence')
  await service.ok('GET', '/users/dora', { as: 'dora', password: 'another long sentence' })
  await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
  await page.getByLabel('Find').fill('dun')
  await page.getByRole('status').getByText('1 user', { exact: true }).waitFor()
  expect(page.url()).toContain('find=dun')
  await page.getByRole('link', { name: 'dora' }).click()
  await page.getByRole('button', { name: 'Delete the user' }).click()
  const remove = dialog.getByRole('button', { name: 'Delete', exact: true })
  await dialog.getByLabel('To confirm').fill('dor')
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByLabel('To confirm').fill('dora')
  await remove.click()
  await page.getByRole('heading', { name: 'Users' }).waitFor()
  expect((await service.request('GET', '/users/dora')).status).toBe(404)
  await leave(visit)
})

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Change the password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New password').fill(password)
  await dialog.getByRole('button', { name: 'Change' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('a user whose namespace is not empty stays, and the page says why', async () => {
  const { service, open } = setting()
  await service.ok('PUT', '/about/book:Dune/carol/rating', { as: 'carol', primitive: '9' })
  const visit = await open('#/users/carol', { as: 'service' })
  const { page } = visit
  await page.getByRole('button', { name: 'Delete the user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('To confirm').fill('carol')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('alert').getByText('The namespace carol is not empty').waitFor()
  await dialog.getByRole('button', { name: 'Keep' }).click()
  await dialog.waitFor({ state: 'detached' })
  await leave(visit)
})

test('pages of the list have URLs', async () => {
  const { service, open } = setting()
  const names = Array.from({ length: 51 }, (_, at) => `many-${String(at).padStart(2, '0')}`)
  for (const username of names) {
    await service.ok('POST', '/users', { as: 'service', json: { username, password: 'correct horse' } })
  }
  const visit = await open('#/users?find=many', {
    as: 'service',
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const { page } = visit
  await page.getByRole('link', { name: 'many-49' }).waitFor()
  expect(await page.getByRole('link', { name: 'many-50' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'many-50' }).waitFor()
  expect(page.url()).toContain('cursor=')
  await page.goBack()
  await page.getByRole('link', { name: 'many-49' }).waitFor()
  await leave(visit)
})

test('somebody changes their own name, address and password, and nobody else', async () => {
  const { service, open } = setting()
  const visit = await open('#/users', { as: 'alice' })
  const { page } = visit
  await page.getByRole('heading', { name: 'alice' }).waitFor()
  await page.getByText('Only superusers can read the address').waitFor()
  expect(await page.getByLabel('Role').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Delete the user' }).count()).toBe(0)
  await page.getByLabel('Name', { exact: true }).fill('Alice Liddell')
  await page.getByLabel('New e-mail').fill('alice@example.org')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Alice Liddell' }).waitFor()
  const email = await service.ok('GET', '/about/@alice/service/users/email', { as: 'service' })
  expect(email.json()).toBe('alice@example.org')
  await openMenu(page)
  await page.getByRole('button', { name: 'Change my password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New password').fill('a new long sentence')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByLabel('Name', { exact: true }).fill('Alice P. Hargreaves')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Alice P. Hargreaves' }).waitFor()
  await page.evaluate(`location.hash = '#/users/bob'`)
  await page.getByText('role user').waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await signOut(page)
  await signIn(page, 'alice', 'a new long sentence')
  await leave(visit)
})

test('nobody in particular is asked to sign in', async () => {
  const visit = await setting().open('#/users')
  const { page } = visit
  await page.getByText('Sign in to change your name').waitFor()
  await leave(visit)
})
