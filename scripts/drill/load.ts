/** Fills a service with data of all kinds, and continues to write, so that an incorrect backup would lack some of it. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The password of the superuser, who fills the service. */
export const ADMIN_PASSWORD = 'fire drill on a Sunday'

const AUTHORIZATION = `Basic ${Buffer.from(`service:${ADMIN_PASSWORD}`).toString('base64')}`
const PRIMITIVE = 'application/vnd.service.value+json'
const JSON_TYPE = 'application/json'

/** Sends a request, such as `PUT /values`, as the superuser. Throws if the answer is an error. */
async function send(
  url: string,
  request: string,
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const [method = '', path = ''] = request.split(' ')
  const headers = { authorization: AUTHORIZATION, 'content-type': type }
  const answer = await fetch(`${url}${path}`, { method, headers, body })
  await answer.arrayBuffer()
  if (answer.ok) return
  throw new Error(`${request}: ${String(answer.status)} ${answer.headers.get('x-service-message') ?? ''}`)
}

const OBJECTS_AT_ONCE = 500

/** Creates users, policies and values of all types on that many objects. */
export async function fill(url: string, objects: number): Promise<void> {
  for (const username of ['drill', 'other']) {
    await send(url, 'POST /users', JSON_TYPE, JSON.stringify({ username, password: ADMIN_PASSWORD }))
  }
  for (let from = 0; from < objects; from += OBJECTS_AT_ONCE) {
    const count = Math.min(OBJECTS_AT_ONCE, objects - from)
    const queries = Array.from({ length: count }, (_, i) => elementOf(from + i))
    await send(url, 'PUT /values', JSON_TYPE, JSON.stringify({ queries }))
  }
  await send(
    url,
    'PUT /about/drill:0/drill/large',
    'application/x-large',
    new Uint8Array(2_500_000).fill(200),
  )
  await send(url, 'PUT /about/drill:1/drill/small', 'text/plain; charset=utf-8', 'opaque')
  const policy = JSON.stringify({ policy: 'closed', exceptions: ['drill', 'other'] })
  await send(url, 'PUT /permissions/tag-values/drill/large?action=read', JSON_TYPE, policy)
  await send(url, 'PUT /tags/drill/large', JSON_TYPE, JSON.stringify({ description: 'a large one' }))
}

/** An element of PUT /values with values of one object. */
function elementOf(i: number): unknown {
  const text = `the ${String(i)}th text, ${'with more words '.repeat(i % 60)}`
  return [
    `service/about = "drill:${String(i)}"`,
    {
      'drill/number': { value: i - 0.5 },
      'drill/whole': { value: i },
      'drill/text': { value: text },
      'drill/list': { value: [text.slice(0, 20), `item ${String(i)}`] },
      'drill/deep/er/flag': { value: i % 2 === 0 },
      'other/nothing': { value: null },
    },
  ]
}

/** The last acknowledged number for each about value. */
export type Acknowledged = ReadonlyMap<string, number>

/** The tag of the writers. */
export const WRITTEN = 'drill/written'

/** Writers that work until the caller stops them. */
export class Writers {
  readonly #acknowledged = new Map<string, number>()
  readonly #work: readonly Promise<void>[]
  readonly #url: string
  #stopped = false
  #count = 0

  /** Each writer writes to an object of its own, to one that all writers share, and to new ones. */
  constructor(url: string, writers: number) {
    this.#url = url
    this.#work = Array.from({ length: writers }, (_, i) => this.#write(i))
  }

  /** The number of acknowledged writes. */
  get count(): number {
    return this.#count
  }

  /** The acknowledged numbers so far. */
  acknowledged(): Acknowledged {
    return new Map(this.#acknowledged)
  }

  /** Resolves after that many more acknowledged writes. Throws if the service refuses a write. */
  async further(writes: number): Promise<void> {
    const enough = this.#count + writes
    while (this.#count < enough) await Promise.race([sleep(5), Promise.all(this.#work)])
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#work)
  }

  async #write(writer: number): Promise<void> {
    for (let i = 1; !this.#stopped; i++) {
      const own = `own:${String(writer)}`
      const about = i % 3 === 0 ? `${own}:${String(i)}` : own
      await send(this.#url, `PUT /about/${about}/${WRITTEN}`, PRIMITIVE, String(i))
      this.#acknowledged.set(about, i)
      this.#count += 1
      await send(this.#url, `PUT /about/shared/${WRITTEN}-${String(writer)}`, PRIMITIVE, String(i))
    }
  }
}
