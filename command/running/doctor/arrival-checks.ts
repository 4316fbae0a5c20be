/** Finds whether requests arrive through the proxies with the right scheme, host and address of the client: 3 checks. */
import { networkInterfaces } from 'node:os'
import { ARRIVED_HEADER } from '../../../src/http/cross-origin.ts'
import { failure, ok, unknown, warning, type Finding } from './finding.ts'
import type { Send } from './sending.ts'

/** How the service says that a request arrived. */
interface Arrival {
  readonly address: string
  readonly scheme: string
  readonly host: string
}

const NAMES = ['scheme', 'host', 'client address'] as const

/** The checks of the service at a URL; `send` is undefined if it is not reached. */
export async function arrivalChecks(url: URL, send: Send | undefined): Promise<Finding[]> {
  if (send === undefined) return NAMES.map((name) => unknown(name, 'the service is not reached'))
  try {
    return judged(url, await arrivalOf(send), await arrivalOf(send, forgeries(url)))
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return NAMES.map((name) => failure(name, MALFORMED))
  }
}

const MALFORMED = {
  what: `${ARRIVED_HEADER} of the answer is not as the service sends it`,
  remedy: `let what is in front pass ${ARRIVED_HEADER} on unchanged`,
}

function judged(url: URL, plain: Arrival | undefined, forged: Arrival | undefined): Finding[] {
  if (plain === undefined || forged === undefined)
    return NAMES.map((name) => unknown(name, 'the service does not say how a request arrives'))
  const fooled = (key: keyof Arrival): boolean => plain[key] !== forged[key]
  return [
    fooled('scheme') ? claimed('scheme', 'Proto') : scheme(url, plain),
    fooled('host') ? claimed('host', 'Host') : host(url, plain),
    fooled('address') ? claimed('client address', 'For') : address(plain),
  ]
}

/** What a client may claim that wants to be taken for another. */
const forgeries = ({ protocol }: URL): Readonly<Record<string, string>> => ({
  'x-forwarded-for': '192.0.2.66',
  'x-forwarded-proto': protocol === 'https:' ? 'http' : 'https',
  'x-forwarded-host': 'forged.example.org',
})

/** Throws a `URIError` if the answer is malformed. */
async function arrivalOf(
  send: Send,
  headers: Readonly<Record<string, string>> = {},
): Promise<Arrival | undefined> {
  const sent = { method: 'OPTIONS', headers: { ...headers, [ARRIVED_HEADER]: '?' } }
  const answer = await send('/openapi.json', sent).catch(() => undefined)
  const told = answer?.headers[ARRIVED_HEADER.toLowerCase()]
  if (typeof told !== 'string') return undefined
  const [address = '', scheme = '', host = ''] = told.split(' ').map(decodeURI)
  return { address, scheme, host }
}

const claimed = (name: string, header: string): Finding =>
  warning(
    name,
    `what a client claims by X-Forwarded-${header} counts, unless TRUST_PROXY or a proxy trusts this machine`,
    'let the outermost proxy replace X-Forwarded-Proto and -Host, and add to X-Forwarded-For; run the doctor on another machine',
  )

const TRUST =
  'TRUST_PROXY must name each proxy, and each inner proxy those in front of it: docs/behind-a-proxy.md'

function scheme({ protocol }: URL, arrived: Arrival): Finding {
  const wanted = protocol.replace(':', '')
  return arrived.scheme === wanted
    ? ok('scheme', `requests arrive as ${wanted}`)
    : failure('scheme', { what: `requests by ${wanted} arrive as ${arrived.scheme}`, remedy: TRUST })
}

function host({ host: wanted }: URL, arrived: Arrival): Finding {
  return arrived.host.toLowerCase() === wanted
    ? ok('host', `requests arrive with ${wanted}`)
    : failure('host', {
        what: `requests to ${wanted} arrive with ${arrived.host}`,
        remedy: `let each proxy keep Host; ${TRUST}`,
      })
}

function address({ address: arrived }: Arrival): Finding {
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map((one) => one.address))
  return own.includes(arrived.replace(/^::ffff:/, ''))
    ? ok('client address', `this machine arrives as ${arrived}`)
    : warning(
        'client address',
        `this machine arrives as ${arrived}, which is not an address that it has`,
        `right if that is the router's in front of it; if it is a proxy's, ${TRUST}`,
      )
}
