/** Starts a load balancer in front of the service under test (`TEST_PROXY`), with the configuration in deploy/. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdminServer, plain } from '../../src/observing/admin/server.ts'
import type { Certificate } from './certificates.ts'
import { freePort } from './ports.ts'

/** The proxy in front of the service, if there is one. */
export interface Front {
  readonly url: string
  stop(): Promise<void>
}

interface Proxy {
  readonly config: string
  command(file: string, folder: string): [string, string[]]
}

const PROXIES: Readonly<Record<string, Proxy>> = {
  haproxy: { config: 'haproxy.cfg', command: (file) => ['haproxy', ['-db', '-q', '-f', file]] },
  nginx: {
    config: 'nginx.conf',
    command: (file, folder) => ['nginx', ['-p', folder, '-c', file, '-g', 'daemon off;']],
  },
}
const START_MS = 10_000

/** An instance of the service behind a proxy. */
export interface Instance {
  /** Its address, as `host:port`. */
  readonly service: string
  /** The port of its admin server, on the same host. */
  readonly adminPort: number
}

/** Starts the proxy that `TEST_PROXY` names in front of `url`; without it, clients use `url` directly. */
export async function startFront(url: string): Promise<Front> {
  const name = process.env['TEST_PROXY']
  if (name === undefined || name === '') return { url, stop: () => Promise.resolve() }
  // The service under test runs in this process, so it has no admin server of its own.
  const admin = createAdminServer({ '/readyz': () => plain(200, 'ok') }, console.error)
  await once(admin.listen(0, '127.0.0.1'), 'listening')
  const { port: adminPort } = admin.address() as AddressInfo
  const front = await startProxy(name, [{ service: new URL(url).host, adminPort }])
  const stop = async (): Promise<void> => {
    await front.stop()
    admin.closeAllConnections()
    admin.close()
  }
  return { url: front.url, stop }
}

/** How a proxy differs from the delivered one. */
interface Special {
  /** The addresses of the proxies in front of it. */
  readonly outer?: readonly string[]
  /** It ends TLS with this certificate. */
  readonly tls?: Certificate
}

/** Starts a proxy in front of one or two instances; its own figures are on the port `figures` of the result. */
export async function startProxy(
  name: string,
  instances: readonly Instance[],
  special: Special = {},
): Promise<Front & { readonly figures: number }> {
  const proxy = PROXIES[name]
  if (proxy === undefined) throw new Error(`TEST_PROXY is haproxy or nginx, not '${name}'`)
  const folder = mkdtempSync(join(tmpdir(), 'gloss-proxy-'))
  const [port, figures] = [await freePort(), await freePort()]
  const file = join(folder, proxy.config)
  const config = adapted(shippedConfig(name), { folder, port, figures, instances })
  writeFileSync(file, specialised(config, folder, special))
  const [program, args] = proxy.command(file, folder)
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` }
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 2] })
  const exit = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exit
    rmSync(folder, { recursive: true, force: true })
  }
  await Promise.race([
    untilListening(port),
    exit.then(() => Promise.reject(new Error(`${program} did not start`))),
  ])
  return { url: `${special.tls ? 'https' : 'http'}://127.0.0.1:${String(port)}`, figures, stop }
}

/** The configuration of a proxy in deploy/. */
export const shippedConfig = (name: string): string =>
  readFileSync(new URL(`../../deploy/${PROXIES[name]?.config ?? name}`, import.meta.url), 'utf8')

interface ProxyOptions {
  readonly folder: string
  readonly port: number
  readonly figures: number
  readonly instances: readonly Instance[]
}

/** Replaces the ports, instances and file paths in a configuration of deploy/ by those of the test. */
function adapted(config: string, { folder, port, figures, instances }: ProxyOptions): string {
  return ['8080', '8081']
    .reduce((text, shipped, i) => {
      const instance = instances[i]
      const line = new RegExp(`^( +server .*)127\\.0\\.0\\.1:${shipped}(.*)\n`, 'm')
      if (instance === undefined) return text.replace(line, '')
      return text.replace(line, (_line, before: string, after: string) => {
        const checked = after.replace(/\bport \d+/, `port ${String(instance.adminPort)}`)
        return `${before}${instance.service}${checked}\n`
      })
    }, config)
    .replace('127.0.0.1:8000', `127.0.0.1:${String(port)}`)
    .replace(/127\.0\.0\.1:840[56]/, `127.0.0.1:${String(figures)}`)
    .replace('/run/nginx.pid', join(folder, 'pid'))
    .replace('/var/log/nginx/error.log', join(folder, 'error.log'))
    .replace('access_log /var/log/nginx/access.log', 'access_log off')
}

/** Names the proxies in front, and ends TLS. */
function specialised(config: string, folder: string, { outer = [], tls }: Special): string {
  const text = config
    .replace('acl outer src --', ['acl outer src --', ...outer].join(' '))
    .replace('default 0;', ['default 0;', ...outer.map((one) => `${one} 1;`)].join(' '))
  if (tls === undefined) return text
  const pem = join(folder, 'both.pem')
  writeFileSync(pem, readFileSync(tls.cert, 'utf8') + readFileSync(tls.key, 'utf8'))
  return text
    .replace(/^( +bind .*)/m, `$1 ssl crt ${pem}`)
    .replace(/^( +listen .*);/m, `$1 ssl; ssl_certificate ${tls.cert}; ssl_certificate_key ${tls.key};`)
}

async function untilListening(port: number): Promise<void> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline;) {
    const socket = connect({ port, host: '127.0.0.1' })
    try {
      await once(socket, 'connect')
      return
    } catch {
      await sleep(20)
    } finally {
      socket.destroy()
    }
  }
  throw new Error(`nothing listens on port ${String(port)}`)
}
