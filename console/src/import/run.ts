/** A running import, which continues while the user visits other pages. */
import { computed, signal, type ReadonlySignal } from '@preact/signals'
import { Converter, noFile } from '../../../common/importing/converting.ts'
import type { Row } from '../../../common/importing/fields.ts'
import type { Mapping } from '../../../common/importing/mapping.ts'
import type { Objects } from '../../../common/importing/objects.ts'
import { chosenRows } from '../../../common/importing/repeats.ts'
import { putElements, Sender } from '../../../common/importing/sending.ts'
import { BEGINNING, Transfer, type Position } from '../../../common/importing/transfer.ts'
import { Failure } from '../../../common/failure.ts'
import { onOtherUser } from '../parts/other-user.ts'
import { client, user } from '../service/service.ts'
import { RefusedFile } from './refused.ts'
import { readRows } from '../../../common/importing/rows.ts'
import { readTexts } from './source.ts'

/** The state of an import. */
export interface Progress {
  readonly position: Position
  readonly state: 'running' | 'paused' | 'cancelled' | 'done' | 'failed'
  /** The approximate number of rows; undefined if unknown. */
  readonly total: number | undefined
  /** Milliseconds of work, without pauses. */
  readonly took: number
  /** The reason why the import waits. */
  readonly waiting: string | undefined
  readonly error: unknown
}

/** One import. */
export class Run {
  readonly file: File
  readonly mapping: Mapping
  /** The objects of all its rows. */
  readonly objects: Objects
  readonly refused: RefusedFile
  readonly #progress = signal<Progress>({
    position: BEGINNING,
    state: 'running',
    total: undefined,
    took: 0,
    waiting: undefined,
    error: undefined,
  })
  readonly #stop = new AbortController()
  #resumed = Promise.resolve()
  #resume = (): void => undefined
  #since = performance.now()
  #read = 0
  #share: () => number | undefined = () => undefined

  constructor(file: File, mapping: Mapping, objects: Objects) {
    this.file = file
    this.mapping = mapping
    this.objects = objects
    this.refused = new RefusedFile(mapping.columns.map(({ column }) => column))
  }

  get progress(): ReadonlySignal<Progress> {
    return this.#progress
  }

  get isOver(): boolean {
    return !['running', 'paused'].includes(this.#progress.value.state)
  }

  /** Sends all rows. It ends when all are written, when the user cancels it, or at an error that concerns all rows. */
  async start(): Promise<void> {
    addEventListener('beforeunload', warn)
    try {
      await this.#transfer()
      this.#note({ state: this.#stop.signal.aborted ? 'cancelled' : 'done' })
    } catch (error) {
      this.#note({ state: 'failed', error })
    } finally {
      removeEventListener('beforeunload', warn)
    }
  }

  /** Waits for the current requests, and sends no more until `resume`. */
  pause(): void {
    if (this.#progress.value.state !== 'running') return
    this.#resumed = new Promise((resolve) => {
      this.#resume = resolve
    })
    this.#note({ state: 'paused' })
  }

  /** Continues after a pause. */
  resume(): void {
    if (this.#progress.value.state !== 'paused') return
    this.#since = performance.now()
    this.#note({ state: 'running' })
    this.#resume()
  }

  /** Cancels the import. Written values remain. */
  cancel(): void {
    this.#stop.abort(new Failure('cancelled', ''))
    this.resume()
  }

  async #transfer(): Promise<void> {
    // A later sign-in or sign-out does not affect this import.
    const asked = client()
    const { signal } = this.#stop
    const sender = new Sender({
      put: (elements) => putElements(asked, elements),
      isAway: (error) => error instanceof TypeError,
      reasonOf: ({ message }) => message,
      signal,
      waiting: (seconds, why) => this.#note({ waiting: `${why}; trying again in ${seconds} s` }),
    })
    const transfer = new Transfer(
      {
        sender,
        journal: { keep: () => undefined },
        refusedRows: this.refused,
        progressed: (position) => this.#note({ position, waiting: undefined }),
      },
      BEGINNING,
    )
    const { texts, share } = readTexts(this.file, this.mapping.encoding)
    this.#share = share
    const { rows } = await readRows(texts, this.mapping.format)
    const chosen = chosenRows(this.#watched(rows), this.mapping, this.objects)
    await transfer.run(chosen, new Converter(this.mapping, noFile), signal)
  }

  /** Counts the rows, and holds them back during a pause. */
  async *#watched(rows: AsyncGenerator<Row>): AsyncGenerator<Row> {
    for await (const row of rows) {
      await this.#resumed
      if (this.#stop.signal.aborted) return
      this.#read = row.number
      yield row
    }
  }

  #note(changes: Partial<Progress>): void {
    const before = this.#progress.peek()
    const now = performance.now()
    const took = before.state === 'running' ? before.took + now - this.#since : before.took
    this.#since = now
    const share = this.#share()
    const total = share === undefined || share === 0 ? undefined : Math.round(this.#read / share)
    this.#progress.value = { ...before, took, total, ...changes }
  }
}

type Name = string | undefined

/** The latest import of each user. Users see only their own. */
const runs = signal<ReadonlyMap<Name, Run>>(new Map())

/** The running or latest import of the user. */
export const run: ReadonlySignal<Run | undefined> = computed(() => runs.value.get(user.value?.name))

/** Starts the import of a file. */
export function begin(file: File, mapping: Mapping, objects: Objects): void {
  const begun = new Run(file, mapping, objects)
  runs.value = new Map([...runs.value, [user.peek()?.name, begun]])
  void begun.start()
}

/** Forgets the import of the user, if it has ended. */
export function forget(): void {
  forgetOf(user.peek()?.name)
}

function forgetOf(name: Name): void {
  if (runs.peek().get(name)?.isOver === true)
    runs.value = new Map([...runs.peek()].filter(([one]) => one !== name))
}

onOtherUser(forgetOf)

/** Asks for confirmation when the user leaves the page. */
const warn = (event: Event): void => {
  event.preventDefault()
}
