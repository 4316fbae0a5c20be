/** A load balancer in front of the service under test (`TEST_PROXY`), with the configuration in deploy/. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './ports.ts'

/** What is in front of the service, if anything. */
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

/** Starts the proxy that `TEST_PROXY` names in front of `url`; without it, clients use `url` directly. */
export async function startFront(url: string): Promise<Front> {
  const name = process.env['TEST_PROXY']
  if (name === undefined || name === '') return { url, stop: () => Promise.resolve() }
  const proxy = PROXIES[name]
  if (proxy === undefined) throw new Error(`TEST_PROXY is haproxy or nginx, not '${name}'`)
  const folder = mkdtempSync(join(tmpdir(), 'gloss-proxy-'))
  const port = await freePort()
  const file = join(folder, proxy.config)
  const shipped = new URL(`../../deploy/${proxy.config}`, import.meta.url)
  writeFileSync(file, adapted(readFileSync(shipped, 'utf8'), { folder, port, service: new URL(url).host }))
  const [program, args] = proxy.command(file, folder)
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` }
  const child = spawn(program, args, { env, stdio: ['ignore', 2, 2] })
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
  return { url: `http://127.0.0.1:${String(port)}`, stop }
}

/** The configuration in deploy/ with the test's ports, one instance, and its files in a temporary folder. */
function adapted(config: string, place: { folder: string; port: number; service: string }): string {
  return config
    .replace(/^.*127\.0\.0\.1:8081.*\n/m, '')
    .replace('127.0.0.1:8080', place.service)
    .replace('127.0.0.1:8000', `127.0.0.1:${String(place.port)}`)
    .replace('/run/nginx.pid', join(place.folder, 'pid'))
    .replace('/var/log/nginx/error.log', join(place.folder, 'error.log'))
    .replace('access_log /var/log/nginx/access.log', 'access_log off')
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
