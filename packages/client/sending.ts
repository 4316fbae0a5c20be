/** Sends requests: with a timeout, and again when the service is busy for a short time. */

/** How requests are sent. */
export interface Sending {
  /** Sends each request; by default the `fetch` of the platform. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** The milliseconds that an answer may take, with its body; 60,000 by default, `false` for any time. */
  readonly timeout?: number | false | undefined
  /** Aborts all requests of the client. */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether to repeat a request after a 429 or 503 with `Retry-After`, at most twice and after at most 30 seconds in all.
   * On by default. A write that may have been made before its 503, and that would be answered otherwise the second time, is
   * not repeated: a POST, a DELETE, and a write with a condition.
   */
  readonly retry?: boolean | undefined
}

const TIMEOUT_MS = 60_000
const TRIES = 3
/** The most seconds that a request waits between its tries. */
const PATIENCE = 30

/** Makes a function that sends a request. It rejects with a `TimeoutError` after the time, or the reason of the signal. */
export function sender({
  fetch,
  timeout = TIMEOUT_MS,
  signal,
  retry = true,
}: Sending): (request: Request) => Promise<Response> {
  const send = (request: Request, signals: readonly AbortSignal[]): Promise<Response> => {
    const all = timeout === false ? signals : [...signals, AbortSignal.timeout(timeout)]
    return (fetch ?? globalThis.fetch)(new Request(request, { signal: AbortSignal.any([...all]) }))
  }
  return async (request) => {
    const signals = signal ? [request.signal, signal] : [request.signal]
    let left = PATIENCE
    for (let tries = 1; ; tries += 1) {
      const isLast = !retry || tries === TRIES
      const response = await send(isLast ? request : request.clone(), signals)
      const seconds = isLast ? Infinity : secondsUntilRepeat(request, response)
      if (seconds > left) return response
      left -= seconds
      await response.body?.cancel()
      await pause(seconds, AbortSignal.any(signals))
    }
  }
}

/** The seconds in `Retry-After`; undefined without that header. */
export function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** How long to wait before the request is repeated; infinite if it must not be. */
function secondsUntilRepeat({ method, headers }: Request, response: Response): number {
  const isRead = method === 'GET' || method === 'HEAD'
  const isConditional = headers.has('if-match') || headers.has('if-none-match')
  const isHarmless = isRead || (method === 'PUT' && !isConditional)
  const isBusy = response.status === 429 || (response.status === 503 && isHarmless)
  return (isBusy ? retryAfter(response) : undefined) ?? Infinity
}

/** Waits. Rejects with the reason of the signal when that is aborted. */
export function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal.addEventListener('abort', stop, { once: true })
  })
}
