/** `gloss ls`: prints namespaces and tags as a tree or as rows. */
import stringWidth from 'string-width'
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { ServiceError } from '../../packages/client/index.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { visible, type Cell } from '../../common/values.ts'
import { formatOf, show, writeTo, type OutputOptions } from '../terminal/output.ts'
import { fitted } from '../terminal/table.ts'
import { styled, tell, terminalWidth } from '../terminal/terminal.ts'
import { describeTags, listAll, listNamespace, type Entry } from './namespaces.ts'

interface Options extends ConnectionOptions, OutputOptions {
  readonly depth?: number
}

/** The default number of levels. */
const DEPTH = 2

const COLUMNS = ['path', 'kind', 'description', 'private']

export async function run([name = '/']: readonly string[], options: Options): Promise<undefined> {
  const connection = await connect(options)
  const { depth = DEPTH } = options
  const path = canonical(name)
  const found =
    path === ''
      ? await listAll(connection, depth)
      : [await withSpelling(connection, () => listOne(connection, path, depth))]
  const asTree = formatOf(options) === 'table' && options.columns === undefined
  if (asTree) await writeTo(undefined, lines(found))
  else await show({ columns: COLUMNS, rows: rowsOf(found) }, options)
  if (asTree && hasPrivate(found)) tell(`${LOCK} not for everybody`)
  return undefined
}

/** The path in the form of the service: user names in lower case, no slash at its end. */
const canonical = (path: string): string =>
  path.replace(/(?<!\/)\/+$/, '').replace(/^[^/]+/, (user) => user.toLowerCase())

/** A namespace; if it does not exist, the tag of that path. */
async function listOne(connection: Connection, path: string, depth: number): Promise<Entry> {
  try {
    return await listNamespace(connection, path, depth)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errorClass !== 'TNonexistentNamespace') throw error
    const isTag = await connection.client
      .GET('/tags/{tag_path}', { params: { path: { tag_path: path } } })
      .catch(() => undefined)
    const [tag] = isTag === undefined ? [] : await describeTags(connection, [path])
    if (tag === undefined) throw error
    return tag
  }
}

function* rowsOf(entries: readonly Entry[]): Generator<readonly Cell[]> {
  for (const entry of entries) {
    yield [entry.path, entry.kind, descriptionOf(entry), entry.private]
    yield* rowsOf(entry.entries ?? [])
  }
}

const hasPrivate = (entries: readonly Entry[]): boolean =>
  entries.some((entry) => entry.private || hasPrivate(entry.entries ?? []))

const LOCK = '🔒'

/** A line of the tree: its prefix, its name and its description. */
interface Line {
  readonly branch: string
  readonly name: string
  readonly entry: Entry
}

/** The share of the terminal width for names, if there are descriptions. */
const NAMES = 0.6
const GAP = '  '

async function* lines(entries: readonly Entry[]): AsyncGenerator<string> {
  const all = entries.flatMap((entry) => treeOf(entry, entry.path, '', ''))
  const width = terminalWidth()
  const widest = Math.max(0, ...all.map(({ branch, name }) => stringWidth(branch + name)))
  const left = Math.min(widest, Math.floor(width * NAMES))
  for (const { branch, name, entry } of all) {
    const description = visible(descriptionOf(entry))
    const shown = branch + name
    const room = width - GAP.length - Math.max(left, Math.min(stringWidth(shown), width - GAP.length))
    if (description === '' || room < 1) yield `${fitted(shown, width).trimEnd()}\n`
    else {
      const padded = shown + ' '.repeat(Math.max(0, left - stringWidth(shown)))
      yield `${padded}${GAP}${styled('dim', fitted(description, room).trimEnd())}\n`
    }
  }
}

function treeOf(entry: Entry, label: string, branch: string, below: string): Line[] {
  const slash = entry.kind === 'namespace' ? '/' : ''
  const name = `${visible(label)}${slash}${entry.more ? ' …' : ''}${entry.private ? ` ${LOCK}` : ''}`
  const entries = entry.entries ?? []
  return [
    { branch, name, entry },
    ...entries.flatMap((one, index) => {
      const last = index === entries.length - 1
      const lastName = one.path.slice(one.path.lastIndexOf('/') + 1)
      return treeOf(one, lastName, `${below}${last ? '└── ' : '├── '}`, `${below}${last ? '    ' : '│   '}`)
    }),
  ]
}

/**
 * The description that a user has written. A new namespace or tag has the about value of its object as description; this
 * function omits it.
 */
function descriptionOf({ path, description }: Entry): string {
  const made = [`Object for the namespace ${path}`, `Object for the attribute ${path}`]
  return made.includes(description) ? '' : description
}
