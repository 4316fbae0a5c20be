/** The status tables of the operations tagged `description`: the contract and the pages made from it. */
import { expect } from '@jest/globals'
import { VERSION } from '../../src/settings/version.ts'
import { forHead, runTable, type Row } from './status-tables.ts'
import { credentialRows, noBodyRows, notUtf8, unanswerable } from './shared-rows.ts'

const LINKS =
  /^<http:\/\/127\.0\.0\.1:\d+\/openapi\.json>; rel="service-desc"; title="Gloss [^"]+", <http:\/\/127\.0\.0\.1:\d+\/docs>; rel="service-doc"$/

/** The headers that every document has. */
const WITH = {
  etag: expect.stringMatching(/^"[\w-]{43}"$/) as unknown,
  link: expect.stringMatching(LINKS) as unknown,
  'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; /) as unknown,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'Origin, Accept-Encoding',
}

const found = (path: string, contentType: string): Row[] => [
  {
    when: `the document exists: ${path}`,
    path,
    gives: 200,
    answersWith: { ...WITH, 'content-type': contentType },
  },
  {
    when: 'Accept-Encoding admits a coding',
    path,
    headers: { 'accept-encoding': 'gzip' },
    gives: 200,
    answersWith: {
      ...WITH,
      etag: expect.stringMatching(/^"[\w-]{43}-gzip"$/),
      'content-type': contentType,
      'content-encoding': 'gzip',
    },
  },
  {
    when: 'If-None-Match names other versions',
    path,
    headers: { 'if-none-match': '"another", W/"one"' },
    gives: 200,
    answersWith: WITH,
  },
  {
    when: 'If-None-Match: *',
    path,
    headers: { 'if-none-match': '*' },
    gives: 304,
    answersWith: WITH,
  },
]

/** Only a GET can be JSONP. */
const jsonp = (path: string): Row => ({
  when: 'the callback is malformed',
  path,
  query: { callback: '1' },
  gives: [400, 'TBadArgument'],
  facts: { Argument: 'callback' },
})

const unwrappable = (path: string): Row => ({
  when: 'JSONP of a document that is not JSON',
  path,
  query: { callback: 'f' },
  gives: [400, 'UnwrappableBlob'],
})

/** The errors that all documents share. */
const faults = (path: string): Row[] => [...noBodyRows({ path }), ...credentialRows({ path })]

/** What of the contract is asked for. */
const selected = (path: string): Row[] => [
  ...[{ view: 'api' }, { version: VERSION }, { view: 'api', version: VERSION }].map((query): Row => ({
    when: `it is selected by ${Object.keys(query).join()}`,
    path,
    query,
    gives: 200,
  })),
  ...[{ view: 'all' }, { view: '' }, { version: '0.0.1' }, { version: '../openapi' }].map((query): Row => {
    const [[argument, word] = []] = Object.entries(query)
    const when = `there is no ${String(argument)} '${String(word)}'`
    return { when, path, query, gives: [400, 'TBadArgument'], facts: { Argument: String(argument) } }
  }),
]

const json = (path: string): Row[] => [
  ...found(path, 'application/json'),
  ...selected(path),
  ...faults(path),
  unanswerable({ path }),
]

const text = (path: string, contentType: string): Row[] => [
  ...found(path, contentType),
  {
    when: 'Accept admits its type',
    path,
    headers: { accept: `image/png, ${contentType.split(';')[0] ?? ''};q=0.1` },
    gives: 200,
  },
  {
    when: 'Accept rules its type out',
    path,
    headers: { accept: 'image/png' },
    gives: [406, 'NotAcceptable'],
  },
]

const page = (path: string, contentType: string): Row[] => [...text(path, contentType), ...faults(path)]

const [HTML, SCRIPT] = ['text/html; charset=utf-8', 'text/javascript; charset=utf-8'] as const

const POLICY = 'text/x-cross-domain-policy'

const files: Row[] = [
  ...text('/docs/try', HTML),
  ...['answer', 'copy', 'find', 'reference', 'request', 'try'].flatMap((name) =>
    text(`/docs/${name}.js`, SCRIPT),
  ),
  ...text('/docs/style.css', 'text/css; charset=utf-8'),
  ...text('/docs/icon.svg', 'image/svg+xml'),
  ...['/docs/nothing', '/docs/TRY', '/docs/documents.ts', '/docs/..%2Fmain.ts', '/docs/constructor'].map(
    (path): Row => ({ when: `there is no ${path}`, path, gives: [404, 'NoSuchResource'] }),
  ),
  notUtf8('file', { path: '/docs/%FF' }),
  ...faults('/docs/try'),
]

runTable(['documents'], {
  'GET /openapi.json': [...json('/openapi.json'), jsonp('/openapi.json')],
  'HEAD /openapi.json': forHead(json('/openapi.json')),
  'GET /openapi.yaml': [
    ...page('/openapi.yaml', 'application/yaml'),
    ...selected('/openapi.yaml'),
    jsonp('/openapi.yaml'),
    unwrappable('/openapi.yaml'),
  ],
  'HEAD /openapi.yaml': forHead([...page('/openapi.yaml', 'application/yaml'), ...selected('/openapi.yaml')]),
  'GET /openapi-3.0.json': [...json('/openapi-3.0.json'), jsonp('/openapi-3.0.json')],
  'HEAD /openapi-3.0.json': forHead(json('/openapi-3.0.json')),
  'GET /crossdomain.xml': [
    ...page('/crossdomain.xml', POLICY),
    jsonp('/crossdomain.xml'),
    unwrappable('/crossdomain.xml'),
  ],
  'HEAD /crossdomain.xml': forHead(page('/crossdomain.xml', POLICY)),
  'GET /docs': [...page('/docs', HTML), jsonp('/docs'), unwrappable('/docs')],
  'HEAD /docs': forHead(page('/docs', HTML)),
  'GET /docs/{file}': [...files, jsonp('/docs/try'), unwrappable('/docs/try.js')],
  'HEAD /docs/{file}': forHead(files),
})
