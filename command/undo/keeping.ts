/** Keeps what was there before a command changes it. What cannot be kept is said, and changed all the same. */
import type { Connection } from '../connection/connect.ts'
import { found } from '../connection/search.ts'
import { faultsOf } from '../../common/connection/access.ts'
import { Keeper, type Write } from '../../common/undoing/keeping.ts'
import { Reader, Unkept, type Attempt } from '../../common/undoing/reading.ts'
import type { State } from '../../common/undoing/states.ts'
import { foldPath } from '../../src/model/paths.ts'
import { visible } from '../../common/values.ts'
import { ServiceError } from '../../packages/client/index.ts'
import { tell, warn } from '../terminal/terminal.ts'
import { forget, keptIds, MOST_VALUES, Record } from './record.ts'

/** The longest command line in a record, in characters. */
const LONGEST = 200
/** The number of objects in a part of a record. */
const OBJECTS = 1000

/** What is told of the change, beside the service and the user. */
export interface About {
  /** The journal of an import, and the record that it continues. */
  readonly journal?: string | undefined
  readonly id?: number | undefined
  /** How requests are sent; by default once. */
  readonly attempt?: Attempt
}

const once: Attempt = async (work) => {
  await work()
  return undefined
}

/** The values before a change, on their way into a record. */
export class Keeping {
  readonly #connection: Connection
  readonly #reader: Reader
  readonly #keeper: Keeper
  readonly #told = new Set<string>()
  #record: Record | undefined
  #isOver = false

  constructor(connection: Connection, { journal, id, attempt = once }: About = {}) {
    this.#connection = connection
    this.#reader = new Reader(connection.client, attempt)
    this.#keeper = new Keeper(connection.client, this.#reader, attempt)
    const { url, user = null } = connection
    const command = `gloss ${process.argv.slice(2).join(' ')}`
    const change = {
      time: new Date().toISOString(),
      url,
      user,
      command: command.length > LONGEST ? `${command.slice(0, LONGEST)}…` : command,
      ...(journal === undefined ? {} : { journal }),
    }
    this.#unlessUnkept(() => {
      this.#record = id !== undefined && keptIds().includes(id) ? Record.open(id) : Record.begin(change)
    })
  }

  /** The record. */
  get id(): number | undefined {
    return this.#record?.id
  }

  /** Keeps what was there before these writes. */
  async keep(writes: readonly Write[]): Promise<void> {
    await this.#tryTo(async (record) => {
      const { changes, isCut } = await this.#keeper.before(writes)
      this.#tellUnreadable()
      if (isCut) this.#tellOnce('the about value of an object is too long')
      record.add(changes)
    })
  }

  /** Keeps what the objects that a query finds have of these tags, with the values that the change writes. */
  async keepFound(query: string, values: ReadonlyMap<string, State>): Promise<void> {
    await this.#tryTo(async (record) => {
      const writes = new Map([...values].map(([tag, state]) => [foldPath(tag), state]))
      const tags = [...writes.keys()]
      const faults = await faultsOf(this.#connection.client, tags)
      for (const [index, tag] of tags.entries())
        if (faults[index] === 'TPathPermissionDenied') this.#reader.unreadable.add(tag)
      this.#tellUnreadable()
      const readable = tags.filter((_, index) => faults[index] === undefined)
      let part = []
      for await (const object of found(this.#connection, { query, tags: readable })) {
        const { id } = object
        const change = await this.#keeper.changed({ id }, object, writes)
        if (Object.keys(change.values).length > 0) part.push(change)
        if (part.length < OBJECTS) continue
        record.add(part)
        part = []
      }
      record.add(part)
    })
  }

  /** Makes a change that is made as a whole or not at all. One that the service refuses is not kept. */
  async during(change: () => Promise<unknown>, isQuiet = false): Promise<void> {
    try {
      await change()
    } catch (error) {
      if (error instanceof ServiceError && this.#record !== undefined) forget(this.#record.id)
      throw error
    }
    this.end(isQuiet)
  }

  /** Says how the change can be taken back, if it can; `isQuiet` only ends the record. */
  end(isQuiet = false): void {
    const record = this.#record
    if (record === undefined) return
    this.#record = undefined
    const { id, values } = record
    record.close()
    if (values > 0 && !isQuiet) tell('Take it back with: gloss undo')
    if (values === 0) forget(id)
  }

  /** Runs work, unless something could not be kept before. */
  async #tryTo(work: (record: Record) => Promise<void>): Promise<void> {
    if (this.#isOver || this.#record === undefined) return
    try {
      await work(this.#record)
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #unlessUnkept(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#giveUp(error)
    }
  }

  /** Throws errors that the change itself will meet, too. */
  #giveUp(error: unknown): void {
    const isRefused = error instanceof ServiceError && error.errorClass !== undefined
    const isOfFiles = error instanceof Error && 'syscall' in error
    if (!isRefused && !isOfFiles && !(error instanceof Unkept)) throw error
    this.#isOver = true
    this.#tellOnce(error.message)
  }

  #tellUnreadable(): void {
    for (const tag of this.#reader.unreadable) this.#tellOnce(`you may not read ${visible(tag)}`)
  }

  #tellOnce(reason: string): void {
    if (this.#told.has(reason)) return
    this.#told.add(reason)
    const what = this.#isOver ? 'What is changed from here on' : 'A part of this'
    warn(`${what} cannot be taken back: ${reason}`)
  }
}

/** Says before a change that it is too large to be taken back. Returns whether it is. */
export function isTooLarge(objects: number, tags: number): boolean {
  if (objects * tags <= MOST_VALUES) return false
  warn(`This cannot be taken back: it changes more than ${MOST_VALUES.toLocaleString('en')} values.`)
  return true
}
