/** The spans that the service sends to a collector of OpenTelemetry, and nothing without one. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { useProcess } from './use-process.ts'

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Span {
  readonly traceId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code: number }
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

const { start, ask, service } = useProcess()

let collector: Server
let status: number
const sent: Sent[] = []

beforeEach(async () => {
  status = 200
  sent.length = 0
  collector = createServer((req, res) => {
    void json(req).then((body) => {
      sent.push(body as Sent)
      res.writeHead(req.url === '/v1/traces' ? status : 404).end()
    })
  })
  await once(collector.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  collector.close()
  collector.closeAllConnections()
})

const endpoint = (): string => `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}`

/** What the attributes say, by key; numbers are those of JSON or, as protobuf has 64-bit integers, texts. */
const asRecord = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Stops the service, which sends what it has, and returns all spans. */
async function spans(): Promise<Span[]> {
  service().process.kill('SIGTERM')
  expect(await service().end).toBe(0)
  return sent.flatMap((one) => one.resourceSpans).flatMap(({ scopeSpans: [scope] }) => scope?.spans ?? [])
}

test('each request is a span, under that of its client, with what the log says of it', async () => {
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await ask('PUT', '/about/dune/service/number', { primitive: '1' })
  await ask('GET', '/objects', {
    query: { query: 'has service/number' },
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  })
  const { headers } = await ask('GET', '/about/dune/nobody/tag')
  const [put, get, missing] = await spans()
  expect(asRecord(sent[0]?.resourceSpans[0]?.resource.attributes ?? [])).toMatchObject({
    'service.name': 'gloss',
  })
  expect(put).toMatchObject({ name: 'putValueByAbout', kind: 2, status: { code: 0 } })
  expect(put?.parentSpanId ?? '').toBe('')
  expect(get).toMatchObject({ name: 'findObjects', traceId, parentSpanId: '00f067aa0ba902b7' })
  expect(BigInt(get?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(get?.startTimeUnixNano ?? 0))
  expect(asRecord(get?.attributes ?? [])).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'user.name': 'service',
    'gloss.matches': 1,
  })
  expect(missing?.status).toEqual({ code: 0 })
  expect(asRecord(missing?.attributes ?? [])).toMatchObject({
    'http.response.status_code': 404,
    'error.type': headers['x-service-error-class'],
    'gloss.request_id': headers['x-service-request-id'],
  })
  expect(JSON.stringify(sent)).not.toMatch(/dune|service\/number/)
})

test('a client that wants no spans gets none', async () => {
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() })
  const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' }
  await ask('GET', '/users/service', { headers })
  await ask('GET', '/users/anon')
  expect(await spans()).toHaveLength(1)
})

test('a collector that fails is a line in the log, and nothing else', async () => {
  status = 400
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() })
  expect(await ask('GET', '/users/service')).toMatchObject({ status: 200 })
  await spans()
  expect(service().printed()).toMatch(/"level":"error".*spans that were not sent/)
})

test('without a collector nothing is sent', async () => {
  await start({ OTEL_SERVICE_NAME: 'other' })
  await ask('GET', '/users/service')
  expect(await spans()).toEqual([])
})

test('without the packages that make spans, the start fails and says what to do', async () => {
  const absent = `
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve(specifier, context, next) {
        return next(specifier.replace(/^@opentelemetry\\/sdk-trace$/, '@opentelemetry/absent'), context)
      },
    })`
  await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(absent)}`,
  })
  expect(await service().end).toBe(1)
  expect(service().printed()).toContain('to send spans, install what docs/monitoring.md names')
})
