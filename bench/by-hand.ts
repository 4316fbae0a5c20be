/**
 * The other side of the comparison, as a separate process: hand-written SQL, which messages start through the same driver
 * without HTTP, and a plain `node:http` server that runs only that SQL.
 *
 * Run with a database URL. Sends the server's port when it listens.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openByHand, writtenByHand, type Given } from './by-hand-database.ts'
import { PageByHand } from './pages-by-hand.ts'
import { runWork, type Done } from './work-by-hand.ts'
import { tagPath } from './catalogue.ts'
import type { PageShape } from './searches.ts'
import { worksOf, type Work } from './works.ts'

/** A message to the process: run a work in its fastest form, or first find that form by trying all. */
export interface Task {
  readonly number: number
  readonly ask: 'choose' | 'run'
  readonly work: string
  /** The fastest form of an earlier run, which makes the trials unnecessary. */
  readonly form?: readonly string[]
}

/** A message to the process: open a page, with which the server then answers. */
export interface Turn {
  readonly number: number
  readonly page: PageShape
}

/** The answer. The time in milliseconds covers the database and the driver, from the statement to the last row. */
export interface Reply {
  readonly number: number
  readonly ms: number
  readonly count: number
  /** After a trial of forms that return ids: the sum of the ids, for comparison with other sides. */
  readonly sum?: string
  readonly form?: readonly string[]
  /** After a trial of forms with another answer than ids or a number: that answer. */
  readonly answer?: unknown
  readonly error?: string
}

const REPEATS = 3
const CANDIDATES = 4
/** The trial stops a form that takes this many times as long as the fastest one and this many milliseconds more. */
const [PATIENCE, PATIENCE_MS, LONGEST_MS] = [2, 200, 20_000]

const byHand = await openByHand(process.argv[2] ?? '')
const works = worksOf(byHand.target)
const chosen = new Map<string, readonly string[]>()
const pages = new Map<string, PageByHand>()

const workOf = (name: string): Work => {
  const work = works.get(name)
  if (work === undefined) throw new Error(`no work ${name}`)
  return work
}

/** Tries all forms once, then the best few again. */
async function choose(work: Work): Promise<readonly string[]> {
  const { name, gives, forms, undo, before } = work
  const counts = new Set<number>()
  const times = new Map<readonly string[], number>()
  const attempt = async (form: readonly string[], work: () => Promise<Given | undefined>): Promise<void> => {
    const begin = performance.now()
    const given = await work()
    if (given === undefined) return
    times.set(form, Math.min(performance.now() - begin, times.get(form) ?? Infinity))
    counts.add(given.count)
    if (undo !== undefined) await byHand.run('change', undo)
  }
  const best = (): (readonly string[])[] =>
    [...times.keys()].sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0))
  if (before !== undefined) await byHand.run('change', before)
  for (const form of forms) {
    const limitMs = Math.min(LONGEST_MS, PATIENCE * Math.min(...times.values()) + PATIENCE_MS)
    const whole = work.phrase ?? work.facets
    await attempt(form, () =>
      whole === undefined
        ? byHand.attempt(gives, form, limitMs)
        : byHand.within(limitMs, () => runWork(byHand, work, form)),
    )
  }
  const candidates = best().slice(0, CANDIDATES)
  times.clear()
  for (let i = 0; i < REPEATS; i++) {
    for (const form of candidates) await attempt(form, () => runWork(byHand, work, form))
  }
  if (counts.size !== 1) throw new Error(`forms of ${name} find different numbers: ${[...counts].join(', ')}`)
  return best()[0] ?? []
}

async function answer({ number, ask, work: name, form }: Task): Promise<Reply> {
  const work = workOf(name)
  if (ask === 'choose') chosen.set(name, form ?? (await choose(work)))
  const used = chosen.get(name) ?? []
  if (ask === 'choose' && work.gives === 'change') return { number, ms: 0, count: 0, form: used }
  const begin = performance.now()
  const given = await runWork(byHand, work, used)
  const ms = performance.now() - begin
  return { number, ms, count: given.count, ...(ask === 'choose' ? { form: used, ...comparedBy(given) } : {}) }
}

/** The data for a comparison of results with other sides. */
const comparedBy = (done: Done): Pick<Reply, 'sum' | 'answer'> => ({
  sum: sumOf(done.bytes()),
  answer: done.answer,
})

/** Opens a page. */
async function turnTo({ number, page }: Turn): Promise<Reply> {
  const opened = new PageByHand(byHand, page)
  await opened.turn()
  pages.set(page.name, opened)
  return { number, ms: 0, count: 0 }
}

/** A sum of ids, independent of their order. */
function sumOf(ids: Buffer): string {
  const sums = new Uint32Array(4)
  for (let at = 0; at < ids.length; at += 4) {
    const lane = (at / 4) % 4
    sums[lane] = (sums[lane] ?? 0) + ids.readUInt32BE(at)
  }
  return Buffer.from(sums.buffer).toString('hex')
}

const TEXT_BYTES = 39
/** The positions of the digits of the 16 bytes in `"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",`. */
const PLACES = [1, 3, 5, 7, 10, 12, 15, 17, 20, 22, 25, 27, 29, 31, 33, 35]
const TEMPLATE = Buffer.from('"________-____-____-____-____________",')

/** Ids as a JSON array, as Gloss sends them. */
function idsJson(ids: Buffer): Buffer {
  const count = ids.length / 16
  const [head, tail] = ['{"ids":[', ']}']
  const text = Buffer.allocUnsafe(head.length + Math.max(count * TEXT_BYTES - 1, 0) + tail.length)
  let at = text.write(head)
  for (let i = 0; i < count; i++, at += TEXT_BYTES) {
    TEMPLATE.copy(text, at)
    for (let k = 0; k < 16; k++) {
      const byte = ids[i * 16 + k] ?? 0
      const place = at + (PLACES[k] ?? 0)
      text[place] = DIGITS[byte >> 4] ?? 0
      text[place + 1] = DIGITS[byte & 15] ?? 0
    }
  }
  text.write(tail, text.length - tail.length)
  return text
}

const DIGITS = Buffer.from('0123456789abcdef')

const readTag = byHand.target.tagId(tagPath('title'))
const writeTag = writtenByHand(byHand.target)

/** The answers of the server, by the first part of the path; the rest of the path is the argument. */
const ANSWERS: Readonly<Record<string, (argument: string) => Promise<Buffer | string | undefined>>> = {
  ids: async (work) => idsJson((await runWork(byHand, workOf(work), chosen.get(work) ?? [])).bytes()),
  page: async (name) => pages.get(name)?.json(),
  value: (id) => byHand.readValue(readTag, Buffer.from(id, 'hex')),
}

/** `GET /ids/<work>`, `/page/<name>` and `/value/<id in hexadecimal>`, and `PUT` of the last. */
async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [, what = '', argument = ''] = (req.url ?? '').split('/')
  let body: Buffer | string | undefined
  if (req.method === 'GET') {
    body = await ANSWERS[what]?.(decodeURIComponent(argument))
  } else {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    await byHand.writeValue(writeTag, Buffer.from(argument, 'hex'), Buffer.concat(chunks).toString())
  }
  res.writeHead(body === undefined ? 204 : 200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body ?? ''),
  })
  res.end(body)
}

const server = createServer((req, res) => {
  serve(req, res).catch((error: unknown) => {
    res.writeHead(500).end(String(error))
  })
})
process.on('message', (task: Task | Turn) => {
  const answered = 'page' in task ? turnTo(task) : answer(task)
  answered.then(
    (reply) => process.send?.(reply),
    (error: unknown) => process.send?.({ number: task.number, ms: 0, count: 0, error: String(error) }),
  )
})
process.on('disconnect', () => {
  byHand.close()
  process.exit()
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
