/** The rows of a table: a growing list that loads page by page, as far as the user scrolls. */
import { computed, signal, type ReadonlySignal } from '@preact/signals'
import type { Found, Page } from '../service/page.ts'

/** A page to fetch. */
export interface PageAsked {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly count?: string
}

/** Fetches a page of the results of one query in one order. */
export type FetchPage = (asked: PageAsked, signal: AbortSignal) => Promise<Page>

/** The state of the rows. */
export interface RowState {
  /** The number of loaded rows. */
  readonly known: number
  /** Whether all rows are loaded. */
  readonly complete: boolean
  /** The number of matches; undefined until the count arrives. */
  readonly count: number | 'too many' | undefined
  /** Milliseconds until the first page arrived; undefined before. */
  readonly took: number | undefined
  readonly loading: boolean
  /** The error that stopped the loading. */
  readonly error: unknown
  /** Increases with each row that changes. */
  readonly version: number
}

/** Whether there are rows to show. */
export type Outcome = 'unknown' | 'some' | 'none' | 'failed'

const outcomeOf = ({ known, complete, error }: RowState): Outcome =>
  known > 0 ? 'some' : error !== undefined ? 'failed' : complete ? 'none' : 'unknown'

/** Rows from one request. */
interface Chunk {
  readonly from: number
  readonly length: number
  readonly cursor: string | undefined
  readonly next: string | undefined
  readonly stale: boolean
}

/**
 * The number of objects in the first page, so that rows appear soon. Later pages have many objects if many are missing.
 */
const FIRST = 100
const USUAL = 200
const LARGEST = 1000
/** The number of rows to load beyond the visible ones. */
const AHEAD = 200
/** The most rows: browsers limit scroll bars to about 17 million pixels, and memory is limited. */
export const MOST_ROWS = 250_000
/** This count costs almost nothing, and gives pages also if there are too many matches to count. */
const UNCOUNTED = 'upto:1'

/** The results of one query, in one order, with one choice of columns. */
export class Rows {
  readonly #fetch: FetchPage
  /** Shown until the first page arrives. */
  readonly #sample: readonly Found[]
  readonly #rows: Found[] = []
  readonly #state = signal<RowState>({
    known: 0,
    complete: false,
    count: undefined,
    took: undefined,
    loading: false,
    error: undefined,
    version: 0,
  })
  #chunks: Chunk[] = []
  #wanted = { from: 0, to: 1 }
  #counted = false
  #work: AbortController | undefined

  /** The number of matches. Components that show only this do not render with each page. */
  readonly count = computed(() => this.#state.value.count)
  readonly outcome = computed(() => outcomeOf(this.#state.value))

  constructor(fetch: FetchPage, sample: readonly Found[] = []) {
    this.#fetch = fetch
    this.#sample = sample
  }

  get state(): ReadonlySignal<RowState> {
    return this.#state
  }

  /** A row; undefined until it is loaded. */
  at(index: number): Found | undefined {
    return this.#shown[index]
  }

  /** The first rows, as far as they are loaded. */
  first(count: number): readonly Found[] {
    return this.#shown.slice(0, count)
  }

  get #shown(): readonly Found[] {
    return this.#chunks.length === 0 ? this.#sample : this.#rows
  }

  /** Sets the visible rows. The list loads missing ones, and some more. */
  need(from: number, to: number): void {
    this.#wanted = { from, to }
    if (this.#work === undefined && this.#state.value.error === undefined) void this.#run()
  }

  /** Loads the visible rows again, because they may have changed. */
  refresh(): void {
    this.#chunks = this.#chunks.map((chunk) => ({ ...chunk, stale: true }))
    this.#counted = false
    this.retry()
  }

  /** Continues after an error. */
  retry(): void {
    this.#set({ error: undefined })
    this.need(this.#wanted.from, this.#wanted.to)
  }

  /** Aborts the current request; the rows remain. */
  stop(): void {
    this.#work?.abort()
    this.#work = undefined
    this.#set({ loading: false })
  }

  async #run(): Promise<void> {
    const work = new AbortController()
    this.#work = work
    this.#set({ loading: true })
    try {
      for (let step = this.#next(); step !== undefined && !work.signal.aborted; step = this.#next()) {
        await step(work.signal)
      }
      if (!work.signal.aborted) this.#set({ loading: false })
    } catch (error) {
      if (!work.signal.aborted) this.#set({ loading: false, error })
    } finally {
      if (this.#work === work) this.#work = undefined
    }
  }

  /** The next request; undefined if all needed rows are loaded. */
  #next(): ((signal: AbortSignal) => Promise<void>) | undefined {
    const { from, to } = this.#wanted
    const old = this.#chunks.findIndex(
      (chunk) => chunk.stale && chunk.from < to && chunk.from + chunk.length >= from,
    )
    if (old >= 0) return (signal) => this.#fetchAgain(old, signal)
    const { known, complete } = this.#state.value
    const missing = Math.min(to + AHEAD, MOST_ROWS) - known
    if (known === 0 && !complete) return (signal) => this.#fetchMore(FIRST, signal)
    if (!this.#counted) return (signal) => this.#count(signal)
    if (complete || missing <= 0) return undefined
    return (signal) => this.#fetchMore(missing > LARGEST ? LARGEST : USUAL, signal)
  }

  async #fetchMore(limit: number, signal: AbortSignal): Promise<void> {
    const cursor = this.#chunks.at(-1)?.next
    const began = performance.now()
    const { results, next } = await this.#page({ cursor, limit, count: UNCOUNTED }, signal)
    const from = this.#rows.length
    for (const found of results) this.#rows.push(found)
    this.#chunks.push({ from, length: results.length, cursor, next, stale: false })
    const { took = performance.now() - began } = this.#state.value
    this.#settle({ took })
  }

  /** Loads a page again. Later pages remain only if the page ends at the same object as before. */
  async #fetchAgain(place: number, signal: AbortSignal): Promise<void> {
    const chunk = this.#chunks[place]
    if (chunk === undefined) return
    const limit = Math.max(chunk.length, FIRST)
    const { results, next } = await this.#page({ cursor: chunk.cursor, limit, count: UNCOUNTED }, signal)
    const isAlike = next === chunk.next && results.length === chunk.length
    const replaced = isAlike ? chunk.length : this.#rows.length - chunk.from
    this.#rows.splice(chunk.from, replaced, ...results)
    const fresh = { ...chunk, length: results.length, next, stale: false }
    this.#chunks = this.#chunks.toSpliced(place, isAlike ? 1 : this.#chunks.length - place, fresh)
    this.#settle({ version: this.#state.value.version + 1 })
  }

  /** Counts all matches, unless all of them are loaded. */
  async #count(signal: AbortSignal): Promise<void> {
    if (!this.#state.value.complete) {
      try {
        const { count } = await this.#page({ limit: 1, count: 'exact' }, signal)
        this.#set({ count })
      } catch (error) {
        if (!isTooMuch(error)) throw error
        this.#set({ count: 'too many' })
      }
    }
    this.#counted = true
  }

  async #page(asked: PageAsked, signal: AbortSignal): Promise<Page> {
    const page = await this.#fetch(asked, signal)
    signal.throwIfAborted()
    return page
  }

  #settle(changes: Partial<RowState>): void {
    const known = this.#rows.length
    const complete = this.#chunks.at(-1)?.next === undefined
    this.#set({ known, complete, ...(complete && { count: known }), ...changes })
  }

  #set(changes: Partial<RowState>): void {
    this.#state.value = { ...this.#state.value, ...changes }
  }
}

/** Returns whether the service refused because the count would cost too much; the rows are available without it. */
const isTooMuch = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === 413
