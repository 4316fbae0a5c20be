/** Sends rows with the files that they name. */
import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Client, ServiceError } from '../../packages/client/index.ts'
import { parseExact } from '../../packages/client/json.ts'
import type { Address } from '../../common/connection/addresses.ts'
import { explain } from '../terminal/explanations.ts'
import { NoAnswer } from '../connection/no-answer.ts'
import type { FileValue, FindFile, Ready } from '../../common/importing/converting.ts'
import { Refusal, type RefusedRow } from '../../common/importing/refusals.ts'
import { putElements, Sender, type Sending } from '../../common/importing/sending.ts'
import type { Write } from '../../common/undoing/keeping.ts'
import type { PrimitiveState, State } from '../../common/undoing/states.ts'

/**
 * Finds files in a folder and below it. The names come from the data, so they must not lead to other files of the user,
 * not even over a symbolic link.
 */
export const filesIn =
  (folder: string): FindFile =>
  (name) => {
    const file = join(folder, name)
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      return new Refusal(`there is no file ${JSON.stringify(name)}`)
    }
    const real = realpathSync(file)
    return real.startsWith(join(realpathSync(folder), sep))
      ? real
      : new Refusal(
          `the file ${JSON.stringify(name)} is outside of the folder; --files-from names another one`,
        )
  }

/** What a row writes. Of a file it has the SHA-256. */
async function writeOf({ target, element, files }: Ready): Promise<Write> {
  const [, primitives] = parseExact(element) as [string, Readonly<Record<string, PrimitiveState>>]
  const values = new Map<string, State>(Object.entries(primitives))
  for (const { tag, file, contentType } of files) {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
    values.set(tag, { 'content-type': contentType, sha256: hash.digest('hex') })
  }
  return { target, values }
}

/** Sends rows: first their values in batches, then each of their files. */
export class RowSender {
  readonly #client: Client
  readonly #sender: Sender
  readonly #keep: (writes: readonly Write[]) => Promise<void>

  /** `keep` keeps what was there before values are written. */
  constructor(
    client: Client,
    how: Pick<Sending, 'signal' | 'waiting'>,
    keep: (writes: readonly Write[]) => Promise<void>,
  ) {
    this.#client = client
    this.#keep = keep
    this.#sender = new Sender({
      ...how,
      put: (elements) => putElements(client, elements),
      isAway: (error) => error instanceof NoAnswer,
      reasonOf,
    })
  }

  /** Writes these rows, and returns the rows that the service refuses. Throws errors that concern all rows. */
  async send(rows: readonly Ready[]): Promise<RefusedRow[]> {
    await this.#keep(await Promise.all(rows.map(writeOf)))
    const refused = await this.#sender.send(rows)
    const done = new Set(refused.map(({ row }) => row))
    for (const { row, target, files } of rows) {
      if (done.has(row)) continue
      const reason = await this.#sendFiles(target, files)
      if (reason !== undefined) refused.push({ row, reason })
    }
    return refused
  }

  /** Returns the reason why the service refused a file. */
  async #sendFiles(target: Address, files: readonly FileValue[]): Promise<string | undefined> {
    for (const value of files) {
      const reason = await this.#sender.attempt(() => this.#putFile(target, value))
      if (reason !== undefined) return `${value.file}: ${reason}`
    }
    return undefined
  }

  async #putFile(target: Address, { tag, file, contentType }: FileValue): Promise<void> {
    const sent = {
      body: (await openAsBlob(file)) as never,
      bodySerializer: (blob: unknown) => blob as Blob,
      headers: { 'Content-Type': contentType },
    }
    if ('id' in target) {
      const path = { object_id: target.id, tag_path: tag }
      await this.#client.PUT('/objects/{object_id}/{tag_path}', { params: { path }, ...sent })
    } else {
      const path = { about_value: target.about, tag_path: tag }
      await this.#client.PUT('/about/{about_value}/{tag_path}', { params: { path }, ...sent })
    }
  }
}

const reasonOf = (error: ServiceError): string =>
  `${explain(error).what} [${error.errorClass ?? error.status}]`
