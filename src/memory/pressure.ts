/** How V8 keeps memory: more while there is enough, little while large bodies and answers are under way. */
import { setFlagsFromString } from 'node:v8'

/** From which share of the memory for large bodies and answers on V8 saves memory. */
const HIGH = 1 / 12

/** By how much V8's heaps may grow before the next collection, in percent of what is in use. By itself V8 allows a multiple. */
const GROWTH = { low: 100, high: 30 }

/** Sets V8's flags for all threads, as far as they have an effect once V8 has begun. One for each process. */
export class MemoryPressure {
  #isHigh = false

  constructor() {
    // Otherwise, after one burst of requests, V8 makes objects of every later request in its old space.
    setFlagsFromString('--no-allocation-site-pretenuring')
    this.#apply()
  }

  /** Notes which share of the memory for large bodies and answers is taken, from 0 to 1. */
  note(share: number): void {
    if (this.#isHigh === share > HIGH) return
    this.#isHigh = share > HIGH
    this.#apply()
  }

  #apply(): void {
    setFlagsFromString(`--heap-growing-percent=${String(this.#isHigh ? GROWTH.high : GROWTH.low)}`)
    // V8 then keeps no pages that a collection has emptied.
    setFlagsFromString(this.#isHigh ? '--optimize-for-size' : '--no-optimize-for-size')
  }
}
