/**
 * Sends requests through two and three proxies with the delivered configurations, and looks how they arrive: scheme, host
 * and address of the client must be right, and forged ones must not count.
 */
import { request as plainRequest, type IncomingMessage } from 'node:http'
import { createServer, request as tlsRequest } from 'node:https'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ARRIVED_HEADER } from '../../src/http/cross-origin.ts'
import { Authority } from '../../test/support/certificates.ts'
import { freePort } from '../../test/support/ports.ts'
import { listening, nodeCommand, runProcess } from '../../test/support/process.ts'
import { startProxy, type Front, type Instance } from '../../test/support/proxy.ts'

/** The address of all proxies, and that of the client, on one machine. */
const PROXIES_AT = '127.0.0.1'
const CLIENT_AT = '127.0.0.9'
const PUBLIC_NAME = 'gloss.example.org'

const FORGED = {
  'x-forwarded-for': '192.0.2.66',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-host': 'forged.example.org',
}

/** The proxies from the outermost to the innermost; the outermost ends TLS. */
const CHAINS = [
  ['haproxy', 'haproxy'],
  ['haproxy', 'nginx'],
  ['nginx', 'haproxy'],
  ['nginx', 'nginx'],
  ['content network', 'nginx', 'haproxy'],
  ['content network', 'haproxy', 'nginx'],
] as const

/** Runs all chains, and prints what each has shown. Returns whether all is right. */
export async function tryChains(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-chains-'))
  const adminPort = await freePort()
  const service = runProcess({
    DATABASE_URL: `sqlite:${join(folder, 'gloss.db')}`,
    ADMIN_PASSWORD: 'only for this run',
    ADMIN_PORT: String(adminPort),
    TRUST_PROXY: PROXIES_AT,
  })
  const authority = await Authority.create()
  try {
    const port = await listening(service)
    const instance = { service: `127.0.0.1:${String(port)}`, adminPort }
    let right = true
    for (const chain of CHAINS) {
      const faults = await tryChain(chain, instance, authority)
      const name = `${chain.join(' > ')} > gloss`
      console.error(faults.length === 0 ? `PASS ${name}` : `FAIL ${name}\n     ${faults.join('\n     ')}`)
      right &&= faults.length === 0
    }
    return right
  } finally {
    service.process.kill('SIGTERM')
    await service.end
    authority.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts the proxies from the innermost on; returns what is wrong with what arrives. */
async function tryChain(
  chain: readonly string[],
  instance: Instance,
  authority: Authority,
): Promise<string[]> {
  const tls = authority.sign('proxy', `IP:127.0.0.1,DNS:${PUBLIC_NAME}`)
  const fronts: Front[] = []
  try {
    for (const [i, name] of chain.toReversed().entries()) {
      const next = fronts[i - 1]
      const behind = { ...instance, ...(next && { service: new URL(next.url).host }) }
      const special = i === chain.length - 1 ? { tls } : { outer: [PROXIES_AT] }
      fronts.push(
        name === 'content network'
          ? await startContentNetwork(behind.service, tls)
          : await startProxy(name, [behind], special),
      )
    }
    const inner = fronts[0]?.url ?? ''
    const outermost = fronts.at(-1)?.url ?? ''
    const ca = readFileSync(authority.ca, 'utf8')
    return [
      ...(await differs('a request', arrival(outermost, {}, ca), 'https')),
      ...(await differs('a forged request', arrival(outermost, FORGED, ca), 'https')),
      ...(await differs('a forged request past the outer proxies', arrival(inner, FORGED), 'http')),
      ...(await doctorFaults(outermost, authority)),
    ]
  } finally {
    for (const front of fronts.toReversed()) await front.stop()
  }
}

async function differs(what: string, arrived: Promise<string>, scheme: string): Promise<string[]> {
  const wanted = `${CLIENT_AT} ${scheme} ${PUBLIC_NAME}`
  const found = await arrived
  return found === wanted ? [] : [`${what} arrives as ${found}, not ${wanted}`]
}

/** Sends a request from the client's address; resolves to what the service says of its arrival. */
async function arrival(url: string, forged: Readonly<Record<string, string>>, ca?: string): Promise<string> {
  const headers = { host: PUBLIC_NAME, [ARRIVED_HEADER]: '?', ...forged }
  const options = {
    method: 'OPTIONS',
    headers,
    localAddress: CLIENT_AT,
    servername: PUBLIC_NAME,
    ...(ca && { ca }),
    agent: false,
  }
  const asked = (ca === undefined ? plainRequest : tlsRequest)(`${url}/openapi.json`, options).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return String(answer.headers[ARRIVED_HEADER.toLowerCase()])
}

/** What `gloss doctor` finds wrong with the arrival of requests; it runs at an address that the proxies trust. */
async function doctorFaults(url: string, authority: Authority): Promise<string[]> {
  const env = { NODE_EXTRA_CA_CERTS: authority.ca, DATABASE_URL: 'sqlite:none.db' }
  const doctor = runProcess(env, nodeCommand('command/gloss', 'doctor', '--url', url, '--json'))
  await doctor.end
  const findings = doctor.printed().split('\n')
  return ['url', 'scheme', 'host'].flatMap((check) => {
    const found = findings.find((line) => line.includes(`"check":"${check}"`)) ?? `nothing about ${check}`
    return found.includes('"state":"ok"') ? [] : [`the doctor says: ${found.trim()}`]
  })
}

/** Like a content network: ends TLS, says the scheme, adds the client's address, and keeps Host. */
async function startContentNetwork(
  next: string,
  { cert, key }: { readonly cert: string; readonly key: string },
): Promise<Front> {
  const tls = { cert: readFileSync(cert), key: readFileSync(key) }
  const server = createServer(tls, (req, res) => {
    const addresses = [req.headers['x-forwarded-for'] ?? [], req.socket.remoteAddress ?? ''].flat().join(', ')
    const headers = { ...req.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': addresses }
    Reflect.deleteProperty(headers, 'x-forwarded-host')
    const passed = plainRequest(`http://${next}`, { method: req.method, path: req.url, headers })
    passed.once('response', (answer) => answer.pipe(res.writeHead(answer.statusCode ?? 502, answer.headers)))
    passed.once('error', () => res.destroy())
    req.pipe(passed)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { url: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`, stop }
}
