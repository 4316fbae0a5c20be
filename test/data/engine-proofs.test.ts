/** The database holds what the store relies on, and one that does not is refused. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Connection } from '../../src/data/database/connection/connection.ts'
import { openPool, type Pool, type PooledConnection } from '../../src/data/database/pool.ts'
import {
  PROOFS,
  requireProofs,
  tryProofs,
  type Proof,
  type ProofConnections,
} from '../../src/data/store/engine-proofs.ts'
import { onSqlite, openStores, type Opened } from './open.ts'

let opened: Opened
let pools: Pool[]
let connections: Record<keyof ProofConnections, PooledConnection>
beforeAll(async () => {
  opened = await openStores()
  const readers = openPool(opened.url, 'read')
  const writers = onSqlite ? readers : openPool(opened.url, 'write')
  pools = [...new Set([readers, writers])]
  connections = {
    reader: await readers.acquire(),
    writer: await writers.acquire(),
    otherWriter: await writers.acquire(),
  }
})
afterAll(async () => {
  const [readers, writers = readers] = pools
  readers?.release(connections.reader)
  writers?.release(connections.writer)
  writers?.release(connections.otherWriter)
  for (const pool of pools) await pool.close()
  await opened.close()
})

const kind = onSqlite ? 'sqlite' : 'mysql'
const proofs: readonly Proof[] = PROOFS.filter(({ only }: Proof) => (only ?? kind) === kind)

test('each proof holds on this engine, and the start goes on', async () => {
  const results = await tryProofs(opened.url)
  expect(results.map(({ proof, state }) => [proof.claim, state])).toEqual(
    proofs.map(({ claim }) => [claim, 'holds']),
  )
  expect(() => {
    requireProofs(results)
  }).not.toThrow()
})

test('an engine that fails one is refused with what it fails and who relies on it', () => {
  const [proof] = proofs
  if (proof === undefined) throw new Error('there is no proof')
  const refused = (): void => {
    requireProofs([{ proof, state: 'fails' }])
  }
  expect(refused).toThrow(proof.claim)
  expect(refused).toThrow(proof.reliedOnBy)
})

/** A connection whose answers to some statements are another engine's. */
const lying = ({ knex, dialect, execute, interrupt }: Connection, lies: Lies): Connection =>
  new Connection(
    knex,
    dialect,
    async (command) => {
      const text = 'text' in command ? command.text : ''
      const lie = lies.find(([part]) => text.includes(part))
      return lie === undefined ? execute(command) : lie[1](await execute(command).catch(() => []))
    },
    interrupt,
  )

type Lies = readonly (readonly [part: string, lie: (result: unknown) => unknown])[]

const row = (more: object) => (result: unknown) => [{ ...(result as object[])[0], ...more }]

/** What engines do that fail a proof, by its claim. */
const OTHER_ENGINES: Readonly<Record<string, readonly [which: keyof ProofConnections, Lies]>> = {
  'bytes come back as bytes, also from expressions': ['reader', [['COALESCE', row({ either: 'users' })]]],
  'names are equal only if all their bytes are': ['reader', [['COUNT(*)', row({ n: 1 })]]],
  'rows are ordered by their bytes': [
    'reader',
    [['ORDER BY name', (rows) => (rows as object[]).toReversed()]],
  ],
  'an UPDATE counts the rows that it finds, also those that it leaves as they are': [
    'writer',
    [['UPDATE', () => 0]],
  ],
  'a locked row stays locked until its transaction ends': ['otherWriter', [['NOWAIT', () => 0]]],
  'there is one writer at a time': ['otherWriter', [['BEGIN IMMEDIATE', () => 0]]],
  'a view shows nothing that was committed since it began, and the next view shows all of it': [
    'reader',
    [['SELECT next_id', row({ next_id: 5 })]],
  ],
  'EXPLAIN says how many rows a statement reads': [
    'reader',
    [['EXPLAIN', () => [{ EXPLAIN: '-> Rows fetched before' }]]],
  ],
  'changes go to a write-ahead log that is synced at each commit': [
    'writer',
    [['journal_mode', row({ journal_mode: 'delete' })]],
  ],
}

describe('another engine', () => {
  test.each(proofs.map((proof) => [proof.claim, proof] as const))(
    'does not hold that %s',
    async (claim, proof) => {
      const [which, lies] = OTHER_ENGINES[claim] ?? ['reader', []]
      expect(await proof.holds({ ...connections, [which]: lying(connections[which], lies) })).toBe(false)
      expect(await proof.holds(connections)).toBe(true)
    },
  )

  test('that shows in a view what was committed since fails, too', async () => {
    const views = proofs.find(({ reliedOnBy }) => reliedOnBy === 'store/views.ts')
    let n = 0
    const counting = lying(connections.reader, [['SELECT next_id', () => [{ next_id: ++n }]]])
    expect(await views?.holds({ ...connections, reader: counting })).toBe(false)
  })
})
