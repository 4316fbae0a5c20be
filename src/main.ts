/** Starts the service: configuration, store, schema, server; and lets requests finish when it is told to stop. */
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { bootstrap } from './data/bootstrap.ts'
import { startPurging } from './data/purge.ts'
import { createStore, type Store } from './data/store.ts'
import { initializePassword, SERVICE } from './data/users.ts'
import { hashPassword } from './http/authenticate.ts'
import { createHttpServer } from './http/server.ts'

const DRAIN_MS = 10_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Writes a fault to the log. What a client sent may be in it, and must not look like an entry of its own. */
const report = (message: string, error: unknown): void => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const lines = `${message}: ${text}`.split(/\r\n?|\n/).map((line) => line.replaceAll(/\p{Cc}/gu, '\u{fffd}'))
  process.stderr.write(`${lines.join('\n    ')}\n`)
}

async function start(config: Config): Promise<void> {
  const store = createStore(config.databaseUrl)
  await store.migrate()
  await bootstrap(store)
  await setFirstPassword(store, config)
  const server = createHttpServer(config, await createApp(config, store, report))
  await listen(server, config)
  const purging = startPurging(store, SERVICE, (error) => {
    report('purging deleted tags', error)
  })
  const { port } = server.address() as AddressInfo
  print(`Gloss listens on ${config.baseUrl ?? `http://${config.host}:${String(port)}`}`)
  print(`Sign in with HTTP Basic as 'service', the superuser; others get accounts by POST /users.`)
  let stopping = false
  const stop = (): void => {
    // One Ctrl-C arrives several times: from the terminal, and passed on by each npm in between.
    if (stopping) return
    stopping = true
    purging.stop()
    setTimeout(() => {
      server.closeAllConnections()
    }, DRAIN_MS).unref()
    server.close(() => {
      void store.close()
    })
    server.closeIdleConnections()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

/** The superuser's password is set once, when there is none; a generated one is shown and kept nowhere in clear. */
async function setFirstPassword(store: Store, config: Config): Promise<void> {
  const password = config.adminPassword ?? randomBytes(15).toString('base64url')
  const passwordHash = await hashPassword(password)
  const set = await store.write(SERVICE, (tx) => initializePassword(tx, passwordHash))
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
  await start(readConfig(process.env))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
