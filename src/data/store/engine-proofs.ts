/**
 * Proofs that a database behaves as the store's statements need; the service tries them before it trusts the database with
 * data. Engines that speak one protocol differ in this, and change from version to version.
 */
import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '../../model/errors.ts'
import type { Connection } from '../database/connection/connection.ts'
import { failureOf } from '../database/connection/failures.ts'
import { openPool } from '../database/pool.ts'
import { join, raw, sql, type Sql } from '../database/connection/sql.ts'
import { borrowed, retried } from '../database/transactions.ts'

/** Three connections to one database, outside of transactions: one has views, two see the commits of others. */
export interface ProofConnections {
  readonly reader: Connection
  readonly writer: Connection
  readonly otherWriter: Connection
}

export interface Proof {
  /** The behaviour to prove. */
  readonly claim: string
  /** The file of `src/data` whose statements need it. */
  readonly reliedOnBy: string
  /** The kind of engine that it is tried on; on both without this. */
  readonly only?: 'sqlite' | 'mysql'
  readonly holds: (connections: ProofConnections) => Promise<boolean>
}

/** The result of a proof: it is untried if the database cannot run its statements at present, such as writes. */
export interface ProofResult {
  readonly proof: Proof
  readonly state: 'holds' | 'fails' | 'untried'
}

/** A row that every store has. Adding to its number only leaves out a number that a user would have got. */
const ROW = sql`kind = ${'users'}`
const NUMBER = sql`SELECT next_id FROM id_blocks WHERE ${ROW}`

const BYTES: Proof = {
  claim: 'bytes come back as bytes, also from expressions',
  reliedOnBy: 'values/reading.ts',
  holds: async ({ reader }) => {
    const row = await reader.one<object>(sql`
      SELECT kind AS name, COALESCE(kind, x'FF') AS either, x'00FF80' AS literal FROM id_blocks WHERE ${ROW}`)
    const users = Buffer.from('users')
    return isDeepStrictEqual(
      { ...row },
      { name: users, either: users, literal: Buffer.from([0x00, 0xff, 0x80]) },
    )
  },
}

const EQUALITY: Proof = {
  claim: 'names are equal only if all their bytes are',
  reliedOnBy: 'permissions/permissions.ts',
  holds: async ({ reader }) => {
    const similar = sql`kind IN (${'USERS'}, ${'users '}, ${'üsers'})`
    const row = await reader.one<{ n: number }>(sql`SELECT COUNT(*) AS n FROM id_blocks WHERE ${similar}`)
    return row?.n === 0
  },
}

const ORDER: Proof = {
  claim: 'rows are ordered by their bytes',
  reliedOnBy: 'values/encoding.ts',
  holds: async ({ reader }) => {
    const names = ['42', '61', '6120', 'c3bc', 'ff']
    const rows = names.toReversed().map((hex) => raw(`SELECT x'${hex}' AS name`))
    const found = await reader.all<{ name: Buffer }>(
      sql`SELECT name FROM (${join(rows, ' UNION ALL ')}) n ORDER BY name`,
    )
    return isDeepStrictEqual(
      found.map(({ name }) => name.toString('hex')),
      names,
    )
  },
}

const COUNT: Proof = {
  claim: 'an UPDATE counts the rows that it finds, also those that it leaves as they are',
  reliedOnBy: 'store/store.ts',
  holds: ({ writer }) =>
    within(writer, WRITING, async () => {
      const set = sql`UPDATE id_blocks SET next_id = next_id`
      const found = await writer.run(sql`${set} WHERE ${ROW}`)
      return found === 1 && (await writer.run(sql`${set} WHERE kind = ${'none'}`)) === 0
    }),
}

const LOCKS: Proof = {
  claim: 'a locked row stays locked until its transaction ends',
  reliedOnBy: 'entities/tags.ts',
  only: 'mysql',
  holds: ({ writer, otherWriter }) =>
    within(writer, WRITING, async () => {
      await writer.one(sql`${NUMBER} FOR UPDATE`)
      return isRefused(otherWriter, sql`${NUMBER} FOR UPDATE NOWAIT`)
    }),
}

const ONE_WRITER: Proof = {
  claim: 'there is one writer at a time',
  reliedOnBy: 'database/group-commit.ts',
  only: 'sqlite',
  holds: ({ writer, otherWriter }) => within(writer, WRITING, () => isRefused(otherWriter, WRITING)),
}

const VIEWS: Proof = {
  claim: 'a view shows nothing that was committed since it began, and the next view shows all of it',
  reliedOnBy: 'store/views.ts',
  holds: async ({ reader, writer }) => {
    const [before, still] = await within(reader, READING, async () => {
      const first = await numberOn(reader)
      const add = sql`UPDATE id_blocks SET next_id = next_id + 1 WHERE ${ROW}`
      await within(writer, WRITING, () => writer.run(add), COMMIT)
      return [first, await numberOn(reader)] as const
    })
    const after = await within(reader, READING, () => numberOn(reader))
    // Other processes may have taken numbers, too.
    return still === before && after > before
  },
}

const EXPLANATIONS: Proof = {
  claim: 'EXPLAIN says how many rows a statement reads',
  reliedOnBy: 'search/estimates.ts',
  only: 'mysql',
  holds: async ({ reader }) => {
    const row = (await reader.one<object>(sql`EXPLAIN FORMAT=TRADITIONAL ${NUMBER}`)) ?? {}
    return 'rows' in row || 'estRows' in row
  },
}

const DURABILITY: Proof = {
  claim: 'changes go to a write-ahead log that is synced at each commit',
  reliedOnBy: 'database/sqlite/sqlite.ts',
  only: 'sqlite',
  holds: async ({ writer }) => {
    const mode = await writer.one<{ journal_mode: string }>(raw('PRAGMA journal_mode'))
    const synced = await writer.one<{ synchronous: number }>(raw('PRAGMA synchronous'))
    return mode?.journal_mode === 'wal' && synced?.synchronous === SYNCED_AT_COMMIT
  },
}

export const PROOFS = [
  BYTES,
  EQUALITY,
  ORDER,
  COUNT,
  LOCKS,
  ONE_WRITER,
  VIEWS,
  EXPLANATIONS,
  DURABILITY,
] as const

/** The value FULL of `PRAGMA synchronous`. */
const SYNCED_AT_COMMIT = 2

const READING = raw('BEGIN')
const WRITING = raw('BEGIN IMMEDIATE')
const COMMIT = raw('COMMIT')
const ROLLBACK = raw('ROLLBACK')

const numberOn = async (connection: Connection): Promise<number> =>
  (await connection.one<{ next_id: number }>(NUMBER))?.next_id ?? NaN

/** Runs work in a transaction. On SQLite it begins with `begin`, on MySQL with its first statement. */
async function within<T>(
  connection: Connection,
  begin: Sql,
  work: () => Promise<T>,
  end = ROLLBACK,
): Promise<T> {
  if (connection.dialect.name === 'sqlite') await connection.run(begin)
  try {
    const result = await work()
    await connection.run(end)
    return result
  } catch (error) {
    await connection.run(ROLLBACK).catch(() => undefined)
    throw error
  }
}

/** Whether a statement fails because of the lock of another transaction. */
async function isRefused(connection: Connection, statement: Sql): Promise<boolean> {
  try {
    await connection.run(statement)
    return false
  } catch (error) {
    if (failureOf(error) === 'conflict' || (error as { code?: unknown }).code === 'ER_LOCK_NOWAIT')
      return true
    throw error
  } finally {
    await connection.run(ROLLBACK).catch(() => undefined)
  }
}

/** Tries the proofs on a database with its schema. Throws `ServiceUnavailable` if the database cannot be reached. */
export async function tryProofs(databaseUrl: string): Promise<ProofResult[]> {
  const readers = openPool(databaseUrl, 'read')
  // SQLite has one connection for writers; the connections for views can write, too.
  const writers = databaseUrl.startsWith('sqlite:') ? readers : openPool(databaseUrl, 'write')
  try {
    return await retried(() =>
      borrowed(readers, (reader) =>
        borrowed(writers, (writer) =>
          borrowed(writers, (otherWriter) => resultsOn({ reader, writer, otherWriter })),
        ),
      ),
    )
  } finally {
    await Promise.all([...new Set([readers, writers])].map((pool) => pool.close()))
  }
}

async function resultsOn(connections: ProofConnections): Promise<ProofResult[]> {
  const { name } = connections.reader.dialect
  const results: ProofResult[] = []
  for (const proof of PROOFS)
    if ((proof.only ?? name) === name) results.push({ proof, state: await stateOf(proof, connections) })
  return results
}

async function stateOf({ holds }: Proof, connections: ProofConnections): Promise<ProofResult['state']> {
  try {
    return (await retried(() => holds(connections))) ? 'holds' : 'fails'
  } catch (error) {
    return error instanceof ServiceError ? 'untried' : 'fails'
  }
}

/** Throws a sentence about the first proof that failed. */
export function requireProofs(results: readonly ProofResult[]): void {
  const failed = results.find(({ state }) => state === 'fails')
  if (failed !== undefined)
    throw new Error(`DATABASE_URL: ${refusal(failed.proof)}: use an engine that docs/databases.md names`)
}

/** Why the service does not use an engine that fails a proof. */
export const refusal = ({ claim, reliedOnBy }: Proof): string =>
  `the database cannot be trusted with data: it does not hold that ${claim}, on which src/data/${reliedOnBy} relies`
