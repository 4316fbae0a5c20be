/**
 * Runs the service on a store of its own, with the shelf of the contract's examples and the ids in them. A caller can
 * reset the store. The mock deletes it when it ends.
 */
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import type { Config } from '../src/settings/config.ts'
import { idBytes, readObjectId } from '../src/data/database/ids/ids.ts'
import { permitUserChange, permitUserCreation } from '../src/data/permissions/user-rights.ts'
import { createStore, type Store } from '../src/data/store/store.ts'
import { ABOUT_VALUES } from '../src/data/store/tables.ts'
import { bootstrap } from '../src/data/entities/bootstrap.ts'
import { createUser, initializePassword, readNewUsername, SERVICE } from '../src/data/entities/users.ts'
import { sha256 } from '../src/data/values/encoding.ts'
import { writeSystemValues } from '../src/data/rows/system-values.ts'
import { openLog } from '../src/observing/log.ts'
import { hashPassword } from '../src/http/credentials/passwords.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../src/model/tag-value.ts'
import { exchangeable } from './exchangeable.ts'
import { IDS, OTHER, stockShelf, type Askable } from './shelf.ts'

/** The users, all with the same password. The first is the superuser. */
export const USERS = ['service', 'alice', 'bob', 'mallory']
export const PASSWORD = 'keeper of the shelf'

/** The service on a store that can be reset. */
export interface Stateful {
  readonly application: RequestListener
  /** Resets the store to its initial data. Requests in progress finish first, and new requests wait. */
  readonly reset: () => Promise<void>
  /** Deletes the store. */
  readonly close: () => Promise<void>
}

/** Creates the service and its store. */
export async function createStateful(config: Config): Promise<Stateful> {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-mock-'))
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true })
  }
  // This also deletes the store if the process ends without `close`.
  process.once('exit', remove)
  const fileOf = (name: string): string => join(folder, `${name}.db`)
  const open = (name: string): Store => createStore(`sqlite:${fileOf(name)}`, config.queryTimeoutMs)
  const { store, exchange } = exchangeable(open('shelf'))
  const ignore = (): void => undefined
  const { report } = openLog(config)
  const log = { report, observe: ignore, note: ignore, answered: ignore }
  const application = await createApp(config, store, log)
  await fill(store, application)
  let copies = 0
  const reset = (): Promise<void> =>
    exchange(() => {
      rmSync(fileOf(`copy-${String(copies)}`), { force: true })
      copies += 1
      const copy = `copy-${String(copies)}`
      // The current store is closed at this point, so its file is complete.
      copyFileSync(fileOf('shelf'), fileOf(copy))
      return open(copy)
    })
  await reset()
  const close = async (): Promise<void> => {
    await store.close()
    remove()
  }
  return { application, reset, close }
}

/** Fills an empty store with users and the shelf. */
async function fill(store: Store, application: RequestListener): Promise<void> {
  await store.migrate()
  await bootstrap(store)
  const passwordHash = await hashPassword(PASSWORD)
  await store.write(SERVICE, async (tx) => {
    await initializePassword(tx, await permitUserChange(tx, 'update', SERVICE.username), passwordHash)
    // From now on, an object with one of these about values gets the id of the examples.
    const known = Object.entries(IDS).map(([about, id]) => ({ about, object: readObjectId(id) }))
    await tx.insert(
      ABOUT_VALUES,
      known.map(({ about, object }) => ({ about_hash: sha256(about), object_id: idBytes(object) })),
    )
    await writeSystemValues(
      tx,
      known.map(({ about, object }) => ({ object, isNew: true, texts: { about } })),
    )
    for (const name of ['alice', 'bob'].map(readNewUsername)) {
      await createUser(tx, permitUserCreation(tx, name), name, { passwordHash })
    }
  })
  const server = createServer(application)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await stockShelf({ ok: asking((server.address() as AddressInfo).port), password: PASSWORD, other: OTHER })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** Sends requests to a port of this machine. */
const asking =
  (port: number): Askable['ok'] =>
  async (method, path, { as, json, primitive, body, headers }) => {
    const type = json === undefined ? PRIMITIVE_MEDIA_TYPE : 'application/json'
    const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${as}:${PASSWORD}`)}`, 'content-type': type, ...headers },
      body: body ?? primitive ?? (json === undefined ? null : JSON.stringify(json)),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)}`)
    return { json: () => JSON.parse(text) as unknown }
  }
