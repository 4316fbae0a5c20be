/** The faults of a store's requests: delays, failures and cut connections. */
import type { ServerResponse } from 'node:http'
import { badRequest } from '../src/model/errors.ts'
import { CUTS, MOST_DELAY_MS, type Preference } from './preferences.ts'
import type { Faults } from './types.ts'

const isWhole = (least: number, most: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most

/** For each fault, whether a value is allowed, and which are. */
const ALLOWED: Readonly<Record<keyof Faults, readonly [(value: unknown) => boolean, string]>> = {
  delay: [isWhole(0, MOST_DELAY_MS), `a whole number up to ${String(MOST_DELAY_MS)}`],
  failRate: [(value) => typeof value === 'number' && value >= 0 && value <= 1, 'a number from 0 to 1'],
  code: [isWhole(200, 599), 'a status'],
  cut: [(value) => CUTS.some((one) => one === value), `one of ${CUTS.join(', ')}`],
  times: [isWhole(0, Number.MAX_SAFE_INTEGER), 'a whole number'],
}

/** Checks faults. Throws `TBadRequest`. */
export function readFaults(json: unknown): Faults {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw badRequest('the faults are an object of JSON')
  }
  for (const [name, value] of Object.entries(json)) {
    if (!Object.hasOwn(ALLOWED, name)) {
      throw badRequest(`there is no fault '${name}'; there are ${Object.keys(ALLOWED).join(', ')}`)
    }
    const [isAllowed, what] = ALLOWED[name as keyof Faults]
    if (!isAllowed(value)) throw badRequest(`the fault '${name}' is ${what}`)
  }
  return json
}

/** Faults, and which requests they apply to. */
export class FaultPlan {
  #faults: Faults = {}
  #random = randomNumbers()
  #left = Infinity

  constructor(faults: Faults) {
    this.set(faults)
  }

  get faults(): Faults {
    return this.#faults
  }

  set(faults: Faults): void {
    this.#faults = faults
    this.#random = randomNumbers()
    this.#left = faults.times ?? Infinity
  }

  /** The faults of the next request, as preferences. */
  next(): Preference {
    const { delay, code, cut } = this.#faults
    const waiting = delay === undefined ? {} : { delay: String(delay) }
    if (!this.#fails()) return waiting
    return { ...waiting, ...(cut === undefined ? { code: String(code ?? 503) } : { cut }) }
  }

  #fails(): boolean {
    const { failRate, code, cut, times } = this.#faults
    const all = (code ?? cut ?? times) === undefined ? 0 : 1
    const fails = this.#left > 0 && this.#random() < (failRate ?? all)
    if (fails) this.#left -= 1
    return fails
  }
}

/** Numbers from 0 to 1 (Park and Miller's generator), the same ones each time, so that a test repeats its failures. */
function randomNumbers(): () => number {
  let state = 20_261_128
  return () => {
    state = (state * 48_271) % 0x7fff_ffff
    return state / 0x7fff_ffff
  }
}

/** Has an answer end after its headers and half of its first octets. */
export function cutBody(res: ServerResponse): void {
  const write = res.write.bind(res) as (octets: Buffer, done: () => void) => boolean
  const cut = (chunk: unknown, encoding?: unknown): void => {
    const ignore = (): true => true
    Object.assign(res, { write: ignore, end: ignore })
    const octets = typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : chunk
    const end = (): void => void res.destroy()
    res.flushHeaders()
    if (octets instanceof Uint8Array && octets.length > 1) {
      write(Buffer.from(octets).subarray(0, octets.length >> 1), end)
    } else setImmediate(end)
  }
  Object.assign(res, { write: cut, end: cut })
}
