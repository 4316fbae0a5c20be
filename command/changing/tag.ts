/** `gloss tag`: writes values on one object. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { lookup } from 'mime-types'
import { writeValue } from '../../packages/client/index.ts'
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { queryOf, type Address } from '../../common/connection/addresses.ts'
import { addressOf, inUrl } from '../connection/objects.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { Keeping } from '../undo/keeping.ts'
import { misuse } from '../../common/failure.ts'
import { printJson } from '../terminal/output.ts'
import type { State } from '../../common/undoing/states.ts'
import {
  askedType,
  assignmentsOf,
  entriesOf,
  pairsOf,
  statesOf,
  tellAll,
  valuesOf,
  type Assignment,
  type TypeOptions,
} from './assignments.ts'

interface Options extends ConnectionOptions, TypeOptions {
  readonly file?: true
  readonly mediaType?: string
  readonly json?: true
}

export async function run([name = '', ...words]: readonly string[], options: Options): Promise<undefined> {
  const work = options.file ? await withFiles(words, options) : withValues(words, options)
  const connection = await connect(options)
  const address = await addressOf(connection, name)
  const written = await withSpelling(connection, () => work(connection, address))
  if (options.json) printJson({ object: name, values: valuesOf(written) })
  return undefined
}

/** Writes values, and returns them. */
type Work = (connection: Connection, address: Address) => Promise<readonly Assignment[]>

/** Writes primitive values in one request: the service writes all of them or none. */
function withValues(words: readonly string[], options: Options): Work {
  if (options.mediaType !== undefined) throw misuse('only a file has a media type', 'say --file, too')
  const assignments = assignmentsOf(words, options)
  return async (connection, address) => {
    const keeping = new Keeping(connection)
    await keeping.keep([{ target: address, values: statesOf(assignments) }])
    const queries = [[queryOf(address), entriesOf(assignments)]]
    await keeping.during(() => connection.client.PUT('/values', { body: { queries } as never }), true)
    tellAll(assignments)
    return assignments
  }
}

/** Writes files as opaque values. It reads all files before it sends the first one. */
async function withFiles(words: readonly string[], options: Options): Promise<Work> {
  if (askedType(options) !== undefined) throw misuse('a file has no type of ours', 'say --media-type')
  const files = await Promise.all(
    pairsOf(words).map(async ({ tag, text }) => {
      if (text === undefined) throw misuse(`${tag} has no file`, `write ${tag}=FILE`)
      return { tag, bytes: await read(text), type: mediaType(text, options.mediaType) }
    }),
  )
  return async (connection, address) => {
    const place = await inUrl(connection, address, true)
    const written: Assignment[] = []
    const keeping = new Keeping(connection)
    await keeping.keep([{ target: place, values: new Map(files.map(stateOf)) }])
    for (const { tag, bytes, type } of files) {
      await writeValue(connection.client, { ...place, tag }, { type: 'opaque', contentType: type, bytes })
      const assignment = { tag, value: { 'value-type': type, size: bytes.length } }
      tellAll([assignment])
      written.push(assignment)
    }
    keeping.end(true)
    return written
  }
}

interface OpaqueFile {
  readonly tag: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
}

const stateOf = ({ tag, bytes, type }: OpaqueFile): [string, State] => [
  tag,
  { 'content-type': type, sha256: createHash('sha256').update(bytes).digest('hex') },
]

/** Reads the bytes of a file; `-` stands for standard input. Throws a `Failure` if it cannot read the file. */
async function read(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(file === '-' ? await buffer(process.stdin) : await readFile(file))
  } catch (error) {
    throw misuse(`'${file}' cannot be read`, (error as Error).message)
  }
}

/** The given media type, or else the type for the extension of the file, or else `application/octet-stream`. */
const mediaType = (file: string, given: string | undefined): string =>
  given ?? (lookup(file) || 'application/octet-stream')
