/** Not quite HTTP: requests, as octets, that break its rules or use its corners. */
import { THING } from '../support/fixture.ts'
import { basic } from './connection.ts'

/** Something to send, with one character per octet. */
export interface Abuse {
  readonly what: string
  readonly octets: string
}

/**
 * Whether the end of its body is unambiguous, so that a request after it may rightly be read as one. `Content_Length` is the name
 * of another field (RFC 9110, section 5.6.2).
 */
export const isPlainlyFramed = ({ octets }: Abuse): boolean =>
  (octets.split(SMUGGLED)[0] ?? '').match(/content-length|transfer\0?-encoding/gi)?.length === 1

const AUTH = `Authorization: ${basic('alice')}`
const TARGET = `/objects/${THING}/alice/raw/value`
const VALUE = 'Content-Type: application/vnd.service.value+json'
/** A request hidden in a body, which must never be read as a request. */
const SMUGGLED = `GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n`

const abuse = (octets: string): Abuse => ({ what: octets.slice(-500), octets })
const get = (...headers: string[]): Abuse =>
  abuse(`GET /users/bob HTTP/1.1\r\n${headers.map((h) => `${h}\r\n`).join('')}\r\n`)
const put = (headers: readonly string[], body: string): Abuse =>
  abuse(
    `PUT ${TARGET} HTTP/1.1\r\nHost: localhost\r\n${[AUTH, VALUE, ...headers].join('\r\n')}\r\n\r\n${body}`,
  )
const host = 'Host: localhost'

const METHODS = [
  'GET', 'get', 'Get', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT', 'BREW', 'PRI', 'M-SEARCH', 'QUERY', 'PROPFIND', 'SOURCE',
  '', ' ', 'G ET', 'G\xc9T', 'GET\t', '\0GET', 'GET\0', '\r\nGET', '\nGET', ' GET', 'A'.repeat(10_000), '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '"GET"', '{}',
] // prettier-ignore
const TARGETS = [
  '/users/bob', '*', 'http://localhost/users/bob', 'HTTP://LOCALHOST/users/bob', 'https://x:99999/users/bob', 'http://', 'http:///', 'http://@:', 'http://x', 'http://x?a',
  'http://[::1]/users/bob', 'http://[/users/bob', 'http://a:b@c/users/bob', 'ftp://x/y', 'javascript:x', 'localhost:80', '//users/bob', '//evil/users/bob', '///', '', 'users/bob', '?', '/?', '/users/bob?',
  '/users/bob#x', '/%', '\\users\\bob', '/users/bob?\0', '/users\0/bob', '/users/b\tob', '/users/\xe9', '/..', '/../users/bob', '/./users/bob', '/users/../users/bob', '/users//bob', '/',
  `/${'a'.repeat(66_000)}`, `/users/bob?${'a=b&'.repeat(15_000)}`, `/users/bob?${'a'.repeat(66_000)}`, '/1.0/users/bob', '/USERS/bob', '/crossdomain.xml', '/favicon.ico', '/.env', '/users/bob?__proto__=1&constructor=2',
] // prettier-ignore
const VERSIONS = [
  'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/2', 'HTTP/3.0', 'HTTP/9.9', 'HTTP/1', 'HTTP/1.', 'HTTP/.1', 'HTTP/1.1.1', 'HTTP/11.1', 'HTTP/1.10', 'http/1.1', 'Http/1.1', 'HTTPS/1.1', 'XTTP/1.1',
  'HTTP/1.1 ', ' HTTP/1.1', 'HTTP/1.1 x', 'HTTP 1.1', 'HTTP/-1.1', 'HTTP/1.1\0', 'ICE/1.0', 'RTSP/1.0', 'SIP/2.0', '',
] // prettier-ignore

/** Request lines: each method with each target, each version with each target. */
export function requestLines(): Abuse[] {
  const line = (method: string, target: string, version: string): Abuse =>
    abuse(`${method} ${target} ${version}\r\n${host}\r\n\r\n`)
  return [
    ...METHODS.flatMap((method) => TARGETS.map((target) => line(method, target, 'HTTP/1.1'))),
    ...VERSIONS.flatMap((version) => TARGETS.map((target) => line('GET', target, version))),
    ...['\n', '\r', '\r\r\n', '\n\r', '\0\r\n', ' \r\n'].map((end) =>
      abuse(`GET /users/bob HTTP/1.1${end}${host}${end}${end}${end}`),
    ),
    ...[
      'GET',
      'GET /users/bob',
      'GET  /users/bob  HTTP/1.1',
      'GET\t/users/bob\tHTTP/1.1',
      'GET /users/bob',
    ].map((one) => abuse(`${one}\r\n\r\n\r\n`)),
    abuse('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0'),
    abuse('\r\n'.repeat(50) + `GET /users/bob HTTP/1.1\r\n${host}\r\n\r\n`),
    abuse(`${'\0'.repeat(64)}\r\n\r\n`),
    abuse(`${'\xff'.repeat(64)}\r\n\r\n`),
    abuse(`<?xml version="1.0"?>\r\n\r\n`),
  ]
}

const NAMES = [
  '',
  ' ',
  'a b',
  'a\t',
  'a ',
  ' a',
  '\xe9',
  '\0',
  'a\0',
  '(',
  '"a"',
  '@',
  '__proto__',
  'constructor',
  'a'.repeat(5000),
  'A'.repeat(90_000),
]
const VALUES = [
  '',
  ' ',
  '\t',
  '\0',
  '\x01',
  '\x7f',
  '\x80',
  '\xff',
  'a\rb',
  'a\nb',
  'a\r\n b',
  'a\r\n\tb',
  '\xc3\xa9',
  'x'.repeat(20_000),
  'x'.repeat(79_000),
  'x'.repeat(200_000),
  '%00',
  '${jndi:ldap://x}',
  '() { :;}',
]
const HOSTS = [
  '',
  ' ',
  'a b',
  'x/y',
  '@',
  'a@b',
  '[::',
  '[::1]',
  '[::1]:80',
  'x:99999',
  'x:y',
  ':80',
  'x:',
  '.',
  '..',
  '<script>',
  '"',
  "'",
  '\\',
  '\xe9',
  'x'.repeat(2000),
  'localhost, evil',
  'a%00b',
  'a\tb',
  '%',
  '{',
  '|',
  '^',
  '`',
  '?',
  '#',
  'x#y',
  'x?y',
  '\x7f',
]
const KNOWN = [
  'Authorization',
  'Accept',
  'Content-Type',
  'Content-MD5',
  'Content-Encoding',
  'If-Match',
  'If-None-Match',
  'Origin',
  'Cookie',
  'Range',
  'If-Modified-Since',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'X-Forwarded-Host',
  'X-Forwarded-Port',
  'Forwarded',
  'X-Original-URL',
  'X-HTTP-Method-Override',
  'Via',
  'Max-Forwards',
  'TE',
  'Trailer',
  'Keep-Alive',
  'Proxy-Connection',
  'Connection',
  'Sec-Fetch-Site',
  'Access-Control-Request-Method',
  'Date',
  'Referer',
  'User-Agent',
  'Accept-Encoding',
]

/** Headers that are malformed, have impossible values, or are too large or too many. */
export function headers(): Abuse[] {
  const many = (count: number, line: (i: number) => string): Abuse =>
    get(host, ...Array.from({ length: count }, (_, i) => line(i)))
  return [
    ...NAMES.flatMap((name) => ['x', ''].map((value) => get(host, `${name}: ${value}`))),
    ...KNOWN.flatMap((name) => VALUES.map((value) => get(host, `${name}: ${value}`))),
    ...KNOWN.map((name) => get(host, `${name}: a`, `${name}: b`)),
    ...VALUES.map((value) => get(host, `X-Any: ${value}`)),
    ...['no colon', ':', ': x', 'a', 'a\0b', '\t', ' folded', 'a:b:c', 'a;b'].map((line) => get(host, line)),
    ...['folded', ' Host: a', 'x'].map((line) => get(line, host)),
    ...HOSTS.map((one) => abuse(`POST /objects HTTP/1.1\r\nHost: ${one}\r\n${AUTH}\r\n\r\n`)),
    ...HOSTS.map((one) => abuse(`POST /objects HTTP/1.1\r\n${host}\r\nX-Forwarded-Host: ${one}\r\n${AUTH}\r\n\r\n`)),
    ...HOSTS.map((one) => abuse(`POST /objects HTTP/1.1\r\n${host}\r\nX-Forwarded-Proto: ${one}\r\n${AUTH}\r\n\r\n`)),
    get(), get(host, host), get(host, 'Host: evil'), get('HOST: a', 'host: b'),
    many(90, (i) => `X-${i}: x`), many(1900, (i) => `X-${i}: x`), many(2100, (i) => `X-${i}: x`), many(5000, (i) => `X-${i}: x`), many(200, () => 'Cookie: a=b'), many(1200, (i) => `X-${i}: ${'y'.repeat(60)}`),
    ...['100-continue', '100-Continue', '100-continue, x', 'foo', '', '\xff', '200-ok'].map((value) => put([`Expect: ${value}`, 'Content-Length: 1'], '1')),
    ...['100-continue', 'foo'].map((value) => get(host, `Expect: ${value}`)),
    ...['websocket', 'h2c', 'TLS/1.0', 'HTTP/2.0', 'x', ''].flatMap((value) => [
      get(host, 'Connection: Upgrade', `Upgrade: ${value}`, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='),
      get(host, 'Connection: Upgrade, HTTP2-Settings', `Upgrade: ${value}`, 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'),
      put(['Connection: upgrade', `Upgrade: ${value}`, 'Content-Length: 1'], '1'),
    ]),
    ...['close', 'keep-alive', 'close, keep-alive', 'keep-alive, close', 'Host', 'Content-Length', 'x'].map((value) => put([`Connection: ${value}`, 'Content-Length: 1'], '1')),
  ] // prettier-ignore
}

const LENGTHS = [
  '0',
  '1',
  '-1',
  '+1',
  '-0',
  '1,1',
  '1, 1',
  '1, 2',
  '0x1',
  '1 1',
  '',
  ' ',
  'abc',
  '1e0',
  '1.0',
  '1;',
  '01',
  '00000000001',
  '"1"',
  '\xb9',
  '1\0',
  '1\t',
  '99999999999999999999',
  '18446744073709551617',
  '9007199254740993',
  '4294967297',
  '16777217',
  'NaN',
  'Infinity',
]
const CODINGS = [
  'chunked',
  'Chunked',
  'CHUNKED',
  'identity',
  'gzip',
  'chunked, identity',
  'identity, chunked',
  'gzip, chunked',
  'chunked, chunked',
  'xchunked',
  'chunkedx',
  'chunked;q=1',
  '"chunked"',
  '\x0bchunked',
  'chunked\x0b',
  '\tchunked',
  'chunked ',
  ',chunked',
  'chunked,',
  '',
  'chunked\0',
  'x\r\n chunked',
  '\xa0chunked',
]
const CHUNKS = [
  '0\r\n\r\n',
  '1\r\n1\r\n0\r\n\r\n',
  'g\r\n',
  '-1\r\n1\r\n',
  '+1\r\n1\r\n0\r\n\r\n',
  '0x1\r\n1\r\n0\r\n\r\n',
  '1 \r\n1\r\n0\r\n\r\n',
  ' 1\r\n1\r\n0\r\n\r\n',
  'FFFFFFFFFFFFFFFFF\r\n1',
  '1\n1\n0\n\n',
  '1\r1\r0\r\r',
  '1;a=b\r\n1\r\n0\r\n\r\n',
  `1;${'a'.repeat(20_000)}\r\n1\r\n0\r\n\r\n`,
  '1\r\n12\r\n0\r\n\r\n',
  '0\r\nX-Trailer: a\r\n\r\n',
  '0\r\nContent-Length: 5\r\n\r\n',
  '\r\n0\r\n\r\n',
  '00000000000000000000000001\r\n1\r\n0\r\n\r\n',
  '1\r\n1\r\n0\r\n',
  '1\0\r\n1\r\n0\r\n\r\n',
]

/** Bodies whose end two readers may see differently, with a request hidden after each. */
export function framings(): Abuse[] {
  const [length, chunked] = ['Content-Length: 1', 'Transfer-Encoding: chunked']
  return [
    ...LENGTHS.map((value) => put([`Content-Length: ${value}`], `1${SMUGGLED}`)),
    ...LENGTHS.flatMap((value) => [put([length, `Content-Length: ${value}`], `1${SMUGGLED}`), put([`Content-Length: ${value}`, length], `1${SMUGGLED}`)]),
    ...LENGTHS.map((value) => put([`Content-Length: ${value}`, chunked], `0\r\n\r\n${SMUGGLED}`)),
    ...CODINGS.flatMap((value) => [
      put([`Transfer-Encoding: ${value}`], `0\r\n\r\n${SMUGGLED}`),
      put([`Transfer-Encoding: ${value}`, 'Content-Length: 5'], `0\r\n\r\n${SMUGGLED}`),
      put(['Content-Length: 5', `Transfer-Encoding: ${value}`], `0\r\n\r\n${SMUGGLED}`),
      put([chunked, `Transfer-Encoding: ${value}`], `0\r\n\r\n${SMUGGLED}`),
      get(host, `Transfer-Encoding: ${value}`),
    ]),
    ...['Transfer-Encoding : chunked', 'Transfer-Encoding\t: chunked', ' Transfer-Encoding: chunked', 'Transfer_Encoding: chunked', 'X: y\nTransfer-Encoding: chunked', 'X: y\rTransfer-Encoding: chunked', 'Transfer-Encoding:\r\n chunked', 'Transfer\0-Encoding: chunked', 'Content-Length : 1', 'Content_Length: 1', 'X: y\nContent-Length: 1'].map((line) => put([line, 'Content-Length: 5'], `0\r\n\r\n${SMUGGLED}`)),
    ...CHUNKS.flatMap((chunks) => [put([chunked], `${chunks}${SMUGGLED}`), put([chunked, 'Trailer: X'], chunks)]),
    ...['GET', 'HEAD', 'DELETE', 'OPTIONS'].flatMap((method) => [
      abuse(`${method} /users/bob HTTP/1.1\r\n${host}\r\n${AUTH}\r\nContent-Length: 3\r\n\r\nabc`),
      abuse(`${method} /users/bob HTTP/1.1\r\n${host}\r\n${AUTH}\r\n${chunked}\r\n\r\n3\r\nabc\r\n0\r\n\r\n`),
      abuse(`${method} /users/bob HTTP/1.0\r\n${AUTH}\r\n${chunked}\r\n\r\n3\r\nabc\r\n0\r\n\r\n`),
    ]),
    put(['Content-Length: 16777217'], 'x'), put(['Content-Length: 1', 'Content-Encoding: gzip'], '1'), put(['Content-Length: 1', 'Content-Encoding: base64'], '!'),
  ] // prettier-ignore
}

/** A valid request, which tests cut off at any octet. */
export const WHOLE = put(['Content-Length: 12', 'Connection: keep-alive'], '"raw octets"').octets
export { TARGET as RAW_TARGET }
