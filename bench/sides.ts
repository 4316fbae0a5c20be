/** The sides of a comparison on one store: Gloss over HTTP, and hand-written SQL with and without HTTP. */
import { readFileSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../src/data/values/encoding.ts'
import { OWNER, READER } from './catalogue.ts'
import { basic, HttpClient } from './http.ts'
import { cpuMs, startByHand, startGloss, type ByHandProcess, type Gloss } from './processes.ts'
import { median, type Rounds } from './statistics.ts'
import type { DatabaseKind, Stores } from './store.ts'

/** A store on which both sides run. */
export interface Sides {
  readonly kind: DatabaseKind
  /** The size of the store. */
  readonly values: number
  readonly databaseUrl: string
  readonly gloss: Gloss
  readonly byHand: ByHandProcess
  /** Clients of Gloss: as the owner of the catalogue, and as another user. */
  readonly owner: HttpClient
  readonly reader: HttpClient
  /** The client of the plain server. */
  readonly bare: HttpClient
  /** The processes of the database; none if it runs within the service. */
  readonly databasePids: readonly number[]
  /** Finds the fastest form of a work, unless an earlier run did; returns that form and its result. */
  choose(work: string): Promise<Choice>
  close(): Promise<void>
}

export interface Choice {
  readonly form: readonly string[]
  readonly count: number
  readonly sum: string | undefined
  /** The content of the answer, if it is more than ids or a number. */
  readonly answer: unknown
}

/** The duration of each kind of measurement. */
export interface Patience {
  /** For a query, with all contenders. */
  readonly question: Rounds
  /** For bulk work. */
  readonly bulk: Rounds
  /** For a load: its duration in each round in milliseconds, and the number of rounds. */
  readonly loadMs: number
  readonly loadRounds: number
}

/** Starts both sides on a store of this size. */
export async function openSides(stores: Stores, values: number): Promise<Sides> {
  const url = await stores.provide(values)
  const [gloss, byHand] = await Promise.all([startGloss(url), startByHand(url)])
  const owner = new HttpClient(gloss.port, basic(OWNER.username, OWNER.password))
  const reader = new HttpClient(gloss.port, basic(READER.username, READER.password))
  const bare = new HttpClient(byHand.port)
  const known = new KnownForms(join(stores.folder, `forms-${values}.json`))
  return {
    kind: stores.kind,
    values,
    databaseUrl: url,
    gloss,
    byHand,
    owner,
    reader,
    bare,
    databasePids: stores.pids,
    async choose(work) {
      const reply = await byHand.ask('choose', work, known.get(work))
      const form = reply.form ?? []
      known.set(work, form)
      return { form, count: reply.count, sum: reply.sum, answer: reply.answer }
    },
    async close() {
      for (const client of [owner, reader, bare]) client.close()
      await Promise.all([gloss.stop(), byHand.stop()])
    },
  }
}

/** The fastest forms, in a file that stays valid until the code of the forms changes, because the trials take minutes. */
class KnownForms {
  readonly #file: string
  readonly #code: string
  readonly #forms: Record<string, readonly string[]>

  constructor(file: string) {
    this.#file = file
    const sources = [
      'shapes.ts',
      'searches.ts',
      'sql-forms.ts',
      'facets-by-hand.ts',
      'works.ts',
      'catalogue.ts',
    ]
    this.#code = sha256(
      sources.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join(),
    ).toString('hex')
    const kept = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as { code: string; forms: object })
      : undefined
    this.#forms = kept?.code === this.#code ? { ...kept.forms } : {}
  }

  get(work: string): readonly string[] | undefined {
    return this.#forms[work]
  }

  set(work: string, form: readonly string[]): void {
    this.#forms[work] = form
    writeFileSync(this.#file, JSON.stringify({ code: this.#code, forms: this.#forms }))
  }
}

/** The path and query string that return the ids of a query. */
export const objectsPath = (query: string): string => `/objects?query=${encodeURIComponent(query)}`

/** Sends a request that must get this status; returns the body. */
export async function expectStatus(
  client: HttpClient,
  status: number,
  method: string,
  path: string,
  body?: string,
): Promise<Buffer> {
  const sent = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }
  const answer = await client.send(method, path, sent)
  if (answer.status === status) return answer.body
  const reason = answer.headers['x-service-error-class'] ?? answer.body.toString('utf8', 0, 200)
  throw new Error(
    `${method} ${decodeURIComponent(path)} gave ${answer.status} (${String(reason)}) instead of ${status}`,
  )
}

/** Measures the processor time of processes during a work, each time that they do it. */
export class CpuMeter {
  readonly #pids: readonly number[]
  readonly #times: number[] = []

  constructor(pids: readonly number[]) {
    this.#pids = pids
  }

  /** Does the work once. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    const before = cpuMs(this.#pids)
    const result = await work()
    this.#times.push(cpuMs(this.#pids) - before)
    return result
  }

  /** The milliseconds of processor time of each time except the first, which was a warm-up. */
  get rounds(): readonly number[] {
    return this.#times.slice(1)
  }

  /** The median of these. */
  get ms(): number {
    return median(this.rounds)
  }
}

/** The duration of a work in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
