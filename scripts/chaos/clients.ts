/** Clients that write and read all kinds of things at once, and hold what they see against what was acknowledged. */
import { Asking } from './asking.ts'
import { Counter, Door, type Outcome, type Tally } from './history.ts'
import { racing, type Round } from './races.ts'
import { NAMESPACE } from './rules.ts'

const WRITERS = 6
const MEMBERS = 20
const MEMBERS_VALUE = `/values?query=has%20${NAMESPACE}/member&tag=${NAMESPACE}/whole`

/** A client of all instances. */
export class Clients {
  readonly #asking: Asking
  readonly #tally: Tally
  readonly #counters = new Map<string, Counter>()
  readonly #whole: Counter
  readonly #end = new AbortController()

  constructor(urls: readonly string[], tally: Tally) {
    this.#asking = new Asking(urls, tally)
    this.#tally = tally
    this.#whole = new Counter('what is read was written and not lost', 'the value of all members', tally)
  }

  /** Runs until `stop` is called, and then until each has its answer. */
  async run(): Promise<void> {
    const { signal } = this.#end
    for (let i = 0; i < MEMBERS; i++)
      await this.#asking.surely(
        'PUT',
        `/about/member:${String(i)}/${NAMESPACE}/member`,
        { value: 'true' },
        signal,
      )
    const writers = Array.from({ length: WRITERS }, (_, i) => this.#counting(i))
    const others = [this.#reading(), this.#bulk(), this.#bulkReading(), this.#permissions()]
    const races = racing({ asking: this.#asking, tally: this.#tally, signal })
    await Promise.all([...writers, ...others, ...races].map((round) => this.#again(round)))
  }

  stop(): void {
    this.#end.abort()
  }

  /** Reads everything that was counted once more. Throws if that cannot be read: then nobody knows whether it was lost. */
  async checkAll(): Promise<void> {
    for (const [path, counter] of this.#counters) {
      let read = false
      for (let tries = 0; !read && tries < TRIES; tries++) read = await this.#read(path, counter)
      if (!read) throw new Error(`${path} cannot be read at the end`)
    }
  }

  async #again(round: Round): Promise<void> {
    while (!this.#end.signal.aborted) await round()
  }

  /** A writer: an object of its own, objects that all make at once, new tags in new namespaces, and writes that fail. */
  #counting(writer: number): Round {
    let turn = 0
    return async () => {
      turn += 1
      const own = `/about/own:${String(writer)}/${NAMESPACE}/number`
      const shared = `/about/shared:${String(turn % 50)}/${NAMESPACE}/by-${String(writer)}`
      const fresh = `/about/fresh/${NAMESPACE}/space-${String(turn % 40)}/under/tag-${String(writer)}`
      for (const path of [own, shared, fresh]) await this.#countUp(path)
      const asked = { value: '-1', headers: { 'if-match': '"of another value"' } }
      const { status, outcome } = await this.#asking.ask('conditional write', 'PUT', own, asked)
      if (outcome !== 'unknown')
        this.#tally.check('a condition that fails is refused', status === 412, String(status))
    }
  }

  async #countUp(path: string): Promise<void> {
    const counter = this.#counterOf(path)
    const number = counter.next()
    const { outcome, status } = await this.#asking.ask('write', 'PUT', path, { value: String(number) })
    counter.settle(number, outcome)
    if (outcome === 'refused') this.#tally.violated(`PUT ${path}: ${String(status)}`)
  }

  #reading(): Round {
    return async () => {
      const paths = [...this.#counters.keys()]
      const path = paths[Math.floor(Math.random() * paths.length)]
      const counter = path === undefined ? undefined : this.#counters.get(path)
      if (path !== undefined && counter !== undefined) await this.#read(path, counter)
    }
  }

  /** Returns whether there was an answer to check. */
  async #read(path: string, counter: Counter): Promise<boolean> {
    const answered = counter.asked()
    const { status, text } = await this.#asking.ask('read', 'GET', path)
    if (status !== 200 && status !== 404) return false
    answered(status === 200 ? Number(text) : 0)
    return true
  }

  /** A PUT `/values` on all members, which is done on all of them or on none. */
  #bulk(): Round {
    return async () => {
      const number = this.#whole.next()
      const queries = [[`has ${NAMESPACE}/member`, { [`${NAMESPACE}/whole`]: { value: number } }]]
      const { outcome, text } = await this.#asking.ask('PUT /values', 'PUT', '/values', { json: { queries } })
      this.#whole.settle(number, outcome)
      if (outcome === 'refused') this.#tally.violated(`PUT /values: ${text}`)
    }
  }

  #bulkReading(): Round {
    return async () => {
      const answered = this.#whole.asked()
      const { status, text } = await this.#asking.ask('GET /values', 'GET', MEMBERS_VALUE)
      if (status !== 200) return
      const values = text.match(/(?<="value": ?)\d+/g) ?? []
      const seen = new Set(values)
      const whole = values.length === 0 || (values.length === MEMBERS && seen.size === 1)
      this.#tally.check('/values are written whole or not at all', whole, values.join(', '))
      if (whole) answered(Number(values[0] ?? 0))
    }
  }

  /** Opens a value to all, and closes it again: who asks after that must not see it. */
  #permissions(): Round {
    const door = new Door()
    const path = `/about/secret/${NAMESPACE}/secret`
    const policy = async (name: 'open' | 'closed'): Promise<Outcome> => {
      const json = { policy: name, exceptions: [] }
      const where = `/permissions/tag-values/${NAMESPACE}/secret?action=read`
      return (await this.#asking.ask(`permission ${name}`, 'PUT', where, { json })).outcome
    }
    const look = async (): Promise<void> => {
      const mustNot = door.asked()
      const { status, outcome } = await this.#asking.ask('anonymous read', 'GET', path, { as: '' })
      if (outcome !== 'unknown' && mustNot())
        this.#tally.check('a closed value is not shown', status !== 200, String(status))
    }
    return async () => {
      await this.#asking.ask('write', 'PUT', path, { value: '1' })
      door.opening()
      await policy('open')
      await look()
      if ((await policy('closed')) === 'done') door.closed()
      for (let i = 0; i < 5; i++) await Promise.all([look(), look()])
    }
  }

  #counterOf(path: string): Counter {
    const known = this.#counters.get(path)
    if (known !== undefined) return known
    const counter = new Counter('what is read was written and not lost', path, this.#tally)
    this.#counters.set(path, counter)
    return counter
  }
}

/** How often something is read until there is an answer. */
const TRIES = 20
