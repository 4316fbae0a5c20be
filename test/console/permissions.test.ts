/** Permissions: who sees something, the switch, the matrix, and what somebody may do, with proof. */
import { beforeAll, expect, test } from '@jest/globals'
import { Policies } from '../permissions/policies.ts'
import { leave, useConsole } from './console.ts'

const setting = useConsole()
const NOTE = 'alice/books/note'

beforeAll(async () => {
  const { service } = setting()
  await service.ok('PUT', `/about/book:Dune/${NOTE}`, { as: 'alice', primitive: '"Read it again"' })
})

test('makes a tag private with one switch, and takes that back', async () => {
  const visit = await setting().open(`#/tag/${NOTE}?show=permissions`, { as: 'alice' })
  const { page } = visit
  const policies = new Policies(setting().service)
  const read = () => policies.get('tag-values', NOTE, 'read')
  const who = page.locator('.who')
  await who.getByText('Everybody can see its values').waitFor()
  await page.getByRole('switch', { name: 'Open to everybody', checked: true }).press('Space')
  await who.getByText('Nobody but you can see its values').waitFor()
  await page.getByRole('treeitem', { name: 'note tag not for everybody' }).waitFor()
  expect(await read()).toEqual({ policy: 'closed', exceptions: ['alice'] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await who.getByText('Everybody can see its values').waitFor()
  expect(await read()).toEqual({ policy: 'open', exceptions: [] })
  await leave(visit)
})

test('says what a change does before it is saved, saves action by action, and says what was not', async () => {
  const visit = await setting().open(`#/tag/${NOTE}?show=permissions`, { as: 'alice' })
  const { page } = visit
  const policies = new Policies(setting().service)
  const changes = page.getByRole('region', { name: 'What changes' })
  await page.getByLabel('Policy: read its values').selectOption('closed')
  await changes.getByText('nobody but superusers may read its values').waitFor()
  await page.getByLabel('Another exception: read its values').fill('Bob')
  await page.getByLabel('Another exception: read its values').press('Enter')
  await changes.getByText('bob may read its values, and nobody else').waitFor()
  await page.getByLabel('Another exception: write its values').fill('anon')
  await page.getByRole('button', { name: 'Add the exception: write its values' }).click()
  await page.getByText('Only users may write: the anonymous user cannot be an exception.').waitFor()
  await page.getByLabel('Another exception: write its values').fill('nobody-has-this-name')
  await page.getByRole('button', { name: 'Add the exception: write its values' }).click()
  await page.getByRole('button', { name: `Remove alice: say who may change and delete the tag` }).click()
  await changes.getByText('You will no longer control this').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await changes.getByRole('link', { name: 'About TNoSuchUser' }).waitFor()
  await page.getByText('Saved: bob may read its values, and nobody else').waitFor()
  await changes.getByText('bob may read its values').waitFor({ state: 'detached' })
  expect(await policies.get('tag-values', NOTE, 'read')).toEqual({ policy: 'closed', exceptions: ['bob'] })
  expect(await policies.get('tags', NOTE, 'control')).toEqual({ policy: 'closed', exceptions: ['alice'] })
  await page.getByRole('button', { name: 'Discard' }).click()
  await changes.waitFor({ state: 'detached' })
  await leave(visit)
})

test('neither saves nor takes back over what somebody else has changed meanwhile', async () => {
  const tag = 'alice/books/shared'
  await setting().service.ok('PUT', `/about/book:Dune/${tag}`, { as: 'alice', primitive: 'null' })
  const policies = new Policies(setting().service)
  const read = () => policies.get('tag-values', tag, 'write')
  const theirs = { policy: 'closed', exceptions: ['alice', 'bob'] } as const
  const visit = await setting().open(`#/tag/${tag}?show=permissions`, { as: 'alice' })
  const { page } = visit
  const changes = page.getByRole('region', { name: 'What changes' })
  await page.getByLabel('Policy: write its values').selectOption('open')
  await page.getByRole('button', { name: 'Remove alice: write its values' }).click()
  await changes.getByText('every user may write its values').waitFor()
  await policies.set('tag-values', tag, 'write', theirs)
  await page.getByLabel('Policy: write its values').selectOption('closed')
  await changes.getByText('alice may no longer write its values').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await changes.getByText('Somebody has changed this permission meanwhile').waitFor()
  await changes.getByText('alice and bob may no longer write its values').waitFor()
  expect(await read()).toEqual(theirs)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved: alice and bob may no longer write its values').waitFor()
  await policies.set('tag-values', tag, 'write', theirs)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Not taken back: somebody has changed it since').waitFor()
  expect(await read()).toEqual(theirs)
  await leave(visit)
})

test('explains what somebody may do, and proves it for the anonymous user', async () => {
  const { service } = setting()
  const policies = new Policies(service)
  await policies.set('tag-values', NOTE, 'read', { policy: 'closed', exceptions: ['alice'] })
  const visit = await setting().open(`#/tag/${NOTE}?show=permissions&as=bob`, { as: 'alice' })
  const { page } = visit
  const verdicts = page.getByRole('list', { name: /What .* may do/ }).getByRole('listitem')
  const reading = verdicts.first()
  await reading
    .getByText(`bob may not read its values: closed, and bob is not among the exceptions of ${NOTE}.`)
    .waitFor()
  await page.getByLabel('Another user').fill('service')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await reading.getByText('service may read its values: superusers may do everything.').waitFor()
  await page.getByRole('link', { name: 'the anonymous user' }).click()
  await reading.getByText('is answered with 401 TPathPermissionDenied').waitFor()
  await reading.getByText('GET /search/suggest?tag=alice/books/note&limit=1').waitFor()
  expect(await verdicts.locator('.answer').allTextContents()).toEqual(Array(7).fill('no'))
  await page.getByLabel('Another user').fill('zoe')
  await page.getByLabel('Another user').press('Enter')
  await page.getByText('There is no user zoe.').waitFor()
  await page.goBack()
  await reading.getByText('is answered with 401 TPathPermissionDenied').waitFor()
  await leave(visit)
})

test('says to whoever lacks CONTROL what can be known, on a small and dark screen', async () => {
  const small = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const
  for (const [hash, as] of [
    [`#/tag/alice/books/note?show=permissions`, 'bob'],
    ['#/namespace/alice?show=permissions', undefined],
    ['#/namespace/alice/books?show=permissions', 'alice'],
  ] as const) {
    const visit = await setting().open(hash, { ...small, ...(as && { as }) })
    const { page } = visit
    if (as === 'alice') await page.getByLabel('Policy: see what is in it').waitFor()
    else
      await page
        .getByText(as === undefined ? /^Only those who control this/ : /^You do not control/)
        .waitFor()
    const says = {
      bob: 'You may not read its values: the service says so; why is known only to those who control it.',
      alice: 'You may see what is in it: open, without exceptions.',
      anonymous: 'The anonymous user may see what is in it: the service says so',
    }[as ?? 'anonymous']
    await page.getByText(says).waitFor()
    await leave(visit)
  }
})
