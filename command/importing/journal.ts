/** Records the position of an import in a file beside the data, so that a user can resume it after any interruption. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, misuse } from '../../common/failure.ts'
import type { Mapping } from '../../common/importing/mapping.ts'
import type { Source } from './source.ts'
import type { Position } from '../../common/importing/transfer.ts'

/** The facts that identify an unchanged file. */
interface Identity {
  readonly size: number
  readonly modified: number
  /** The SHA-256 of its first mebibyte. */
  readonly beginning: string
}

interface Kept extends Position {
  readonly 'gloss-import': 1
  readonly url: string
  readonly user: string | null
  readonly identity: Identity
  readonly mapping: Mapping
  /** The folder of `--files-from`. */
  readonly files?: string | undefined
  readonly undo: number | null
}

/** The state from which an import resumes. */
export interface Begun {
  readonly url: string
  readonly user: string | undefined
  readonly mapping: Mapping
  /** The folder of `--files-from`. */
  readonly files?: string | undefined
  /** The record with which the import can be taken back. */
  readonly undo?: number | undefined
  readonly position: Position
}

const SUFFIX = '.gloss-import'

/** The journal of an import of this file. */
export const journalOf = (file: string): string => `${file}${SUFFIX}`

/** Returns whether an import of this file has begun and not ended. */
export const hasJournal = (file: string): boolean => existsSync(journalOf(file))

/** The file in this folder whose import has not ended. Throws a `Failure` if there is none, or more than one. */
export function unfinished(folder = '.'): string {
  const [first, ...others] = readdirSync(folder).filter((name) => name.endsWith(SUFFIX))
  if (first === undefined)
    throw misuse('no import has been interrupted here', 'name the file: gloss import FILE --resume')
  const name = first.slice(0, -SUFFIX.length)
  if (others.length === 0) return name
  throw misuse(
    'several imports have been interrupted here',
    `name the file, such as gloss import ${name} --resume`,
  )
}

/** Reads the journal of an import of this file. Throws a `Failure` if the file has changed since. */
export function readJournal(file: string): Begun {
  if (!hasJournal(file)) {
    throw misuse(
      `no import of '${file}' has been interrupted`,
      'begin one: the same command without --resume',
    )
  }
  const { url, user, identity, mapping, files, undo, rows, written, refused, refusedOctets } = parse(
    journalOf(file),
  )
  const position = { rows, written, refused, refusedOctets }
  if (JSON.stringify(identity) !== JSON.stringify(identityOf(file))) {
    throw misuse(
      `'${file}' has changed since its import was interrupted`,
      `delete ${journalOf(file)} and import the file again; what is written already stays as it is`,
    )
  }
  return { url, user: user ?? undefined, mapping, files, undo: undo ?? undefined, position }
}

function parse(file: string): Kept {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept
  } catch (error) {
    throw misuse(
      `'${file}' cannot be read: ${(error as Error).message}`,
      'delete it and import the file again',
    )
  }
}

const BEGINNING_OCTETS = 1024 * 1024

function identityOf(file: string): Identity {
  const descriptor = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(BEGINNING_OCTETS)
    const length = readSync(descriptor, buffer, 0, BEGINNING_OCTETS, 0)
    const beginning = createHash('sha256').update(buffer.subarray(0, length)).digest('hex')
    const { size, mtimeMs } = fstatSync(descriptor)
    return { size, modified: mtimeMs, beginning }
  } finally {
    closeSync(descriptor)
  }
}

/** The journal of an import in progress. There is none for standard input, which the command cannot read twice. */
export class Journal {
  readonly #file: string | undefined
  readonly #kept: Omit<Kept, keyof Position>

  constructor({ file }: Source, { url, user, mapping, files, undo }: Omit<Begun, 'position'>) {
    this.#file = file === undefined ? undefined : journalOf(file)
    const identity = file === undefined ? { size: 0, modified: 0, beginning: '' } : identityOf(file)
    this.#kept = { 'gloss-import': 1, url, user: user ?? null, identity, mapping, files, undo: undo ?? null }
  }

  /** Writes a position to disk, so that it survives a loss of power. Throws a `Failure` if it cannot write. */
  keep(position: Position): void {
    if (this.#file === undefined) return
    try {
      writeSafely(this.#file, JSON.stringify({ ...this.#kept, ...position }))
    } catch (error) {
      throw new Failure(
        `'${this.#file}' cannot be written, in which it is kept how far the import is: ${(error as Error).message}`,
        'copy the file into a folder that you may write in, or pass it in by standard input: gloss import -',
        1,
        { cause: error },
      )
    }
  }

  /** Deletes the journal after a complete import. */
  end(): void {
    if (this.#file !== undefined) rmSync(this.#file, { force: true })
  }
}

/** Replaces a file atomically. */
function writeSafely(file: string, text: string): void {
  const part = join(dirname(file), `.${basename(file)}.part`)
  const descriptor = openSync(part, 'w', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(part, file)
}
