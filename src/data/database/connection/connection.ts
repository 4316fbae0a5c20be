/** The commands of a connection to the database, and the one way to run them. */
import type { Knex } from 'knex'
import { IdSet, type OwnedIds, type SortedIds } from '../ids/id-sets.ts'
import type { Merge } from '../ids/id-set-merging.ts'
import type { Dialect, InsertEach } from './dialects.ts'
import { ID_BYTES } from '../ids/ids.ts'
import { Inserts } from './inserts.ts'
import { portionsOf, type Bindable, type Sql, type Table } from './sql.ts'
import { yieldTimer } from '../../../scheduling/yielding.ts'
import { noting } from '../../../scheduling/usage.ts'

/**
 * What a connection is for, which decides its isolation, its locks and how many of them there are: single statements that
 * read, short views, long ones, transactions that write, single statements that write (on MySQL only), migrations.
 */
export type Purpose = 'lookup' | 'read' | 'scan' | 'write' | 'row' | 'migrate'

/** A statement as drivers take it: with numbers, bytes and nulls to bind. */
export interface BoundStatement {
  readonly text: string
  readonly values: readonly (number | Buffer | null)[]
}

/** An INSERT of as many rows as fit into one statement. */
export interface InsertRows {
  readonly table: string
  readonly columns: readonly string[]
  /** The values, row by row. */
  readonly cells: readonly Bindable[]
  /** How the statement ends. */
  readonly conflict: string
}

/** One command for a connection, as a value that can be sent to another thread. `patient`: whether it may take long. */
export type Command = { readonly patient?: boolean } & (
  | ({ readonly do: 'all' | 'run' | 'ids' } & BoundStatement)
  | ({ readonly do: 'sortedIds'; readonly limit: number } & BoundStatement)
  | ({ readonly do: 'insert' } & InsertRows)
  | { readonly do: 'insertEach'; readonly insert: InsertEach; readonly ids: Buffer }
  | { readonly do: 'merge'; readonly merge: Merge; readonly a: Buffer; readonly b: Buffer }
)

/** An INSERT of any number of rows. */
type Insert = Command & { readonly do: 'insert' | 'insertEach' }

/** Runs a command, here or in another thread. Rejects with the driver's error, including its `code`. */
export type Execute = (command: Command) => Promise<unknown>

/**
 * Stops the running command; on MySQL this also ends the connection. Resolves, and never rejects, once it can no longer stop
 * a later command.
 */
export type Interrupt = () => Promise<void>

/** A connection to the database, or a view on one, used by one transaction at a time. */
export class Connection {
  readonly knex: Knex
  readonly dialect: Dialect
  readonly execute: Execute
  readonly interrupt: Interrupt
  /** Whether its statements may take long. Even then, a connection to a server that does not answer at all is soon given up. */
  patient = false
  readonly #inserts = new Inserts()

  constructor(knex: Knex, dialect: Dialect, execute: Execute, interrupt: Interrupt) {
    this.knex = knex
    this.dialect = dialect
    this.execute = execute
    this.interrupt = interrupt
  }

  /** A Knex query builder for a table; the statement runs on this connection when it is awaited. Text comes back as bytes. */
  table<Name extends Knex.TableNames>(name: Name) {
    return this.knex(name).connection(this)
  }

  /** The rows that a statement returns. Columns of bytes come as Buffers, numbers as numbers. */
  async all<Row>(statement: Sql): Promise<Row[]> {
    return (await this.#raw(statement)) as Row[]
  }

  /** The first row, or undefined. */
  async one<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(statement))[0]
  }

  /** Runs a statement that returns no rows; returns the number of rows that the database says it affected. */
  async run(statement: Sql): Promise<number> {
    return (await this.#raw(statement).options({ do: 'run' })) as number
  }

  /** The set of ids from a statement that returns the single column `object_id` in ascending order. */
  async ids(statement: Sql): Promise<IdSet> {
    return IdSet.inOrder((await this.#raw(statement).options({ do: 'ids' })) as Buffer)
  }

  /**
   * The set of the ids that a statement returns in no particular order. If there are more than `limit`, returns any `limit`
   * of them. If the statement returns an id repeatedly, so does this method.
   */
  async sortedIds(statement: Sql, limit: number): Promise<IdSet> {
    return IdSet.inOrder((await this.#raw(statement).options({ do: 'sortedIds', limit })) as Buffer)
  }

  #raw({ text, values }: Sql): Knex.Raw<unknown> {
    return this.knex.raw<unknown>(text, [...values]).connection(this)
  }

  /**
   * Inserts any number of rows, in statements that end with `conflict`. Resolves once all statements are sent: the caller
   * can prepare the next command while the database stores the rows. If an INSERT fails, every later command fails, and so
   * does `inserted`. Callers insert in key order so that writers do not deadlock.
   */
  async insert<Row extends Record<string, Bindable>>(
    { name, columns }: Table<Row>,
    rows: Iterable<Row>,
    conflict?: Sql,
  ): Promise<void> {
    const yieldIfDue = yieldTimer()
    for (const some of portionsOf(rows, this.dialect.insertedAtOnce)) {
      const cells = cellsOf(some, columns)
      const command = { do: 'insert', table: name, columns, cells, conflict: conflict?.text ?? '' } as const
      await this.#send(command, some.length)
      const due = yieldIfDue()
      if (due !== undefined) await due
    }
  }

  /** Inserts one row for each id, as `insert` does. */
  async insertEach(insert: InsertEach, { bytes, size }: SortedIds): Promise<void> {
    if (size > 0) await this.#send({ do: 'insertEach', insert, ids: bytes }, size)
  }

  #send(command: Insert, rows: number): Promise<void> {
    const send = (): Promise<unknown> =>
      noting(this.execute({ ...command, patient: this.patient }), () => rows)
    return this.#inserts.send(send, this.dialect.insertsUnderWay)
  }

  /** Waits until all inserts are done. Throws the error of the first insert that failed. */
  inserted(): Promise<void> {
    return this.#inserts.done()
  }

  /** Merges two sets into one, in a place where that blocks no other request. */
  async merge(merge: Merge, a: OwnedIds, b: OwnedIds): Promise<IdSet> {
    return IdSet.inOrder((await this.do({ do: 'merge', merge, a, b })) as Buffer)
  }

  /** Runs a command after the pending inserts. */
  do(command: Command): Promise<unknown> {
    const run = (): Promise<unknown> => this.execute({ ...command, patient: this.patient })
    return noting(this.#inserts.areDone ? run() : this.inserted().then(run), (result) =>
      rowsOf(command, result),
    )
  }
}

/** How many rows a command returned or changed. */
function rowsOf(command: Command, result: unknown): number {
  if (command.do === 'merge') return 0
  if (typeof result === 'number') return result
  return Buffer.isBuffer(result) ? result.length / ID_BYTES : (result as readonly unknown[]).length
}

/** The values of rows, row by row. */
function cellsOf<Row extends Record<string, Bindable>>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): Bindable[] {
  // Allocated at its full length: an array that grows is copied again and again.
  const cells = new Array<Bindable>(rows.length * columns.length)
  let at = 0
  for (const row of rows) for (const column of columns) cells[at++] = row[column] as Bindable
  return cells
}

/**
 * The rows that `find` returns for any number of keys. The keys go to the database in portions; the next portion is prepared
 * and sent while the database answers the one before.
 */
export async function allFor<Row, Key>(
  keys: readonly Key[],
  find: (some: readonly Key[]) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  let before: Promise<Row[]> = Promise.resolve([])
  for (const some of portionsOf(keys)) {
    // A Knex builder runs its statement each time it is awaited, so this awaits it once.
    const next = Promise.resolve(find(some))
    // If both portions fail, the caller gets the error of the first.
    next.catch(() => undefined)
    rows.push(...(await before))
    before = next
  }
  rows.push(...(await before))
  return rows
}
