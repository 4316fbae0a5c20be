/** Clients that write and read all kinds of things at once, and hold what they see against what was acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, Door, type Outcome, type Tally } from './history.ts'
import { PASSWORD } from './world.ts'

const PRIMITIVE = 'application/vnd.service.value+json'
const JSON_TYPE = 'application/json'
const NAMESPACE = 'service/chaos'
/** The longest that any answer may take, in milliseconds; beyond it, something hangs. */
const HANGING_MS = 60_000
const PAUSE_MS = 50
const WRITERS = 6
const MEMBERS = 20

interface Asked {
  readonly as?: string
  readonly password?: string
  readonly type?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Answer {
  readonly outcome: Outcome
  readonly status: number
  readonly text: string
}

/** A client of all instances. */
export class Clients {
  readonly #urls: readonly string[]
  readonly #tally: Tally
  readonly #counters = new Map<string, Counter>()
  readonly #whole: Counter
  #stopped = false
  #turn = 0

  constructor(urls: readonly string[], tally: Tally) {
    this.#urls = urls
    this.#tally = tally
    this.#whole = new Counter('the members', tally)
  }

  /** Runs until `stop` is called, and then until each has its answer. */
  async run(): Promise<void> {
    for (let i = 0; i < MEMBERS; i++)
      await this.#surely('PUT', `/about/member:${String(i)}/${NAMESPACE}/member`, 'true')
    const writers = Array.from({ length: WRITERS }, (_, i) => this.#again(this.#counting(i)))
    const others = [
      this.#reading(),
      this.#bulk(),
      this.#bulkReading(),
      this.#permissions(),
      this.#passwords(),
    ]
    await Promise.all([...writers, ...others.map((work) => this.#again(work))])
  }

  stop(): void {
    this.#stopped = true
  }

  /** Reads everything that was counted once more. */
  async checkAll(): Promise<void> {
    for (const [path, counter] of this.#counters) await this.#read(path, counter)
  }

  async #again(work: () => Promise<void>): Promise<void> {
    while (!this.#stopped) await work()
  }

  /** A writer: an object of its own, objects that all make at once, new tags in new namespaces, and writes that fail. */
  #counting(writer: number): () => Promise<void> {
    let turn = 0
    return async () => {
      turn += 1
      const own = `/about/own:${String(writer)}/${NAMESPACE}/number`
      const shared = `/about/shared:${String(turn % 50)}/${NAMESPACE}/by-${String(writer)}`
      const fresh = `/about/fresh/${NAMESPACE}/space-${String(turn % 40)}/under/tag-${String(writer)}`
      for (const path of [own, shared, fresh]) await this.#countUp(path)
      const options = { type: PRIMITIVE, body: '-1', headers: { 'if-match': '"of another value"' } }
      const { status, outcome } = await this.#ask('conditional write', 'PUT', own, options)
      if (outcome !== 'unknown' && status !== 412)
        this.#tally.violated(`a condition that fails: ${String(status)}`)
    }
  }

  async #countUp(path: string): Promise<void> {
    const counter = this.#counterOf(path)
    const number = counter.next()
    const { outcome, status } = await this.#ask('write', 'PUT', path, {
      type: PRIMITIVE,
      body: String(number),
    })
    counter.settle(number, outcome)
    if (outcome === 'refused') this.#tally.violated(`PUT ${path}: ${String(status)}`)
  }

  #reading(): () => Promise<void> {
    return async () => {
      const paths = [...this.#counters.keys()]
      const path = paths[Math.floor(Math.random() * paths.length)]
      const counter = path === undefined ? undefined : this.#counters.get(path)
      if (path !== undefined && counter !== undefined) await this.#read(path, counter)
    }
  }

  async #read(path: string, counter: Counter): Promise<void> {
    const answered = counter.asked()
    const { status, text } = await this.#ask('read', 'GET', path)
    if (status === 200) answered(Number(text))
    else if (status === 404) answered(0)
  }

  /** A PUT `/values` on all members, which is done on all of them or on none. */
  #bulk(): () => Promise<void> {
    return async () => {
      const number = this.#whole.next()
      const queries = [[`has ${NAMESPACE}/member`, { [`${NAMESPACE}/whole`]: { value: number } }]]
      const options = { type: JSON_TYPE, body: JSON.stringify({ queries }) }
      const { outcome, text } = await this.#ask('PUT /values', 'PUT', '/values', options)
      this.#whole.settle(number, outcome)
      if (outcome === 'refused') this.#tally.violated(`PUT /values: ${text}`)
    }
  }

  #bulkReading(): () => Promise<void> {
    return async () => {
      const answered = this.#whole.asked()
      const { status, text } = await this.#ask('GET /values', 'GET', MEMBERS_VALUE)
      if (status !== 200) return
      const seen = new Set(text.match(/(?<="value": ?)\d+/g) ?? ['0'])
      if (seen.size > 1) this.#tally.violated(`/values in parts: ${[...seen].join(', ')}`)
      else answered(Number([...seen][0]))
    }
  }

  /** Opens a value to all, and closes it again: who asks after that must not see it. */
  #permissions(): () => Promise<void> {
    const door = new Door()
    const path = `/about/secret/${NAMESPACE}/secret`
    const policy = async (name: 'open' | 'closed'): Promise<Outcome> => {
      const body = JSON.stringify({ policy: name, exceptions: [] })
      const where = `/permissions/tag-values/${NAMESPACE}/secret?action=read`
      return (await this.#ask(`permission ${name}`, 'PUT', where, { type: JSON_TYPE, body })).outcome
    }
    const look = async (): Promise<void> => {
      const mustNot = door.asked()
      const { status } = await this.#ask('anonymous read', 'GET', path, { as: '' })
      if (status === 200 && mustNot())
        this.#tally.violated('a value was shown after its permission was closed')
    }
    return async () => {
      await this.#ask('write', 'PUT', path, { type: PRIMITIVE, body: '1' })
      door.opening()
      await policy('open')
      await look()
      if ((await policy('closed')) === 'done') door.closed()
      for (let i = 0; i < 5; i++) await Promise.all([look(), look()])
    }
  }

  /** Changes a password: from its acknowledgement on, the old one is wrong and the new one right. */
  #passwords(): () => Promise<void> {
    let current = 'the first password'
    let known = false
    return async () => {
      if (!known) {
        const body = JSON.stringify({ username: 'chaotic', password: current })
        await this.#ask('user', 'POST', '/users', { type: JSON_TYPE, body })
      }
      const next = `password ${String(Math.random())}`
      const body = JSON.stringify({ password: next })
      const { outcome } = await this.#ask('password', 'PUT', '/users/chaotic', { type: JSON_TYPE, body })
      known = outcome === 'done'
      if (!known) return
      const before = current
      current = next
      const asOwner = (password: string): Promise<Answer> =>
        this.#ask('sign-in', 'GET', '/users/chaotic', { as: 'chaotic', password })
      if ((await asOwner(before)).status === 200) this.#tally.violated('an old password was right')
      if ((await asOwner(next)).status === 401) this.#tally.violated('a new password was wrong')
    }
  }

  #counterOf(path: string): Counter {
    const known = this.#counters.get(path)
    if (known !== undefined) return known
    const counter = new Counter(path, this.#tally)
    this.#counters.set(path, counter)
    return counter
  }

  /** Writes until it is acknowledged. */
  async #surely(method: string, path: string, body: string): Promise<void> {
    while ((await this.#ask('write', method, path, { type: PRIMITIVE, body })).outcome !== 'done');
  }

  async #ask(
    operation: string,
    method: string,
    path: string,
    { as = 'service', password = PASSWORD, type, body, headers }: Asked = {},
  ): Promise<Answer> {
    const answer = await this.#send(method, path, {
      headers: {
        ...(as === '' ? {} : { authorization: `Basic ${btoa(`${as}:${password}`)}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    this.#tally.count(operation, answer.outcome)
    // Whoever failed does not ask again at once.
    if (answer.outcome === 'unknown') await sleep(PAUSE_MS)
    if (answer.status === 500) this.#tally.violated(`${method} ${path}: 500`)
    return answer
  }

  /** Sends to one instance after the other. */
  async #send(method: string, path: string, init: RequestInit): Promise<Answer> {
    const url = this.#urls[this.#turn++ % this.#urls.length] ?? ''
    const start = performance.now()
    try {
      const answer = await fetch(url + path, { ...init, method, signal: AbortSignal.timeout(HANGING_MS) })
      const text = await answer.text()
      const outcome = answer.ok ? 'done' : answer.status >= 500 ? 'unknown' : 'refused'
      return { outcome, status: answer.status, text }
    } catch {
      if (performance.now() - start >= HANGING_MS) this.#tally.violated(`${method} ${path}: no answer`)
      return { outcome: 'unknown', status: 0, text: '' }
    }
  }
}

const MEMBERS_VALUE = `/values?query=has%20${NAMESPACE}/member&tag=${NAMESPACE}/whole`
