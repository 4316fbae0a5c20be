/** The pages of namespaces and tags: what they show, and creating, describing and deleting them. */
import { beforeAll, expect, test } from '@jest/globals'
import { leave, useConsole } from './console.ts'

const setting = useConsole()

beforeAll(async () => {
  const { service } = setting()
  const ratings = ['1', '2', '2', '8.5', '9007199254740993', '"good"', '["novel","classic"]']
  for (const [index, primitive] of ratings.entries()) {
    await service.ok('PUT', `/about/book:${String(index)}/alice/books/rating`, { as: 'alice', primitive })
  }
  const json = { description: 'How much I liked it' }
  await service.ok('PUT', '/tags/alice/books/rating', { as: 'alice', json })
})

test('shows what the values of a tag are like, and leads to the objects that have them', async () => {
  const visit = await setting().open('#/tag/alice/books/rating')
  const { page } = visit
  await page.getByText('How much I liked it').waitFor()
  const types = page.getByRole('definition').filter({ hasText: 'int 4' })
  for (const other of ['float 1', 'string 1', 'list-of-strings 1'])
    await types.filter({ hasText: other }).waitFor()
  await page.getByText('indexed: matches finds them').waitFor()
  expect(await page.getByRole('definition').first().textContent()).toBe('7')
  // Whoever has not signed in is offered nothing that only users may do.
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  await page.getByRole('link', { name: 'Bins: logarithmic' }).click()
  const [first] = await page.locator('.spread li a').all()
  expect(await first?.getAttribute('aria-label')).toMatch(/^1 to .*: [34] objects$/)
  const links = page.locator('.ranking a')
  expect(await links.allTextContents()).toContain('9,007,199,254,740,993')
  await links.filter({ hasText: 'novel' }).click()
  expect(await page.getByLabel('Query', { exact: true }).inputValue()).toBe(
    'alice/books/rating contains "novel"',
  )
  await page.goBack()
  await links.filter({ hasText: '9,007,199,254,740,993' }).click()
  expect(await page.getByLabel('Query', { exact: true }).inputValue()).toBe(
    'alice/books/rating = 9007199254740993',
  )
  await page.getByRole('heading', { name: '1 object', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Ask for this tag' }).click()
  expect(new URL(page.url()).hash).toBe(
    '#/ask?query=has+alice%2Fbooks%2Frating&column=alice%2Fbooks%2Frating',
  )
  await page.goBack()
  await page.locator('.above').getByRole('link', { name: 'books' }).click()
  await page.getByRole('row', { name: /rating tag 7 values How much I liked it/ }).waitFor()
  await leave(visit)
})

test('creates, describes and deletes, with a way back from a description', async () => {
  const visit = await setting().open('#/namespace/alice', { as: 'alice' })
  const { page } = visit
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New namespace' }).click()
  await dialog.getByLabel('Name').fill('a/b')
  await dialog.getByRole('button', { name: 'Create namespace' }).click()
  await dialog.getByRole('alert').getByText('not of "/"').waitFor()
  await dialog.getByLabel('Name').fill('films')
  await dialog.getByLabel('Description').fill('Seen\nand not')
  await dialog.getByRole('button', { name: 'Create namespace' }).click()
  await page.getByRole('heading', { level: 1, name: 'films' }).waitFor()
  await page.getByText('This namespace is empty.').waitFor()
  await page.getByRole('treeitem', { name: 'films namespace' }).waitFor()
  await page.getByRole('button', { name: 'Edit description' }).click()
  await page.getByLabel('Description').fill('Films')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Films', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Seen\nand not').waitFor()
  // What somebody else has written meanwhile is shown before it is replaced, and stays where it is newer.
  const describe = async (description: string): Promise<void> => {
    const json = { description }
    await setting().service.ok('PUT', '/namespaces/alice/films', { as: 'alice', json })
  }
  await page.getByRole('button', { name: 'Edit description' }).click()
  await page.getByLabel('Description').fill('Mine')
  await describe('Theirs')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('“Theirs”').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Mine', { exact: true }).waitFor()
  await describe('Newer')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('Not taken back: somebody has changed it since').waitFor()
  await page.getByText('Newer', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'New tag' }).click()
  await dialog.getByLabel('Name').fill('year')
  await dialog.getByRole('checkbox').uncheck()
  await dialog.getByRole('button', { name: 'Create tag' }).click()
  await page.getByText('not indexed: matches does not find them').waitFor()
  await page.getByText('No object has this tag yet.').waitFor()
  await page.getByRole('button', { name: 'Delete …' }).click()
  const remove = dialog.getByRole('button', { name: 'Delete tag' })
  await dialog.getByRole('textbox').fill('alice/films')
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill('alice/films/year')
  await remove.click()
  await page.getByRole('heading', { level: 1, name: 'films' }).waitFor()
  await page.getByRole('treeitem', { name: 'year tag' }).waitFor({ state: 'detached' })
  await page.getByText('This namespace is empty.').waitFor()
  await leave(visit)
})

test('refuses to delete a namespace with something in it, in words, and shows others what they may see', async () => {
  const visit = await setting().open('#/namespace/alice/books', { as: 'service' })
  const { page } = visit
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete …' }).click()
  await dialog.getByText('There is something in this namespace').waitFor()
  await dialog.getByRole('textbox').fill('alice/books')
  await dialog.getByRole('button', { name: 'Delete namespace' }).press('Enter')
  await dialog.getByRole('link', { name: 'About TNamespaceNotEmpty' }).waitFor()
  await page.keyboard.press('Escape')
  // Top-level namespaces come and go with their users.
  await page
    .getByRole('navigation', { name: 'Namespaces above' })
    .getByRole('link', { name: 'alice' })
    .click()
  await page.getByRole('button', { name: 'New tag' }).waitFor()
  expect(await page.getByRole('button', { name: 'Delete …' }).count()).toBe(0)
  await leave(visit)
})

test.each(['#/namespace/alice', '#/namespace/service/users', '#/tag/alice/books/rating'])(
  'fits on a small and dark screen: %s',
  async (hash) => {
    const visit = await setting().open(hash, { viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
    const { page } = visit
    const ready = hash.includes('/tag/')
      ? page.getByRole('heading', { name: 'Numbers' })
      : page.getByRole('row', { name: /books|username/ })
    await ready.first().waitFor()
    await leave(visit)
  },
)
