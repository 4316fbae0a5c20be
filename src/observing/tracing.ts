/**
 * Spans for OpenTelemetry, one for each request, from the events of the log (docs/monitoring.md). The packages are loaded
 * only if spans are switched on. The exporter itself reads its address and headers from `OTEL_…`.
 */
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { AnsweredRequest } from '../http/request/request-record.ts'
import type { Log } from './log.ts'

/** Starts to make spans in this process; the log returned passes everything on to `log`. `stop` sends the remaining spans. */
export function tracing(log: Log): { readonly log: Log; readonly stop: () => Promise<void> } {
  const ignore = (): void => undefined
  const error = (message: string): void => {
    log.report(`spans: ${message}`)
  }
  diag.setLogger({ error, warn: error, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'gloss' }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which take precedence.
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('gloss')
  return {
    log: {
      ...log,
      answered: (request) => {
        record(tracer, request)
        log.answered(request)
      },
    },
    stop: () =>
      provider.shutdown().catch((fault: unknown) => {
        log.report('spans that were not sent', fault)
      }),
  }
}

/** Makes the span of a request that has just ended, under the span of its client if the client named one. */
function record(tracer: Tracer, request: AnsweredRequest): void {
  const { operationId, method, status, errorClass, milliseconds = 0, traceparent } = request
  const end = Date.now()
  const span = tracer.startSpan(
    operationId ?? method ?? 'HTTP',
    { kind: SpanKind.SERVER, startTime: end - milliseconds, attributes: attributesOf(request) },
    contextOf(traceparent),
  )
  // By the semantic conventions for HTTP, an error of the client is no error of a server span.
  if (status !== undefined && status >= 500) {
    span.setStatus({
      code: SpanStatusCode.ERROR,
      ...(errorClass === undefined ? {} : { message: errorClass }),
    })
  }
  span.end(end)
}

/** Names of the semantic conventions for HTTP where they exist. */
function attributesOf({ method, status, errorClass, username, ...request }: AnsweredRequest): Attributes {
  const { waitingMs, databaseMs, rows, retries } = request.usage
  return {
    'http.request.method': method,
    'http.response.status_code': status,
    'error.type': errorClass,
    'user.name': username,
    'gloss.request_id': request.requestId,
    'gloss.waiting_ms': waitingMs,
    'gloss.database_ms': databaseMs,
    'gloss.rows': rows,
    'gloss.matches': request.matches,
    'gloss.retries': retries,
  }
}

/** The context that a `traceparent` names (W3C Trace Context), with the client's wish for spans. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  })
}
