/** Whose credentials count: the contract's table, cell by cell, against a reading of it as data. */
import { describe, expect, test } from '@jest/globals'
import { credentialsCount, type Asked } from '../../src/http/ambient-credentials.ts'

const OWN = 'https://gloss.example'
const TRUSTED = 'https://app.example'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64)'

const SITES = [
  'same-origin',
  'none',
  'same-site',
  'cross-site',
  // What no browser sends counts like cross-site: unknown, empty, in capitals, or given twice.
  'elsewhere',
  '',
  'SAME-ORIGIN',
  'same-origin, same-origin',
  ' none',
  undefined,
] as const
const MODES = [
  ...['navigate', 'cors', 'no-cors', 'same-origin', 'websocket'],
  ...['CORS', 'Navigate', 'cors, cors', '', undefined],
] as const
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'DELETE', 'PATCH', ''] as const
const ORIGINS = [
  ...[OWN, TRUSTED, 'https://evil.example', 'http://gloss.example', 'https://gloss.example:8443'],
  ...['https://GLOSS.example', `${TRUSTED}, ${TRUSTED}`, `${OWN}.evil.example`, 'null', '', undefined],
] as const
const AGENTS = [
  BROWSER,
  'Mozilla/',
  'curl/8.14.1',
  'mozilla/5.0',
  'python Mozilla/5.0',
  '',
  undefined,
] as const

/** A column of the decision's conditions; `any` where a row does not ask. */
type Cell<T> = readonly T[] | 'any'

/** A row says for which requests credentials count. No row, and they do not. */
interface Row {
  readonly site: Cell<string | undefined>
  readonly agent: 'browser' | 'other' | 'any'
  readonly mode: Cell<string>
  readonly kind: 'read' | 'write' | 'any'
  readonly madeBy: 'query' | 'method' | 'any'
  readonly origin: Cell<string>
}

const ANY: Row = { site: 'any', agent: 'any', mode: 'any', kind: 'any', madeBy: 'any', origin: 'any' }
const ELSEWHERE = SITES.filter((site) => site !== 'same-origin' && site !== 'none' && site !== undefined)

const TABLE: readonly Row[] = [
  { ...ANY, site: ['same-origin'] },
  { ...ANY, site: ['none'], madeBy: 'method' },
  { ...ANY, site: ['none'], kind: 'read' },
  { ...ANY, site: ELSEWHERE, mode: ['navigate'], kind: 'read', madeBy: 'method' },
  { ...ANY, site: ELSEWHERE, mode: ['cors'], madeBy: 'method' },
  { ...ANY, site: ELSEWHERE, origin: [TRUSTED] },
  { ...ANY, site: [undefined], agent: 'other' },
  { ...ANY, site: [undefined], agent: 'browser', madeBy: 'method', kind: 'read' },
  { ...ANY, site: [undefined], agent: 'browser', madeBy: 'method', origin: [OWN, TRUSTED] },
]

const allows = (cell: Cell<string | undefined>, value: string | undefined): boolean =>
  cell === 'any' || cell.includes(value)

const fits = (row: Row, asked: Asked): boolean =>
  allows(row.site, asked.fetchSite) &&
  allows(row.mode, asked.fetchMode) &&
  allows(row.origin, asked.origin) &&
  (row.agent === 'any' ||
    (row.agent === 'browser') === [BROWSER, 'Mozilla/'].includes(asked.userAgent ?? '')) &&
  (row.kind === 'any' || (row.kind === 'read') === readsIn(row, asked)) &&
  (row.madeBy === 'any' || (row.madeBy === 'query') === asked.fromQuery)

/** OPTIONS writes nothing, but a navigation is a GET or a HEAD. */
const readsIn = (row: Row, { method }: Asked): boolean =>
  (row.mode === 'any' ? ['GET', 'HEAD', 'OPTIONS'] : ['GET', 'HEAD']).includes(method)

const ask = (asked: Asked): boolean =>
  credentialsCount(asked, { isOwn: (origin) => origin === OWN, trusted: [TRUSTED] })

const ALL: readonly Asked[] = SITES.flatMap((fetchSite) =>
  MODES.flatMap((fetchMode) =>
    METHODS.flatMap((method) =>
      [true, false].flatMap((fromQuery) =>
        ORIGINS.flatMap((origin) =>
          AGENTS.map((userAgent): Asked => ({ fetchSite, fetchMode, method, fromQuery, origin, userAgent })),
        ),
      ),
    ),
  ),
)

test('every cell of the table', () => {
  expect(ALL).toHaveLength(10 * 10 * 8 * 2 * 11 * 7)
  const wrong = ALL.filter((asked) => ask(asked) !== TABLE.some((row) => fits(row, asked)))
  expect(wrong).toEqual([])
})

test.each(TABLE)('the row %j decides what no other does', (row) => {
  const others = TABLE.filter((other) => other !== row)
  const alone = ALL.filter((asked) => fits(row, asked) && !others.some((other) => fits(other, asked)))
  expect(alone.length).toBeGreaterThan(0)
  expect(alone.filter((asked) => !ask(asked))).toEqual([])
})

describe('what attacks look like', () => {
  const script: Asked = {
    method: 'GET',
    fromQuery: true,
    fetchSite: 'cross-site',
    fetchMode: 'no-cors',
    origin: undefined,
    userAgent: BROWSER,
  }
  test.each<[string, Partial<Asked>]>([
    ['a script with JSONP', {}],
    ['a script with JSONP from a sibling host', { fetchSite: 'same-site' }],
    ['a navigation with verb', { method: 'PUT', fetchMode: 'navigate' }],
    ['a link with verb in a mail', { method: 'DELETE', fetchSite: 'none', fetchMode: 'navigate' }],
    ['a form', { method: 'POST', fromQuery: false, fetchMode: 'navigate', origin: 'null' }],
    ['a form over plain HTTP', { method: 'POST', fromQuery: false, fetchSite: undefined, origin: 'null' }],
    ['an image over plain HTTP', { method: 'PUT', fetchSite: undefined, fetchMode: undefined }],
    ['JSONP over plain HTTP', { fetchSite: undefined, fetchMode: undefined }],
  ])('%s', (_, asked) => {
    expect(ask({ ...script, ...asked })).toBe(false)
  })
})
