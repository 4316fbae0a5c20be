/** Starts the service: configuration, store, schema, server. On shutdown, requests may finish first. */
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { bootstrap } from './data/things/bootstrap.ts'
import { startPurging } from './data/operations/purge.ts'
import { createStore, type Store } from './data/store/store.ts'
import { permitUserChange } from './data/permissions/user-rights.ts'
import { initializePassword, SERVICE } from './data/things/users.ts'
import { hashPassword } from './passwords.ts'
import { createHttpServer } from './http/server.ts'
import { note, report, slowQueryLog } from './log.ts'
import { SignInThrottle, type Throttle } from './http/throttle.ts'
import { throttleOfPrimary, throttleWorkers } from './worker-throttle.ts'
import { startWorkers } from './workers.ts'

const DRAIN_MS = 10_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Stops what was started. */
type Stop = () => Promise<void>

/** Brings the store up to date and starts serving, in this process or in workers. */
async function start(config: Config): Promise<Stop> {
  const store = createStore(config.databaseUrl, config.queryTimeoutMs)
  if (cluster.isWorker) {
    const { stop } = await serve(config, store, throttleOfPrimary())
    return () => stop().then(() => store.close())
  }
  await store.migrate()
  await bootstrap(store)
  await setFirstPassword(store, config)
  if ('ADMIN_PASSWORD' in process.env) {
    await store.close()
    continueWithoutPassword()
    return start({ ...config, adminPassword: undefined })
  }
  const throttle = new SignInThrottle()
  if (config.workers > 1) throttleWorkers(throttle)
  const { port, stop } =
    config.workers === 1
      ? await serve(config, store, throttle)
      : await startWorkers(config.workers, (message) => {
          print(message)
        })
  const purging = startPurging(store, SERVICE, (error) => {
    report('purging deleted tags', error)
  })
  print(`Gloss listens on ${config.baseUrl ?? `http://${config.host}:${String(port)}`}`)
  print(`Sign in with HTTP Basic as 'service', the superuser; others get accounts by POST /users.`)
  return async () => {
    purging.stop()
    await stop()
    await store.close()
  }
}

/**
 * Takes the password, which is set by now, out of the environment of this process. Only another program in its place
 * loses what `/proc` shows of the one that it was started with; where there is no such call, the serving process keeps
 * that, but passes it on to nobody.
 */
function continueWithoutPassword(): void {
  delete process.env['ADMIN_PASSWORD']
  // A process with a channel to another one, such as `node --watch`, would lose it.
  if (process.platform === 'win32' || process.channel != null) return
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)])
}

/** Starts serving. `stop` lets requests finish. */
async function serve(
  config: Config,
  store: Store,
  throttle: Throttle,
): Promise<{ port: number; stop: Stop }> {
  const server = createHttpServer(
    config,
    await createApp(config, store, { report, observe: slowQueryLog(config.slowQueryMs), note }, throttle),
  )
  await listen(server, config)
  const stop = async (): Promise<void> => {
    setTimeout(() => {
      server.closeAllConnections()
    }, DRAIN_MS).unref()
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeIdleConnections()
    await closed
  }
  return { port: (server.address() as AddressInfo).port, stop }
}

/** Sets the superuser's password if there is none. A generated one is shown, and not kept anywhere in clear text. */
async function setFirstPassword(store: Store, config: Config): Promise<void> {
  const password = config.adminPassword ?? randomBytes(16).toString('base64url')
  const passwordHash = await hashPassword(password)
  const set = await store.write(SERVICE, async (tx) =>
    initializePassword(tx, await permitUserChange(tx, 'update', SERVICE.username), passwordHash),
  )
  if (set && config.adminPassword === undefined) {
    print(`The password of the superuser 'service' is ${password} (shown this once).`)
  }
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

try {
  const config = readConfig(process.env)
  // For the first start only: workers that start later need not find the file.
  delete process.env['ADMIN_PASSWORD_FILE']
  const stop = await start(config)
  let stopping = false
  const onSignal = (): void => {
    // A single Ctrl-C arrives several times: from the terminal, and from each npm in between.
    if (stopping) return
    stopping = true
    void stop().then(() => {
      // A worker's channel to the primary process would keep it alive.
      if (cluster.isWorker) process.disconnect()
    })
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
