/** Requests for the mock and the service, and what of their answers must be alike. */
import { readFileSync } from 'node:fs'
import { VERSION } from '../../src/settings/version.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { PASSWORD, send, type Answer, type Options } from '../support/service.ts'

/** A request as `requests.txt` has it. */
export interface Request {
  readonly text: string
  readonly method: string
  readonly target: string
  readonly options: Options
}

const FORM = /^(?<who>\S+) (?<method>\S+) (?<target>\S+)(?: (?<headers>(?:\[[^\]]*\])*))?(?: ?(?<body>.*))?$/

const SHORT: Readonly<Record<string, string>> = {
  json: 'content-type: application/json',
  value: `content-type: ${PRIMITIVE_MEDIA_TYPE}`,
}

/** All requests, in their order. */
export const readRequests = (): readonly Request[] =>
  readFileSync(new URL('requests.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(requestOf)

function requestOf(text: string): Request {
  const { who = '', method = '', target = '', headers = '', body = '' } = FORM.exec(text)?.groups ?? {}
  const [name = '', password = PASSWORD] = decodeURIComponent(who).split(':')
  const pairs = [...headers.matchAll(/\[([^\]]*)\]/g)].map(([, header = '']) => {
    const [key = '', ...value] = (SHORT[header] ?? header).split(': ')
    return [key, value.join(': ')]
  })
  return {
    text,
    method,
    target,
    options: {
      ...(name !== '-' && { as: name, password }),
      ...(body !== '' && { body }),
      headers: Object.fromEntries(pairs) as Record<string, string>,
    },
  }
}

/** Sends a request and describes the answer. */
export const outcomeOf = async (url: string, { method, target, options }: Request): Promise<string> =>
  described(await send(url, method, target, options), url)

/** Headers that say what kind of answer it is, apart from the values in it. */
const TELLING =
  /^(x-service-(?!request-id|type)|allow$|access-control-|www-authenticate$|retry-after$|content-type$|link$)/

/** A header without what differs from one start or version to the next, and without the header that the mock alone takes. */
const plain = (value: string, url: string): string =>
  value.replaceAll(url, '').replaceAll(VERSION, 'VERSION').replace(', X-Mock-Store', '')

function described({ status, headers }: Answer, url: string): string {
  const isValue = headers['last-modified'] !== undefined
  const told = Object.entries(headers)
    .filter(([name]) => TELLING.test(name) && !(isValue && name === 'content-type'))
    .map(([name, value]) => `${name}: ${plain(String(value), url)}`)
  return [String(status), ...told.toSorted()].join('; ')
}
