/** The frame around the views: signing in, views by URL, and what was sent. */
import { expect, test } from '@jest/globals'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

test('signs in and out, and says when that is wrong', async () => {
  const visit = await setting().open('')
  const { page } = visit
  await page.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill('alice')
  await dialog.getByLabel('Password').fill('wrong')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Password').fill('correct horse')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await leave(visit)
})

test('goes back and forward between views', async () => {
  const visit = await setting().open('#/ask?query=has+service%2Fusers%2Fusername')
  const { page } = visit
  await page.getByRole('heading', { name: /objects/ }).waitFor()
  await page.getByRole('link', { name: 'Gloss' }).click()
  await page.getByRole('heading', { name: 'Start' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: /objects/ }).waitFor()
  expect(await page.getByLabel('Query').inputValue()).toBe('has service/users/username')
  await leave(visit)
})
