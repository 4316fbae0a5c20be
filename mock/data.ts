/**
 * The data of a stateful mock: files of SQLite in a temporary folder. At the start they contain the shelf of the
 * contract's examples with the ids in them, or an archive.
 */
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importArchive } from '../command/archive/archive-import.ts'
import { createClient } from '../packages/client/index.ts'
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
import { badRequest } from '../src/model/errors.ts'
import type { Log } from '../src/observing/log.ts'
import { hashPassword } from '../src/http/credentials/passwords.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../src/model/tag-value.ts'
import { exchangeable, type Use } from './exchangeable.ts'
import { IDS, OTHER, stockShelf, type Askable } from './shelf.ts'

/** The password of every user. */
export const PASSWORD = 'keeper of the shelf'

/** The data of a mock. */
export interface Data {
  /** The users at the start. The first is the superuser. */
  readonly users: readonly string[]
  /** Opens a store with the data of the start. */
  readonly open: () => StoreData
  /** Deletes all files. */
  readonly remove: () => void
}

/** The data of one store. Requests in progress finish before they are replaced, and new requests wait. */
export interface StoreData {
  readonly use: Use
  /** Restores the data of the start or of a snapshot. Throws `TBadRequest` for an unknown snapshot. */
  readonly reset: (snapshot?: string) => Promise<void>
  readonly snapshot: (name: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Creates the data of the start: the shelf, or the content of an archive or a backup. Throws a `Failure` for a faulty one. */
export async function createData(config: Config, log: Log, archive?: string): Promise<Data> {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-mock-'))
  const remove = (): void => {
    process.removeListener('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  // This also deletes the files if the process ends without `remove`.
  process.once('exit', remove)
  const fileOf = (name: string): string => join(folder, `${name}.db`)
  const openFile = (name: string): Store => createStore(`sqlite:${fileOf(name)}`, config.queryTimeoutMs)
  const first = openFile('start')
  try {
    const users = await fill(first, await createApp(config, first, log), archive)
    await first.close()
    return { users, remove, open: storesOf(fileOf, openFile) }
  } catch (error) {
    await first.close()
    remove()
    throw error
  }
}

/** Returns a function that opens stores. Each store has a file of its own, a new one after each reset. */
function storesOf(fileOf: (name: string) => string, openFile: (name: string) => Store): () => StoreData {
  let copies = 0
  return () => {
    let own = ''
    const openCopy = (of: string): Store => {
      rmSync(fileOf(own), { force: true })
      own = `copy-${String((copies += 1))}`
      // Nothing has this file open, so it is complete.
      copyFileSync(fileOf(of), fileOf(own))
      return openFile(own)
    }
    const { use, exchange, close } = exchangeable(openCopy('start'))
    const ofSnapshot = (name: string): string => `snapshot-${name}`
    return {
      use,
      reset: async (snapshot) => {
        const source = snapshot === undefined ? 'start' : ofSnapshot(snapshot)
        if (!existsSync(fileOf(source))) throw badRequest(`there is no snapshot '${String(snapshot)}'`)
        await exchange(() => openCopy(source))
      },
      snapshot: (name) =>
        exchange(() => {
          copyFileSync(fileOf(own), fileOf(ofSnapshot(name)))
          return openFile(own)
        }),
      close: async () => {
        await close()
        rmSync(fileOf(own), { force: true })
      },
    }
  }
}

/** Fills an empty store; returns its users. */
async function fill(store: Store, application: RequestListener, archive?: string): Promise<string[]> {
  await store.migrate()
  await bootstrap(store)
  const passwordHash = await hashPassword(PASSWORD)
  await store.write(SERVICE, async (tx) => {
    await initializePassword(tx, await permitUserChange(tx, 'update', SERVICE.username), passwordHash)
  })
  if (archive === undefined) await makeKnown(store, passwordHash)
  const server = createServer(application)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  try {
    if (archive !== undefined) return await fillFrom(archive, url)
    await stockShelf({ ok: asking(url), password: PASSWORD, other: OTHER })
    return [SERVICE.username, 'alice', 'bob', 'mallory']
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Creates the users of the examples. From then on, objects with the about values of the examples get their ids. */
async function makeKnown(store: Store, passwordHash: string): Promise<void> {
  await store.write(SERVICE, async (tx) => {
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
}

/** Imports an archive, and gives its users the password of the mock. */
async function fillFrom(archive: string, url: string): Promise<string[]> {
  const user = SERVICE.username
  const client = createClient(url, { username: user, password: PASSWORD })
  const { newUsers } = await importArchive(
    { client, anonymous: createClient(url), url, user },
    archive,
    (records) => records,
  )
  for (const username of newUsers) {
    await client.PUT('/users/{username}', { params: { path: { username } }, body: { password: PASSWORD } })
  }
  return [user, ...newUsers]
}

/** Sends requests to the service at an address. */
const asking =
  (url: string): Askable['ok'] =>
  async (method, path, { as, json, primitive, body, headers }) => {
    const type = json === undefined ? PRIMITIVE_MEDIA_TYPE : 'application/json'
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Basic ${btoa(`${as}:${PASSWORD}`)}`, 'content-type': type, ...headers },
      body: body ?? primitive ?? (json === undefined ? null : JSON.stringify(json)),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)}`)
    return { json: () => JSON.parse(text) as unknown }
  }
