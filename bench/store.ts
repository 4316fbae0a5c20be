/** Builds the measured stores directly in the tables, and keeps them for later runs. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { migrationSource } from '../src/data/store/migrate.ts'
import { bootstrap } from '../src/data/entities/bootstrap.ts'
import { permitUserCreation } from '../src/data/permissions/user-rights.ts'
import { createStore } from '../src/data/store/store.ts'
import { ABOUT_VALUES, SYSTEM_TAGS, TAG_VALUES, TERMS } from '../src/data/store/tables.ts'
import { createTag } from '../src/data/entities/tags.ts'
import { createUser, readNewUsername, SERVICE } from '../src/data/entities/users.ts'
import { Encoded, sha256 } from '../src/data/values/encoding.ts'
import { termBytes, type Term } from '../src/data/values/terms.ts'
import { hashPassword } from '../src/http/credentials/passwords.ts'
import { baseName, parentOf, type Path } from '../src/model/paths.ts'
import { stringValue } from '../src/model/tag-value.ts'
import { startMysqlServer } from '../test/support/mysql-server.ts'
import {
  aboutCount,
  aboutOf,
  bookId,
  booksWith,
  CATALOGUE,
  catalogueTags,
  OWNER,
  READER,
  tagPath,
  type CatalogueTag,
} from './catalogue.ts'
import {
  makeDatabase,
  mysqlLoader,
  mysqlVersion,
  sqliteLoader,
  sqliteVersion,
  type Loader,
} from './loaders.ts'

export type DatabaseKind = 'sqlite' | 'mysql'

/** The folder, ignored by git, for all data that later runs use. */
export const KEPT = join(dirname(import.meta.dirname), 'var', 'bench')

/** Tags that only the measurements write: one through Gloss, one with hand-written SQL. */
export const WRITTEN = { gloss: tagPath('written/gloss'), byHand: tagPath('written/by-hand') }

/** The stores of one kind of database, available until they are closed. */
export interface Stores {
  readonly kind: DatabaseKind
  /** The folder in which they are. */
  readonly folder: string
  /** The database's own name and version. */
  readonly version: string
  /** The processes of the database, if it has any. */
  readonly pids: readonly number[]
  /** The database URL of a store with this many values. Builds the store, unless an earlier run left one. */
  provide(values: number): Promise<string>
  /** The database URL of an empty store. The next call with the same name deletes it. */
  empty(name?: string): Promise<string>
  close(): Promise<void>
}

/** A name that changes with all things on which a kept store depends. */
async function stamp(): Promise<string> {
  const migrations = await migrationSource.getMigrations([])
  return sha256(JSON.stringify([CATALOGUE, migrations])).toString('hex', 0, 6)
}

export async function sqliteStores(): Promise<Stores> {
  const folder = join(KEPT, `sqlite-${await stamp()}`)
  return {
    kind: 'sqlite',
    folder,
    version: `SQLite ${sqliteVersion()}`,
    pids: [],
    async provide(values) {
      const file = join(folder, `${values}.db`)
      if (!existsSync(file)) {
        const unfinished = join(folder, 'unfinished', `${values}.db`)
        rmSync(dirname(unfinished), { recursive: true, force: true })
        await build(`sqlite:${unfinished}`, values, sqliteLoader(unfinished))
        renameSync(unfinished, file)
      }
      return `sqlite:${file}`
    },
    async empty(name = 'empty') {
      const empty = join(folder, name)
      rmSync(empty, { recursive: true, force: true })
      return `sqlite:${join(empty, 'gloss.db')}`
    },
    close: async () => undefined,
  }
}

/** Memory for the whole largest store with its indexes; every commit is on the disk before its answer. */
const MYSQL_SETTINGS = [
  '--innodb-buffer-pool-size=6G',
  '--innodb-log-file-size=2G',
  '--innodb-flush-log-at-trx-commit=1',
  '--innodb-flush-method=O_DIRECT',
  '--innodb-doublewrite=ON',
  '--local-infile=ON',
]

export async function mysqlStores(): Promise<Stores> {
  const folder = join(KEPT, `mysql-${await stamp()}`)
  mkdirSync(folder, { recursive: true })
  const server = await startMysqlServer({ folder, settings: MYSQL_SETTINGS })
  return {
    kind: 'mysql',
    folder,
    version: await mysqlVersion(server.url),
    pids: [Number(readFileSync(join(folder, 'pid'), 'utf8'))],
    async provide(values) {
      const url = `${server.url}gloss_${values}`
      const loader = await mysqlLoader(server.url, `gloss_${values}`)
      if (!loader.finished) await build(url, values, loader)
      return url
    },
    async empty(name = 'empty') {
      await makeDatabase(server.url, `gloss_${name}`)
      return `${server.url}gloss_${name}`
    },
    close: () => server.stop(),
  }
}

const progress = (line: string): void => void process.stderr.write(`${line}\n`)

/** Builds a store of this many values. */
async function build(url: string, values: number, loader: Loader): Promise<void> {
  const begin = performance.now()
  progress(`Building ${url.replace(/\/\/.*@/, '//')} of ${values.toLocaleString('en')} values ...`)
  const store = createStore(url)
  const tags = catalogueTags(values)
  try {
    await store.migrate()
    await bootstrap(store)
    await makeUsersAndTags(store, tags)
  } finally {
    await store.close()
  }
  await loader.open()
  const ids = await loader.tagIds()
  const idOf = (path: string): number => ids.get(path) as number
  const userId = await loader.userId(OWNER.username)
  const written = [{ path: SYSTEM_TAGS.about.path, ...ABOUT_TAG(values) }, ...tags]
  const inOrder = written.toSorted((a, b) => idOf(a.path) - idOf(b.path))
  await loader.load(TAG_VALUES, valueRows(inOrder, values, idOf, userId))
  await loader.load(TERMS, termRows(inOrder, values, idOf))
  await loader.load(ABOUT_VALUES, aboutRows(values))
  await loader.finish()
  progress(`... took ${Math.round((performance.now() - begin) / 1000)} s.`)
}

/** The system tag with the about values of the books. */
const ABOUT_TAG = (values: number): Omit<CatalogueTag, 'path'> => ({
  indexed: true,
  count: aboutCount(values),
  value: (book) => stringValue(aboutOf(book)),
})

async function makeUsersAndTags(
  store: ReturnType<typeof createStore>,
  tags: readonly CatalogueTag[],
): Promise<void> {
  for (const { username, password } of [OWNER, READER]) {
    const passwordHash = await hashPassword(password)
    const name = readNewUsername(username)
    await store.write(SERVICE, (tx) => createUser(tx, permitUserCreation(tx, name), name, { passwordHash }))
  }
  const written = Object.values(WRITTEN).map((path) => ({ path, indexed: false }))
  for (const { path, indexed } of [...tags, ...written]) {
    const [parent, name] = [parentOf(path as Path) ?? '', baseName(path as Path)]
    await store.write(SERVICE, (tx) => createTag(tx, { parent, name, description: '', indexed }))
  }
}

type ValueOfRow = Record<string, string | number | Buffer | null>

/** The books that have a tag; for about values, the first ones up to a number. */
const booksOf = (tag: CatalogueTag, values: number): Iterable<number> =>
  tag.path === SYSTEM_TAGS.about.path ? Array(tag.count).keys() : booksWith(tag, values)

const UPDATED_AT = Date.UTC(2025, 6, 1) * 1000

function* valueRows(
  tags: readonly CatalogueTag[],
  values: number,
  idOf: (path: string) => number,
  userId: number,
): Generator<ValueOfRow> {
  for (const tag of tags) {
    progress(`  ${tag.path}: ${tag.count.toLocaleString('en')} values`)
    for (const book of booksOf(tag, values)) {
      const { type, sortKey, content } = new Encoded(tag.value(book))
      yield {
        tag_id: idOf(tag.path),
        object_id: bookId(book),
        type,
        sort_key: sortKey,
        content,
        size: content.length,
        content_type: null,
        updated_at: UPDATED_AT + book,
        user_id: userId,
      }
    }
  }
}

function* termRows(
  tags: readonly CatalogueTag[],
  values: number,
  idOf: (path: string) => number,
): Generator<ValueOfRow> {
  for (const tag of tags.filter(({ indexed }) => indexed)) {
    progress(`  ${tag.path}: terms`)
    const books = new Map<Term, number[]>()
    for (const book of booksOf(tag, values)) {
      for (const term of new Set(new Encoded(tag.value(book)).terms(true))) {
        const found = books.get(term)
        if (found === undefined) books.set(term, [book])
        else found.push(book)
      }
    }
    for (const term of [...books.keys()].sort()) {
      const bytes = termBytes(term)
      for (const book of books.get(term) ?? []) {
        yield { tag_id: idOf(tag.path), term: bytes, object_id: bookId(book) }
      }
    }
  }
}

function* aboutRows(values: number): Generator<ValueOfRow> {
  const hashes = Array.from({ length: aboutCount(values) }, (_, book) => ({
    hash: sha256(aboutOf(book)),
    book,
  }))
  hashes.sort((a, b) => a.hash.compare(b.hash))
  for (const { hash, book } of hashes) yield { about_hash: hash, object_id: bookId(book) }
}
