/**
 * Spans for OpenTelemetry, one for each request, from what the log receives (docs/monitoring.md). Its packages are
 * loaded only where somebody wants spans. Where they go and with what headers, the exporter reads in `OTEL_…` itself.
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

/** Starts to make spans in this process; the log returned passes everything on to `log`. `stop` sends what is left. */
export function tracing(log: Log): { readonly log: Log; readonly stop: () => Promise<void> } {
  const ignore = (): void => undefined
  const error = (message: string): void => {
    log.report(`spans: ${message}`)
  }
  diag.setLogger({ error, warn: error, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'gloss' }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which go first.
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

/** Makes the span of a request that has ended just now, under the span of its client if it named one. */
function record(tracer: Tracer, request: AnsweredRequest): void {
  const { operationId, method, status, errorClass, milliseconds = 0, traceparent } = request
  const end = Date.now()
  const span = tracer.startSpan(
    operationId ?? method ?? 'HTTP',
    { kind: SpanKind.SERVER, startTime: end - milliseconds, attributes: attributesOf(request) },
    contextOf(traceparent),
  )
  // By the semantic conventions for HTTP, what the client did wrong is no error of a server.
  if (status !== undefined && status >= 500) {
    span.setStatus({
      code: SpanStatusCode.ERROR,
      ...(errorClass === undefined ? {} : { message: errorClass }),
    })
  }
  span.end(end)
}

/** Names of the semantic conventions for HTTP where there are such. */
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

/** The context that a `traceparent` names (W3C Trace Context), which says also whether its spans are wanted. */
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
