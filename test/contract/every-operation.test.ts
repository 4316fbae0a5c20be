/** The errors that the contract declares for every operation, whatever it does, each produced for every operation. */
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Service } from '../support/service.ts'
import { OPERATIONS } from '../support/operations.ts'
import { CONTRACT_OPERATIONS, sampleOf, targetOf, type Sample } from '../support/samples.ts'
import { ask, basic, exchangeOne, open, rawRequest, useService } from '../wire/raw-requests.ts'

/** One way to spoil a request. */
interface Row {
  readonly when: string
  readonly gives: readonly [status: number, errorClass: string]
  /** Query arguments appended to those of the request. */
  readonly also?: string
  /** Headers in place of `Content-Length`. */
  readonly headers?: readonly string[]
  readonly body?: string
  /** Whether the request is sent as JSONP. */
  readonly jsonp?: true
  readonly host?: false
}

const MOST_BODY_BYTES = 1000
const MOST_URL_BYTES = 1000
const MOST_HEADER_BYTES = 3000

const ROWS: readonly Row[] = [
  {
    when: 'a body without Content-Length',
    gives: [411, 'NoContentLengthHeader'],
    headers: ['Transfer-Encoding: chunked'],
    body: '2\r\n{}\r\n0\r\n\r\n',
  },
  {
    when: 'Content-MD5 differs from the body',
    gives: [412, 'ContentChecksumMismatch'],
    headers: ['Content-Length: 2', 'Content-MD5: AAAAAAAAAAAAAAAAAAAAAA=='],
    body: '{}',
  },
  {
    when: 'a body above the limit',
    gives: [413, 'PayloadTooLarge'],
    headers: [`Content-Length: ${MOST_BODY_BYTES + 1}`],
    body: 'x'.repeat(MOST_BODY_BYTES + 1),
  },
  { when: 'a URL above the limit', gives: [414, 'UriTooLong'], also: `_=${'x'.repeat(MOST_URL_BYTES)}` },
  {
    when: 'headers above the limit',
    gives: [431, 'RequestHeadersTooLarge'],
    headers: [`X-Long: ${'x'.repeat(MOST_HEADER_BYTES)}`],
  },
  { when: 'no Host', gives: [400, 'TBadRequest'], host: false },
  {
    when: 'a callback that cannot be a function name',
    gives: [400, 'TBadArgument'],
    jsonp: true,
    also: 'callback=1',
  },
  {
    when: 'an argument given twice',
    gives: [400, 'MultipleArgumentValues'],
    jsonp: true,
    also: 'callback=f&callback=f',
  },
  {
    when: 'an argument that is not UTF-8',
    gives: [400, 'InvalidUTF8Argument'],
    jsonp: true,
    also: 'callback=%FF',
  },
  {
    when: 'a payload without its length',
    gives: [400, 'ContentLengthMismatch'],
    jsonp: true,
    also: 'payload=5',
  },
  {
    when: 'a body beside the arguments that are one',
    gives: [400, 'UnexpectedContentLengthHeader'],
    jsonp: true,
    also: 'payload=5&payload-length=1',
    headers: ['Content-Length: 2'],
    body: '{}',
  },
]

const outcomeOf = ({ status, error }: { status: number; error: string | undefined }): unknown[] => [
  status,
  error,
]

/** A request for each operation, HEAD included. */
const samplesOf = async (service: Service): Promise<Map<string, Sample>> =>
  new Map(
    await Promise.all(
      CONTRACT_OPERATIONS.map(async (operation): Promise<[string, Sample]> => {
        const sample = await sampleOf(service, operation.replace(/^HEAD /, 'GET '))
        return [operation, { ...sample, method: operation.split(' ')[0] ?? '' }]
      }),
    ),
  )

const everywhere = (outcome: readonly unknown[]): Map<string, unknown> =>
  new Map(CONTRACT_OPERATIONS.map((operation) => [operation, outcome]))

/** The outcome for each operation; all requests are sent at once. */
async function outcomes(
  samples: ReadonlyMap<string, Sample>,
  outcome: (sample: Sample) => Promise<unknown>,
): Promise<Map<string, unknown>> {
  const asked = [...samples].map(async ([name, sample]) => [name, await outcome(sample)] as const)
  return new Map(await Promise.all(asked))
}

const credentials = ({ as }: Sample): string[] => (as === undefined ? [] : [`Authorization: ${basic(as)}`])

const typeOf = ({ type }: Sample): string[] => (type === undefined ? [] : [`Content-Type: ${type}`])

function requestOf(sample: Sample, { also = '', headers, body, jsonp, host }: Row): string {
  const method = jsonp === true ? 'GET' : sample.method
  const target = targetOf(sample, jsonp === true ? `${also}&verb=${sample.method}` : also)
  const length = sample.body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(sample.body)}`]
  const own = headers ?? (jsonp === true ? [] : length)
  const text = body ?? (headers === undefined && jsonp !== true ? sample.body : '')
  const whole = rawRequest(`${method} ${target}`, [...credentials(sample), ...typeOf(sample), ...own], text)
  return host === false ? whole.replace(/^Host: .*\r\n/m, '') : whole
}

/** The one write that the anonymous user can take. */
const NOTHING_TO_SET = '{"queries":[]}'

const anonymousMay = (name: string): boolean =>
  OPERATIONS.some(
    ({ method, path, security = [] }) =>
      name === `${method.toUpperCase()} ${path}` && security.some((way) => Object.keys(way).length === 0),
  )

describe('every operation', () => {
  const setting = useService({
    MAX_BODY_BYTES: String(MOST_BODY_BYTES),
    MAX_URL_BYTES: String(MOST_URL_BYTES),
    MAX_HEADER_BYTES: String(MOST_HEADER_BYTES),
  })
  let samples: ReadonlyMap<string, Sample>
  beforeAll(async () => {
    samples = await samplesOf(setting().service)
  })

  test.each(ROWS)('$gives: $when', async (row) => {
    const found = await outcomes(samples, async (sample) =>
      outcomeOf(await exchangeOne(setting().url, requestOf(sample, row))),
    )
    expect(found).toEqual(everywhere(row.gives))
  })

  test('the anonymous user can take an operation if, and only if, its security says so', async () => {
    const found = await outcomes(samples, async ({ method, path, query, status, body, type }) => {
      const nothing = path === '/values' && body !== undefined ? NOTHING_TO_SET : body
      const sample = { method, path, query, status, ...(type && { type }), ...(nothing && { body: nothing }) }
      const request = Buffer.from(requestOf(sample, { when: 'nobody signs in', gives: [status, ''] }))
      const answer = await exchangeOne(setting().url, request)
      return answer.status < 300 ? 'may' : outcomeOf(answer)
    })
    const mayNot = ([, outcome]: readonly [string, unknown]): boolean => outcome !== 'may'
    expect([...found].filter((one) => !mayNot(one)).map(([name]) => name)).toEqual(
      CONTRACT_OPERATIONS.filter(anonymousMay),
    )
    const classes = new Set([...found].filter(mayNot).map(([, outcome]) => String(outcome)))
    expect(classes).toEqual(new Set(['401,TPathPermissionDenied', '401,TUnauthorized']))
  })

  test('the first way to authenticate is to sign in: many tools look no further', () => {
    const first = OPERATIONS.map(({ operationId, security }) => [operationId, security?.[0]])
    expect(first).toEqual(OPERATIONS.map(({ operationId }) => [operationId, { basic: [] }]))
  })

  test('404,NoSuchResource: the parameter that ends the path is empty', async () => {
    const paths = new Set(CONTRACT_OPERATIONS.map((name) => name.split(' ')[1]))
    const found = CONTRACT_OPERATIONS.flatMap((name) => {
      const [, method = '', path = ''] = /^(\w+) ([^{]+)\/\{\w+\}$/.exec(name) ?? []
      // Without the parameter some are other paths of the contract.
      return path === '' || paths.has(path) ? [] : [ask(setting().url, method, `${path}/`, { as: 'alice' })]
    })
    expect(found.length).toBeGreaterThan(20)
    expect((await Promise.all(found)).map(outcomeOf)).toEqual(found.map(() => [404, 'NoSuchResource']))
  })

  test('429,TooManyRequests: too many failed sign-ins', async () => {
    const guess = (sample: Sample, password: string): ReturnType<typeof ask> =>
      ask(setting().url, sample.method, sample.path, { as: 'somebody', password })
    const [first] = samples.values()
    for (let i = 0; i < 10; i++) await guess(first as Sample, `guess ${i}`)
    const found = await outcomes(samples, async (sample) => outcomeOf(await guess(sample, 'another guess')))
    expect(found).toEqual(everywhere([429, 'TooManyRequests']))
  })
})

describe('every operation of a service with a short request time-out', () => {
  const setting = useService({ REQUEST_TIMEOUT_MS: '1000' })

  test('408,RequestTimeout: a body that never ends', async () => {
    const samples = await samplesOf(setting().service)
    const found = await outcomes(samples, async (sample) => {
      const { socket, closed } = open(setting().url)
      const headers = [...credentials(sample), 'Content-Length: 10']
      socket.write(rawRequest(`${sample.method} ${targetOf(sample)}`, headers, '{'))
      return (await closed).map(outcomeOf)
    })
    expect(found).toEqual(everywhere([[408, 'RequestTimeout']]))
  })
})
