/** The three kinds of things: the service keeps a row and an object for each thing. */
import type { Path, Username } from '../../model/paths.ts'
import type { SystemTag } from '../store/tables.ts'
import { aboutNamespace } from '../entities/namespaces.ts'
import { aboutTag } from '../entities/tags.ts'
import { aboutUser } from '../entities/users.ts'

/** A thing with its name or path. */
export interface ThingRow {
  readonly id: number
  readonly name: Buffer
  readonly object_id: Buffer
}

/** A kind of things: its table, the column with their names, the about values of their objects, and their system tags. */
export interface ThingKind {
  readonly kind: 'users' | 'namespaces' | 'tags'
  readonly column: 'username' | 'path'
  readonly about: (name: string) => string
  /** The tag whose value is the name. */
  readonly named: SystemTag
  /** The tags whose values no column repeats. */
  readonly told: readonly SystemTag[]
}

export const THINGS: readonly ThingKind[] = [
  {
    kind: 'users',
    column: 'username',
    about: (name) => aboutUser(name as Username),
    named: 'username',
    told: ['userName', 'userEmail'],
  },
  {
    kind: 'namespaces',
    column: 'path',
    about: (name) => aboutNamespace(name as Path),
    named: 'namespacePath',
    told: ['namespaceDescription'],
  },
  {
    kind: 'tags',
    column: 'path',
    about: (name) => aboutTag(name as Path),
    named: 'tagPath',
    told: ['tagDescription'],
  },
]

/** How many rows are looked up with one statement. */
const AT_ONCE = 500

/** Rows in portions that fit into one statement. */
export async function* portionsIn<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let some: Row[] = []
  for await (const row of rows) {
    if (some.push(row) < AT_ONCE) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
