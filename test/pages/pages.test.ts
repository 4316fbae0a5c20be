/** The pages in a browser: accessible, within their content security policy, complete, and able to send requests. */
import { describe, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { modelOf } from '../../src/documents/model.ts'
import { readContract } from '../../src/http/contract/contract.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { PASSWORD } from '../support/service.ts'
import { axeFindings, useBrowser, type Visit } from './browser.ts'

const setting = useBrowser()
const { operations } = modelOf(readContract())
const IDS = operations.map(({ id }) => id)
const HEADS = new Set(operations.filter(({ method }) => method === 'HEAD').map(({ id }) => id))
// axe checks the colours of some ten thousand elements.
const AXE_MS = 180_000
const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } }

describe.each(['/docs', '/docs/try'])('the page %s', (path) => {
  test.each([
    ['desktop', 'light'],
    ['phone', 'dark'],
  ] as const)(
    'has no accessibility findings, violations or requests to other hosts: %s, %s',
    async (size, colorScheme) => {
      const { page, faults } = await setting().visit(path, { viewport: SIZES[size], colorScheme })
      expect(await axeFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(faults).toEqual([])
      await page.context().close()
    },
    AXE_MS,
  )

  test('enforces its content security policy', async () => {
    const { page } = await setting().visit(path)
    const violated = await page.evaluate(`new Promise((resolve) => {
      const violated = []
      addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
        if (violated.push(violatedDirective) === 4) resolve(violated.sort())
      })
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'ran = true' }))
      document.body.append(Object.assign(document.createElement('img'), { src: 'data:image/gif;base64,AAAA' }))
      document.body.setAttribute('style', 'color: red')
      fetch('https://elsewhere.invalid/').catch(() => {})
    })`)
    expect(violated).toEqual(['connect-src', 'img-src', 'script-src-elem', 'style-src-attr'])
    expect(await page.evaluate('typeof ran')).toBe('undefined')
    await page.context().close()
  })
})

/** Opens the page that sends requests, at one operation and signed in. */
async function at(operation: string, as = 'alice', password = PASSWORD): Promise<Visit> {
  const visit = await setting().visit(`/docs/try#${operation}`)
  await visit.page.fill('#username', as)
  await visit.page.fill('#password', password)
  return visit
}

/** Fills in the named fields of the form, sends it and reads the answer. */
async function send(page: Page, fields: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const form = page.locator('form[data-method]:visible')
  await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`)
  for (const [label, value] of Object.entries(fields)) {
    await form.getByLabel(new RegExp(`^${label}\\b`)).fill(value)
  }
  await page.evaluate(`document.getElementById('answer').replaceChildren()`)
  await form.getByRole('button', { name: 'Send' }).click()
  await page.waitForSelector('#answer .status')
  return {
    status: await page.locator('#answer .status').innerText(),
    message: (await page.locator('#answer .message').allInnerTexts()).join(),
    headers: await page.locator('#answer > dl').innerText(),
    others: (await page.locator('#answer details').textContent()) ?? '',
    body:
      (await page.locator('#answer > :last-child').locator('pre, :scope:not(:has(pre))').textContent()) ?? '',
    command: await page.locator('#command').innerText(),
  }
}

const HOSTILE = `</script><img src=x onerror="fetch('/hacked')"><b>'"&`

describe('the page that sends requests', () => {
  const place = { about_value: 'a/b é?#', tag_path: 'alice/hostile' }

  test('writes and reads with credentials, shows markup as text, and shows the command', async () => {
    const { page, faults } = await at('putValueByAbout')
    const written = await send(page, { ...place, Body: JSON.stringify(HOSTILE) })
    expect(written['status']).toMatch(/^204/)
    const stored = await setting().service.ok('GET', '/about/a%2Fb%20%C3%A9%3F%23/alice/hostile')
    expect(stored.json()).toBe(HOSTILE)
    expect(stored.headers['x-service-type']).toBe('string')

    await page.selectOption('#operation', 'getValueByAbout')
    const read = await send(page, place)
    expect(read['status']).toMatch(/^200/)
    expect(read['headers']).toContain('x-service-type')
    expect(read['body']).toBe(JSON.stringify(HOSTILE))
    expect(await page.locator('#answer img, #answer b').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    expect(faults).toEqual([])

    for (const { command = '' } of [written, read]) {
      const withPassword = command.replace('-u alice', `-u 'alice:${PASSWORD}'`)
      const script = `${withPassword} -s -o /dev/null -w '%{http_code}'`
      const { stdout } = await promisify(execFile)('sh', ['-c', script])
      expect(stdout).toBe(command === read['command'] ? '200' : '204')
    }
    await page.context().close()
  })

  test.each([
    ['9223372036854775807', '9223372036854775807'],
    ['5.0', '5.0'],
    ['["a,:{}", "\\"[b]\\\\"]', '[\n  "a,:{}",\n  "\\"[b]\\\\"\n]'],
  ])('shows %s digit for digit', async (value, shown) => {
    const { service } = setting()
    await service.ok('PUT', '/about/exact/alice/exact', { as: 'alice', primitive: value })
    const { page } = await at('getValueByAbout')
    const { body } = await send(page, { about_value: 'exact', tag_path: 'alice/exact' })
    expect(body).toBe(shown)
    await page.context().close()
  })

  test('sends opaque values, empty values and header arguments', async () => {
    const { page } = await at('putValueByAbout')
    const empty = { ...place, 'Content-Type': 'text/plain; charset="x"', Body: '', 'If-None-Match': '*' }
    expect((await send(page, { ...empty, tag_path: 'alice/empty' }))['status']).toMatch(/^204/)
    expect((await send(page, { ...empty, tag_path: 'alice/empty' }))['status']).toMatch(/^412/)
    const stored = await setting().service.ok('GET', '/about/a%2Fb%20%C3%A9%3F%23/alice/empty')
    expect([stored.headers['content-type'], stored.body.length]).toEqual(['text/plain; charset="x"', 0])
    await page.context().close()
  })

  test('sends repeated arguments and JSON bodies', async () => {
    const { service } = setting()
    await service.ok('PUT', '/about/many/alice/many', { as: 'alice', primitive: '1' })
    const { page } = await at('getValues')
    const fields = { query: 'has alice/many', tag: 'alice/many\nservice/about' }
    const { status, body = '' } = await send(page, fields)
    expect(status).toMatch(/^200/)
    const { results } = JSON.parse(body) as { results: { id: Record<string, object> } }
    expect(Object.values(results.id).map((tags) => Object.keys(tags).sort())).toEqual([
      ['alice/many', 'service/about'],
    ])
    await page.selectOption('#operation', 'createTag')
    const created = await send(page, {
      tag_path: 'alice',
      Body: '{"name":"new","description":"d","indexed":true}',
    })
    expect(created['status']).toMatch(/^201/)
    expect(created['headers']).toContain(`${service.url}/tags/alice/new`)
    await page.context().close()
  })

  test('shows the class of an error, and says what is wrong with credentials', async () => {
    const { page, faults } = await at('getUser')
    const missing = await send(page, { username: 'nobody' })
    expect(missing['status']).toBe('404 Not Found TNoSuchUser')
    const link = await page.getAttribute('#answer .status a', 'href')
    expect(link).toBe('../docs#error-TNoSuchUser')
    expect(missing['headers']).toContain('x-service-name')
    expect(missing['others']).toContain('vary')
    await page.fill('#password', 'wrong')
    const refused = await send(page, { username: 'alice' })
    expect(refused['status']).toBe('401 Unauthorized')
    expect(refused['message']).toBe('The user name or the password is wrong.')
    await page.fill('#username', '')
    await page.fill('#password', '')
    await page.evaluate(`location.hash = 'createUser'`)
    const anonymous = await send(page, {})
    expect(anonymous['status']).toMatch(/^401 Unauthorized T/)
    expect(anonymous['message']).not.toBe('')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('has a form for each operation, opened by its name, and ignores any other name', async () => {
    const { page, faults } = await setting().visit('/docs/try#<img src=x onerror=alert(1)>')
    expect(await page.locator('form[data-method]:visible').count()).toBe(1)
    const offered = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#operation option')].map(({ value }) => value)`,
    )
    expect(offered.sort()).toEqual([...IDS].sort())
    for (const id of ['headObject', 'deleteValues', 'getContract']) {
      await page.evaluate(`location.hash = '${id}'`)
      await page.waitForSelector(`#try-${id}:visible`)
      expect(await page.locator('form[data-method]:visible').count()).toBe(1)
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('choosing an example of a body sets its content type', async () => {
    const { page } = await at('putValue')
    const types = await page.locator('#putValue-examples option').count()
    expect(types).toBeGreaterThan(1)
    await page.selectOption('#putValue-examples', { index: types - 1 })
    const type = await page.inputValue('#putValue-type')
    expect(type).not.toBe(PRIMITIVE_MEDIA_TYPE)
    expect(await page.locator('#command').innerText()).toContain(`-H 'Content-Type: ${type}'`)
    await page.context().close()
  })
})

describe('whoever opens the page that sends requests', () => {
  test('finds a read with a link to the query language, and HEAD last', async () => {
    const { service } = setting()
    const { page, faults } = await setting().visit('/docs/try', { viewport: SIZES.desktop })
    expect(await page.inputValue('#operation')).toBe('findObjects')
    const groups = await page.evaluate<[string, string[]][]>(
      `[...document.querySelectorAll('#operation optgroup')].map((group) =>
        [group.label, [...group.children].map(({ value }) => value)])`,
    )
    expect(groups.at(-1)?.[0]).toMatch(/^HEAD/)
    for (const [label, ids] of groups) {
      expect([label, ids.some((id) => HEADS.has(id))]).toEqual([label, label.startsWith('HEAD')])
    }
    const refused = await send(page, { query: 'alice/ü >' })
    expect(refused['status']).toMatch(/^400 Bad Request T/)
    expect(refused['message']).toMatch(/^line 1, column \d+: /)
    expect(refused['message']).not.toContain('%')
    expect(await axeFindings(page)).toEqual([])
    await page.click('text=The query language')
    await page.waitForSelector('h2:target')
    expect(page.url()).toBe(`${service.url}/docs#queries`)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('finds no dead links', async () => {
    const { page } = await setting().visit('/docs/try')
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))`,
    )
    expect(links.filter((link) => link.startsWith('#'))).toEqual([])
    const [ids] = [links.map((link) => link.split('#')[1] ?? '').filter((id) => id !== '')]
    await page.goto(`${setting().service.url}/docs`)
    const dead = await page.evaluate(
      `${JSON.stringify(ids)}.filter((id) => document.getElementById(id) === null)`,
    )
    expect(dead).toEqual([])
    await page.context().close()
  })

  test('can copy the command', async () => {
    const { page } = await at('getUser')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const button = page.locator('section:has(#command)').getByRole('button')
    await button.click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await page.locator('#command').innerText(),
    )
    await page.context().close()
  })
})
