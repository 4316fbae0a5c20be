/** Controls V8's memory: V8 keeps more while memory is free, and little while large bodies and answers are in progress. */
import { setFlagsFromString } from 'node:v8'

/** From this share of the memory for large bodies and answers on, V8 saves memory. */
const HIGH = 1 / 12

/** How far V8's heaps may grow before the next collection, in percent of their size. V8's own default is a multiple. */
const GROWTH = { low: 100, high: 30 }

/** Sets V8's flags for all threads, as far as V8 accepts them at run time. One object for each process. */
export class MemoryPressure {
  #isHigh = false

  constructor() {
    // Otherwise, after one burst of requests, V8 allocates the objects of all later requests in its old space.
    setFlagsFromString('--no-allocation-site-pretenuring')
    this.#apply()
  }

  /** Notes the used share of the memory for large bodies and answers, from 0 to 1. */
  note(share: number): void {
    if (this.#isHigh === share > HIGH) return
    this.#isHigh = share > HIGH
    this.#apply()
  }

  #apply(): void {
    setFlagsFromString(`--heap-growing-percent=${String(this.#isHigh ? GROWTH.high : GROWTH.low)}`)
    // With this flag V8 keeps no pages that a collection has emptied.
    setFlagsFromString(this.#isHigh ? '--optimize-for-size' : '--no-optimize-for-size')
  }
}
