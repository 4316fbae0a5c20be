/** Clients that write and read all kinds of things concurrently, and compare the answers with the acknowledged writes. */
import type { Random } from '../../test/search/random.ts'
import { Asking } from './asking.ts'
import { Counter, Door, type Outcome, type Tally } from './history.ts'
import { racing, type Round } from './races.ts'
import { NAMESPACE } from './rules.ts'

const WRITERS = 6
const MEMBERS = 20
const MEMBERS_VALUE = `/values?query=has%20${NAMESPACE}/member&tag=${NAMESPACE}/whole`

/** The values that a writer increments. */
interface Counted {
  readonly own: string
  readonly shared: readonly string[]
  readonly fresh: readonly string[]
}

const countedBy = (writer: number): Counted => {
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i))
  return {
    own: `/about/own:${String(writer)}/${NAMESPACE}/number`,
    shared: numbers(50).map((i) => `/about/shared:${i}/${NAMESPACE}/by-${String(writer)}`),
    fresh: numbers(40).map((i) => `/about/fresh/${NAMESPACE}/space-${i}/under/tag-${String(writer)}`),
  }
}

/** The connection and the random choices of a client, independent of other clients. */
interface Client {
  readonly asking: Asking
  readonly random: Random
}

/** The clients of all instances. */
export class Clients {
  readonly #urls: readonly string[]
  readonly #tally: Tally
  readonly #random: Random
  readonly #counters = new Map<string, Counter>()
  readonly #whole: Counter
  readonly #end = new AbortController()
  #clients = 0

  constructor(urls: readonly string[], tally: Tally, random: Random) {
    this.#urls = urls
    this.#tally = tally
    this.#random = random
    this.#whole = new Counter('what is read was written and not lost', 'the value of all members', tally)
  }

  /** Runs until `stop`, and then until each client has its answer. */
  async run(): Promise<void> {
    const { signal } = this.#end
    const { asking } = this.#client()
    for (let i = 0; i < MEMBERS; i++)
      await asking.surely('PUT', `/about/member:${String(i)}/${NAMESPACE}/member`, { value: 'true' }, signal)
    const counted = Array.from({ length: WRITERS }, (_, i) => countedBy(i))
    const writers = counted.map((one) => this.#counting(this.#client(), one))
    const others = [
      this.#reading(
        this.#client(),
        counted.flatMap(({ own, shared, fresh }) => [own, ...shared, ...fresh]),
      ),
      this.#bulk(this.#client()),
      this.#bulkReading(this.#client()),
      this.#permissions(this.#client()),
    ]
    const races = racing(() => ({ ...this.#client(), tally: this.#tally, signal }))
    await Promise.all([...writers, ...others, ...races].map((round) => this.#again(round)))
  }

  stop(): void {
    this.#end.abort()
  }

  /** Reads every counter once more. Throws if a read fails, because a lost write would then go unnoticed. */
  async checkAll(): Promise<void> {
    const { asking } = this.#client()
    for (const path of this.#counters.keys()) {
      let read = false
      for (let tries = 0; !read && tries < TRIES; tries++) read = await this.#read(asking, path)
      if (!read) throw new Error(`${path} cannot be read at the end`)
    }
  }

  #client(): Client {
    return { asking: new Asking(this.#urls, this.#tally, this.#clients++), random: this.#random.fork() }
  }

  async #again(round: Round): Promise<void> {
    while (!this.#end.signal.aborted) await round()
  }

  /**
   * A writer: an object of its own, objects that all writers create concurrently, new tags in new namespaces, and failing
   * writes.
   */
  #counting({ asking, random }: Client, { own, shared, fresh }: Counted): Round {
    return async () => {
      for (const path of random.shuffled([own, random.pick(shared), random.pick(fresh)]))
        await this.#countUp(asking, path)
      const asked = { value: '-1', headers: { 'if-match': '"of another value"' } }
      const { status, outcome } = await asking.ask('conditional write', 'PUT', own, asked)
      if (outcome !== 'unknown')
        this.#tally.check('a condition that fails is refused', status === 412, String(status))
    }
  }

  async #countUp(asking: Asking, path: string): Promise<void> {
    const counter = this.#counterOf(path)
    const number = counter.next()
    const { outcome, status } = await asking.ask('write', 'PUT', path, { value: String(number) })
    counter.settle(number, outcome)
    if (outcome === 'refused') this.#tally.violated(`PUT ${path}: ${String(status)}`)
  }

  #reading({ asking, random }: Client, paths: readonly string[]): Round {
    return async () => {
      await this.#read(asking, random.pick(paths))
    }
  }

  /** Returns whether there was an answer to check. */
  async #read(asking: Asking, path: string): Promise<boolean> {
    const answered = this.#counterOf(path).asked()
    const { status, text } = await asking.ask('read', 'GET', path)
    if (status !== 200 && status !== 404) return false
    answered(status === 200 ? Number(text) : 0)
    return true
  }

  /** Writes all members with one PUT `/values`; the service must write all of them or none. */
  #bulk({ asking }: Client): Round {
    return async () => {
      const number = this.#whole.next()
      const queries = [[`has ${NAMESPACE}/member`, { [`${NAMESPACE}/whole`]: { value: number } }]]
      const { outcome, text } = await asking.ask('PUT /values', 'PUT', '/values', { json: { queries } })
      this.#whole.settle(number, outcome)
      if (outcome === 'refused') this.#tally.violated(`PUT /values: ${text}`)
    }
  }

  #bulkReading({ asking }: Client): Round {
    return async () => {
      const answered = this.#whole.asked()
      const { status, text } = await asking.ask('GET /values', 'GET', MEMBERS_VALUE)
      if (status !== 200) return
      const values = text.match(/(?<="value": ?)\d+/g) ?? []
      const seen = new Set(values)
      const whole = values.length === 0 || (values.length === MEMBERS && seen.size === 1)
      this.#tally.check('/values are written whole or not at all', whole, values.join(', '))
      if (whole) answered(Number(values[0] ?? 0))
    }
  }

  /** Opens a value to all users, and closes it again; requests after that must not see it. */
  #permissions({ asking }: Client): Round {
    const door = new Door()
    const path = `/about/secret/${NAMESPACE}/secret`
    const policy = async (name: 'open' | 'closed'): Promise<Outcome> => {
      const json = { policy: name, exceptions: [] }
      const where = `/permissions/tag-values/${NAMESPACE}/secret?action=read`
      return (await asking.ask(`permission ${name}`, 'PUT', where, { json })).outcome
    }
    const look = async (): Promise<void> => {
      const mustNot = door.asked()
      const { status, outcome } = await asking.ask('anonymous read', 'GET', path, { as: '' })
      if (outcome !== 'unknown' && mustNot())
        this.#tally.check('a closed value is not shown', status !== 200, String(status))
    }
    return async () => {
      await asking.ask('write', 'PUT', path, { value: '1' })
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

/** The most attempts of a read until there is an answer. */
const TRIES = 20
