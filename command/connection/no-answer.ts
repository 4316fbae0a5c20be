/** Says why a service did not answer, or why its answer cannot be used. */
import { Failure, STATUS } from '../../common/failure.ts'

/** The service did not answer, or not to its end. It may answer later. */
export class NoAnswer extends Failure {
  /** `method` is that of the request. */
  constructor({ what, remedy, received }: Silence, method: string, cause?: unknown) {
    const isRead = method === 'GET' || method === 'HEAD'
    const undone = received && !isRead ? 'the change may have been made: look before you repeat it; ' : ''
    super(what, undone + remedy, STATUS.failed, { cause })
  }
}

/** What happened, and what the user should do. */
interface Silence {
  readonly what: string
  readonly remedy: string
  /** The service may have received the request. */
  readonly received?: true
}

const START = 'start the service with gloss serve, or name another one by --url or GLOSS_URL'
const NETWORK = 'check the URL, and the network between here and there'
const AGAIN = 'try again; if it happens again, tell the operator of the service'
const TRUST = 'NODE_EXTRA_CA_CERTS=FILE adds the certificate of an authority'

type Rule = readonly [codes: RegExp, silence: (url: string, code: string) => Silence]

/** By the code of the error, or its message if it has no code. */
const RULES: readonly Rule[] = [
  [/^ECONNREFUSED$/, (url) => ({ what: `nothing listens at ${url}`, remedy: START })],
  [
    /^(ENOTFOUND|EAI_\w+)$/,
    (url, code) => ({ what: `the host name in ${url} is not found (${code})`, remedy: NETWORK }),
  ],
  [
    /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOST\w+|ENET\w+|EADDRNOTAVAIL)$/,
    (url, code) => ({ what: `${url} cannot be reached (${code})`, remedy: NETWORK }),
  ],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    (url) => ({ what: `what answers at ${url} does not speak TLS`, remedy: 'use http:// if it is Gloss' }),
  ],
  [
    /CERT|SIGNATURE/,
    (url, code) => ({ what: `the certificate of ${url} is not trusted (${code})`, remedy: TRUST }),
  ],
  [
    /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/,
    (url) => ({
      what: `the connection to ${url} was closed before the answer was complete`,
      remedy: url.startsWith('http:') ? `${AGAIN}; if the port is one for TLS, use https://` : AGAIN,
      received: true,
    }),
  ],
  [
    /^HPE_|does not match the HTTP/,
    (url) => ({ what: `what answers at ${url} does not speak HTTP`, remedy: 'check the host and the port' }),
  ],
  [
    /^UND_ERR_/,
    (url, code) => ({ what: `the answer of ${url} cannot be read (${code})`, remedy: AGAIN, received: true }),
  ],
]

/** Why this request of `fetch`, or of Node, to a URL failed. */
export function silenceOf(url: string, error: unknown): Silence {
  const { cause } = error as Error
  const reason = reasonOf(cause instanceof Error ? cause : (error as Error))
  const [, silence] = RULES.find(([codes]) => codes.test(reason)) ?? []
  return silence?.(url, reason) ?? { what: `${url} does not answer (${reason})`, remedy: NETWORK }
}

/** The code of an error; the message of one without, as that of a `DOMException`, whose codes are numbers. */
function reasonOf(error: NodeJS.ErrnoException): string {
  const code: unknown = error.code
  return typeof code === 'string' ? code : error.message
}

/** Statuses with which something in front of a service answers while the service is away. */
const IN_FRONT = [408, 429, 502, 503, 504]

/** Throws a `Failure` for an answer that Gloss does not give. */
export function refuseForeign(url: string, { status, headers }: Response): void {
  if (IN_FRONT.includes(status) || isOurs(status, headers)) return
  const location = headers.get('location')
  if (status < 400 && location !== null)
    throw new Failure(`${url} redirects requests to ${location}`, 'name that service itself by --url')
  const type = headers.get('content-type')?.split(';')[0]
  const seen = [status < 400 ? undefined : `status ${status}`, type].filter((part) => part !== undefined)
  throw new Failure(
    `what answers at ${url} is not Gloss (${seen.join(', ') || 'an answer without a type'})`,
    'check the URL, and proxies and log-in pages in front of the service',
  )
}

/** Whether Gloss answers so: each answer has a link to the contract, except the one for wrong credentials. */
const isOurs = (status: number, headers: Headers): boolean =>
  /rel="?service-desc/.test(headers.get('link') ?? '') ||
  headers.has('x-service-error-class') ||
  (status === 401 && /^Basic\b/i.test(headers.get('www-authenticate') ?? ''))
