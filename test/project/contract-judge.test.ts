/** The judge of answers (test/support/contract-judge.ts) notices every way in which an answer can differ from the contract. */
import { expect, test } from '@jest/globals'
import { errorLink, violations, type Exchange } from '../support/contract-judge.ts'

const ID = '019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4'
const OBJECT = `/objects/${ID}`
const VALUE = `${OBJECT}/alice/books/rating`
const LINK = { link: '</openapi.json>; rel="service-desc"' }
const FRESH = { ...LINK, 'cache-control': 'no-cache' }
const JSON_HEADERS = { ...FRESH, 'content-type': 'application/json' }
const STORED = {
  'x-content-type-options': 'nosniff',
  ...FRESH,
  etag: '"1"',
  'last-modified': 'Sat, 14 Mar 2026 15:09:26 GMT',
}
const ERROR = {
  'x-service-error-class': 'NoSuchResource',
  'x-service-request-id': 'x',
  'x-service-message': 'x',
  link: errorLink('', 'NoSuchResource'),
  'cache-control': 'no-store',
}

type Row = readonly [
  request: string,
  status: number,
  headers: Exchange['headers'],
  body: string,
  faults: readonly string[],
]

const declared: Row[] = [
  [`GET ${OBJECT}`, 200, JSON_HEADERS, '{"tagPaths":[]}', []],
  [`GET ${OBJECT}/`, 200, JSON_HEADERS, '{"tagPaths":[]}', []],
  [`GET http://gloss.example${OBJECT}`, 200, { ...JSON_HEADERS, date: 'today' }, '{"tagPaths":[]}', []],
  [`HEAD ${OBJECT}`, 200, JSON_HEADERS, '', []],
  ['GET /objects/no-uuid', 404, ERROR, '', []],
  ['POST /about/', 404, ERROR, '', []],
  ['GET /nowhere', 404, ERROR, '', []],
  ['OPTIONS /nowhere', 204, {}, '', []],
  ['GET /', 303, { location: '/docs' }, '', []],
  [`GET ${VALUE}`, 200, { ...STORED, 'content-type': 'image/jxl' }, 'any bytes', []],
  [`PUT ${VALUE}`, 204, FRESH, '', []],
]

const SCRIPT = {
  ...FRESH,
  'content-type': 'text/javascript; charset=utf-8',
  'x-content-type-options': 'nosniff',
}
const throughJsonp: Row[] = [
  [`GET ${OBJECT}?callback=f`, 200, SCRIPT, 'f({"tagPaths":[]})', []],
  [`GET ${OBJECT}?callback=f`, 200, SCRIPT, 'f({})', ["data must have required property 'tagPaths'"]],
  [`GET ${VALUE}?callback=f&verb=PUT`, 200, SCRIPT, 'f()', []],
  [`GET ${VALUE}?callback=f&verb=PUT`, 200, SCRIPT, 'f(1)', ['a body where none is declared']],
  [`GET ${OBJECT}?verb=HEAD`, 200, JSON_HEADERS, '', []],
]

const undeclared: Row[] = [
  [
    'GET /objects/no-uuid',
    404,
    { 'x-service-error-class': 'NoSuchResource', 'x-service-request-id': 'x', 'cache-control': 'no-store' },
    '',
    ['the header x-service-message is missing', 'the header link is missing'],
  ],
  [`GET ${OBJECT}`, 418, {}, '', ['the status is not declared']],
  [
    'GET /objects/no-uuid',
    404,
    { ...ERROR, 'x-service-error-class': 'NoSuchObject' },
    '',
    ['the class NoSuchObject is not declared'],
  ],
  [
    `GET ${OBJECT}`,
    200,
    { ...JSON_HEADERS, 'x-more': '1' },
    '{"tagPaths":[]}',
    ['the header x-more is not declared'],
  ],
  [
    `GET ${OBJECT}`,
    200,
    { ...LINK, 'content-type': 'application/json' },
    '{"tagPaths":[]}',
    ['the header cache-control is missing'],
  ],
  [`GET ${OBJECT}`, 200, FRESH, '', ['the media type nothing is not declared']],
  [
    `GET ${OBJECT}`,
    200,
    { ...FRESH, 'content-type': 'text/json' },
    '{"tagPaths":[]}',
    ['the media type text/json is not declared'],
  ],
  [`GET ${OBJECT}`, 200, JSON_HEADERS, '{"tagPaths":[5]}', ['data/tagPaths/0 must be string']],
  [`HEAD ${OBJECT}`, 200, JSON_HEADERS, '{}', ['a body where none is declared']],
  [
    `GET ${VALUE}`,
    200,
    { ...STORED, 'content-type': 'image/jxl', 'x-service-type': 'int' },
    '5',
    ['the media type image/jxl is not declared'],
  ],
]

const outside: Row[] = [
  [
    'GET /nowhere',
    200,
    { 'cache-control': 'no-store' },
    '',
    ["200 with the class ''", 'no request id', 'no message', 'no links to help and contract'],
  ],
  ['GET /nowhere', 404, { ...ERROR, ...LINK }, '', ['no links to help and contract']],
  [
    'GET /nowhere',
    303,
    { location: '/docs' },
    '',
    expect.arrayContaining(["303 with the class ''"]) as unknown as string[],
  ],
  ['GET /nowhere', 400, ERROR, '', ["400 with the class 'NoSuchResource'"]],
  ['GET /nowhere', 404, ERROR, 'sorry', ['a body']],
  ['GET /nowhere', 404, { ...ERROR, 'cache-control': 'no-cache' }, '', ['no Cache-Control: no-store']],
  ['GET /', 200, {}, 'contract: /openapi.json', []],
]

test.each([...declared, ...throughJsonp, ...undeclared, ...outside])(
  'judges an answer to %s: %i, %j',
  (request, status, headers, body, faults) => {
    const [method = '', target = ''] = request.split(' ')
    const found = violations({ method, target, status, headers, body: Buffer.from(body) })
    expect(found.map((fault) => fault.slice(fault.indexOf(': ') + 2))).toEqual(faults)
  },
)
