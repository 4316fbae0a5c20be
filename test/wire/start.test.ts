/** The root leads browsers to the console, and says to others where things are. The console is a page and what that loads. */
import { describe, expect, test } from '@jest/globals'
import { ask, useService } from './raw-requests.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const GONE = [404, 'NoSuchResource', undefined]

describe('without a base URL', () => {
  const setting = useService()
  const at = async (method: string, target: string, accept?: string, as?: string): Promise<unknown[]> => {
    const headers = accept === undefined ? {} : { accept }
    const {
      status,
      error,
      headers: answered,
      body,
    } = await ask(setting().url, method, target, {
      headers,
      ...(as !== undefined && { as }),
    })
    expect(body).toHaveLength(0)
    return [status, error, answered.location]
  }

  test.each([BROWSER, 'text/html', 'text/plain, text/html;q=0.1'])(
    'a client that asks for %s is led',
    async (accept) => {
      const led = [303, undefined, `${setting().url}/console/`]
      for (const method of ['GET', 'HEAD']) expect(await at(method, '/', accept)).toEqual(led)
      expect(await at('GET', '/?utm=x', accept, 'alice')).toEqual(led)
    },
  )

  test.each([
    undefined,
    '*/*',
    'text/*',
    'application/json',
    'text/html;q=0, */*',
    'text/plain',
    'image/png',
  ])('one that asks for %s is told where things are', async (accept) => {
    const { url } = setting()
    const headers = accept === undefined ? {} : { accept }
    const text = `contract: ${url}/openapi.json\ndocumentation: ${url}/docs\nconsole: ${url}/console/\n`
    for (const target of ['/', '/?utm=x', '/?verb=GET']) {
      const answer = await ask(url, 'GET', target, { headers })
      expect([answer.status, answer.body.toString()]).toEqual([200, text])
      expect(answer.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(text.length),
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      })
    }
    const head = await ask(url, 'HEAD', '/', { headers })
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      String(text.length),
      0,
    ])
    const byVerb = await ask(url, 'GET', '/?verb=HEAD', { headers })
    expect([byVerb.status, byVerb.body.length]).toEqual([200, 0])
  })

  test('nothing but GET and HEAD is there, and no JSONP', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      expect(await at(method, '/')).toEqual(GONE)
    expect(await at('GET', '/?callback=f')).toEqual(GONE)
    expect(await at('GET', '/?verb=DELETE')).toEqual(GONE)
    for (const path of ['//', '/x/', '*']) expect(await at('GET', path)).toEqual(GONE)
  })

  test('wrong credentials are refused there, too', async () => {
    const { status } = await ask(setting().url, 'GET', '/', { as: 'alice', password: 'wrong' })
    expect(status).toBe(401)
  })

  test('caches ask again', async () => {
    expect(
      (await ask(setting().url, 'GET', '/', { headers: { accept: BROWSER } })).headers['cache-control'],
    ).toBe('no-cache')
  })
})

describe('the console', () => {
  const setting = useService()
  const get = (path: string, headers = {}): ReturnType<typeof ask> =>
    ask(setting().url, 'GET', path, { headers })

  test('is below a slash', async () => {
    const { status, headers } = await get('/console')
    expect([status, headers.location]).toEqual([303, `${setting().url}/console/`])
  })

  test('lets nothing of others run, and no text become markup', async () => {
    const { status, headers } = await get('/console/')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    for (const part of ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"]) {
      expect(String(headers['content-security-policy']).split('; ')).toContain(part)
    }
  })

  test('loads files that caches may keep for ever, compressed', async () => {
    const { body } = await get('/console/')
    const [, script = ''] = /src="\.\/(assets\/[^"]+)"/.exec(body.toString()) ?? []
    const { status, headers } = await get(`/console/${script}`, { 'accept-encoding': 'gzip' })
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const again = await get(`/console/${script}`, {
      'accept-encoding': 'gzip',
      'if-none-match': String(headers.etag),
    })
    expect(again.status).toBe(304)
  })

  test('says under which licences it is, for as long as these are the same', async () => {
    const { status, headers, body } = await get('/console/assets/licenses.md')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'no-cache',
    ])
    expect(body.toString()).toMatch(/^## preact - [\d.]+ \(MIT\)$/m)
  })

  test('is the same for everybody, whatever password the browser remembers', async () => {
    const { status } = await ask(setting().url, 'GET', '/console/', { as: 'alice', password: 'outdated' })
    expect(status).toBe(200)
  })

  test('is nothing else', async () => {
    for (const path of [
      '/console/assets/none.js',
      '/console/assets/../index.html',
      '/console/x',
      '/consoles',
    ])
      expect((await get(path)).error).toBe('NoSuchResource')
    expect((await ask(setting().url, 'POST', '/console/')).error).toBe('NoSuchResource')
    expect((await get('/console/?callback=f')).error).toBe('NoSuchResource')
  })
})

describe('with a base URL', () => {
  const setting = useService({ BASE_URL: 'https://gloss.example/base' })

  test('it leads there', async () => {
    const { headers } = await ask(setting().url, 'GET', '/', { headers: { accept: BROWSER } })
    expect(headers.location).toBe('https://gloss.example/base/console/')
  })
})
