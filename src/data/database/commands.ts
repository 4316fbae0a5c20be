/** What is done on a connection, told in a way that can pass between threads. */
import type { Connection } from './connections.ts'
import type { IdSet, Merge } from './id-sets.ts'
import type { Dialect, InsertEach, Sql } from './sql.ts'

/** A statement as drivers take it: numbers, bytes and nulls are bound. */
export interface BoundStatement {
  readonly text: string
  readonly values: readonly (number | Buffer | null)[]
}

/** One thing to do on a connection. */
export type Command =
  | ({ readonly kind: 'all' | 'run' | 'ids' } & BoundStatement)
  | ({ readonly kind: 'sortedIds'; readonly most: number } & BoundStatement)
  | { readonly kind: 'insertEach'; readonly insert: InsertEach; readonly ids: Buffer }
  | { readonly kind: 'merge'; readonly merge: Merge; readonly a: IdSet; readonly b: IdSet }

const bound = ({ text, values }: Sql): BoundStatement => ({
  text,
  values: values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value)),
})

/** A connection whose commands are done by `execute`, here or elsewhere. */
export function commandedConnection(
  dialect: Dialect,
  execute: (command: Command) => Promise<unknown>,
): Connection {
  return {
    dialect,
    all: <Row>(statement: Sql) => execute({ kind: 'all', ...bound(statement) }) as Promise<Row[]>,
    run: (statement) => execute({ kind: 'run', ...bound(statement) }) as Promise<number>,
    ids: (statement) => execute({ kind: 'ids', ...bound(statement) }) as Promise<Buffer>,
    sortedIds: (statement, most) =>
      execute({ kind: 'sortedIds', ...bound(statement), most }) as Promise<Buffer>,
    insertEach: (insert, ids) => execute({ kind: 'insertEach', insert, ids }) as Promise<number>,
    merge: (merge, a, b) => execute({ kind: 'merge', merge, a, b }) as Promise<IdSet>,
  }
}
