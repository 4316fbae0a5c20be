/** `gloss import` when the service is away or busy, and when it is killed itself. KILLS says how often that is tried. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { Journal } from '../../command/importing/journal.ts'
import type { Mapping } from '../../common/importing/mapping.ts'
import { openSource } from '../../command/importing/source.ts'
import { emptyHome, gloss, type Ended, type RunOptions } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'
import { expectSound } from '../support/sound.ts'

let service: Service
const home = emptyHome()

/** What happens to the writes that come, one after the other; then all pass. */
type Deed = 'pass' | 'refuse' | 'busy' | 'cut' | (() => void)
let deeds: { before: Deed[]; after: Deed[] } = { before: [], after: [] }
let requests = 0

/** Passes requests on to the service, or does to them what `deeds` says. */
const front = createServer((request, response) => {
  void handle(request, response)
})

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const isWrite = request.method === 'PUT'
  if (isWrite) requests += 1
  if (isWrite && isDone(deeds.before.shift() ?? 'pass', request, response)) return
  const { authorization = '', 'content-type': type = 'application/json' } = request.headers
  const answer = await fetch(`${service.url}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': type },
    ...(isWrite && { body: Buffer.concat(chunks) }),
  })
  // The service has written it, and nobody hears of that.
  if (isWrite && isDone(deeds.after.shift() ?? 'pass', request, response)) return
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
}

function isDone(deed: Deed, request: IncomingMessage, response: ServerResponse): boolean {
  if (typeof deed === 'function') deed()
  else if (deed === 'cut') request.socket.destroy()
  else if (deed === 'busy') response.writeHead(503, { 'retry-after': '1' }).end()
  else if (deed === 'refuse') response.writeHead(429, { 'retry-after': '1' }).end()
  return deed !== 'pass' && typeof deed !== 'function'
}

let url: string
beforeAll(async () => {
  service = await startService()
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${String((front.address() as AddressInfo).port)}`
})
afterEach(() => expectSound(service.store))
afterAll(async () => {
  front.closeAllConnections()
  front.close()
  await service.stop()
  home.remove()
})

const ROWS = 10_000
const BAD = new Set([1500, 4500, 8500])

let files = 0
/** A file in a folder of its own: some rows cannot be written, and some write again what others have written. */
function makeFile(): { folder: string; tag: string } {
  files += 1
  const folder = join(home.folder, String(files))
  mkdirSync(folder)
  const lines = Array.from({ length: ROWS }, (_, index) =>
    BAD.has(index) ? `${String(index)},bad` : `${String(index % 7000)},${String(index)}`,
  )
  writeFileSync(join(folder, 'a.csv'), ['n,v', ...lines].join('\n'))
  return { folder, tag: `alice/f${String(files)}/v` }
}

const args = (tag: string): string[] => [
  'a.csv',
  '--about',
  'p:{n}',
  '--into',
  tag.replace('/v', ''),
  '--on-repeat',
  'last',
  '--yes',
]

const run = (folder: string, more: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  gloss(['import', ...more], {
    cwd: folder,
    env: { GLOSS_URL: url, GLOSS_USER: 'alice', GLOSS_PASSWORD: PASSWORD },
    ...options,
  })

/** The last line that an import prints: its sums, however often it was interrupted. */
const SUMS = `10,000 rows on 7,001 objects: ${(ROWS - BAD.size).toLocaleString('en')} rows imported, ${BAD.size} refused → a.refused.csv`

const lastLine = ({ stderr }: Ended): string | undefined => stderr.trimEnd().split('\n').at(-1)

/** Goes on, and expects that this time it comes to the end. */
async function goOn(folder: string): Promise<void> {
  const ended = await run(folder, ['--resume'])
  expect([ended.status, lastLine(ended)]).toEqual([3, SUMS])
}

/** Expects what one import without any disturbance leaves: the last row about an object has decided. */
async function expectAll(folder: string, tag: string): Promise<void> {
  const { results } = (
    await service.ok('GET', '/values', {
      as: 'alice',
      query: { query: `has ${tag}`, tag: ['service/about', tag] },
    })
  ).json() as { results: { id: Record<string, Record<string, { value: unknown }>> } }
  const wanted = new Map<string, number>()
  for (let index = 0; index < ROWS; index++)
    if (!BAD.has(index)) wanted.set(`p:${String(index % 7000)}`, index)
  const found = Object.values(results.id).map((one) => [one['service/about']?.value, one[tag]?.value])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted))
  const refused = readFileSync(join(folder, 'a.refused.csv'), 'utf8').trimEnd().split('\n')
  expect(refused.map((line) => line.split(',')[0])).toEqual(['n', ...[...BAD].map(String)])
  expect(readdirSync(folder).toSorted()).toEqual(['a.csv', 'a.refused.csv'])
}

test('what is busy is waited for, and what is lost is sent again', async () => {
  const { folder, tag } = makeFile()
  deeds = { before: ['busy', 'refuse', 'pass', 'cut', 'pass'], after: ['cut', 'pass', 'cut'] }
  requests = 0
  const ended = await run(folder, args(tag))
  expect([ended.status, lastLine(ended)]).toEqual([3, SUMS])
  expect(deeds).toEqual({ before: [], after: [] })
  // Five batches, and one request more for each thing that happened.
  expect(requests).toBe(5 + 5)
  await expectAll(folder, tag)
})

test('a service that has never answered is not waited for', async () => {
  const { folder, tag } = makeFile()
  const { status, stderr } = await run(folder, args(tag), {
    env: { GLOSS_URL: 'http://127.0.0.1:1', GLOSS_USER: 'alice', GLOSS_PASSWORD: PASSWORD },
  })
  expect({ status, said: stderr.includes('does not answer') }).toEqual({ status: 1, said: true })
  // Nothing is written, so there is nothing to go on with.
  expect(readdirSync(folder)).toEqual(['a.csv'])
})

test('Ctrl-C ends it after what has been sent, and --resume goes on', async () => {
  const { folder, tag } = makeFile()
  let child: ReturnType<typeof spawn> | undefined
  deeds = { before: [() => child?.kill('SIGINT')], after: [] }
  const { status, stderr } = await run(folder, args(tag), { started: (one) => (child = one) })
  expect(status).toBe(130)
  expect(stderr).toMatch(/Interrupted after \d,000 rows\. Go on with: gloss import a\.csv --resume\n/)
  expect((await run(folder, args(tag))).stderr).toContain('was interrupted')
  const [file, aside] = [join(folder, 'a.csv'), join(folder, 'aside')]
  renameSync(file, aside)
  writeFileSync(file, 'n,v\n1,2\n')
  expect((await run(folder, ['--resume'])).stderr).toContain('has changed since')
  renameSync(aside, file)
  await goOn(folder)
  await expectAll(folder, tag)
})

test('interrupted at several places it prints the same sums in the end', async () => {
  const { folder, tag } = makeFile()
  let child: ReturnType<typeof spawn> | undefined
  const started = (one: typeof child): void => void (child = one)
  const [stop, kill] = (['SIGINT', 'SIGKILL'] as const).map((signal) => () => void child?.kill(signal))
  const interruptions: (typeof deeds)[] = [
    { before: [], after: [kill ?? 'pass'] },
    { before: ['pass', stop ?? 'pass'], after: [] },
    { before: [], after: [kill ?? 'pass'] },
  ]
  for (const [time, interruption] of interruptions.entries()) {
    deeds = interruption
    const { stderr } = await run(folder, time === 0 ? args(tag) : ['--resume'], { started })
    expect(stderr).not.toContain('rows imported')
    expect(existsSync(join(folder, 'a.csv.gloss-import'))).toBe(true)
  }
  await goOn(folder)
  await expectAll(folder, tag)
})

const THERE = ['--url', 'http://127.0.0.1:1']

test.each([
  ['another service', 'alice', ['--url', 'http://127.0.0.1:2'], 'the import was begun at http://127.0.0.1:1'],
  ['another user', 'alice', [...THERE, '--as', 'bob'], 'the import was begun as alice'],
  [
    'a user, though it was begun without',
    undefined,
    [...THERE, '--as', 'bob'],
    'the import was begun anonymously',
  ],
  // These are the same, and there is no answer.
  ['the same service', 'alice', ['--url', 'http://127.0.0.1:1/'], 'http://127.0.0.1:1 does not answer'],
  ['the same user', 'alice', [...THERE, '--as', 'Alice'], 'http://127.0.0.1:1 does not answer'],
])('--resume with %s', async (_what, user, more, said) => {
  const { folder } = makeFile()
  const source = await openSource(join(folder, 'a.csv'))
  const column = { column: 'v', tag: 'alice/x/v', type: 'int' } as const
  const mapping: Mapping = {
    'gloss-mapping': 1,
    format: { name: 'csv', separator: ',', quotes: true },
    encoding: 'utf-8',
    object: { about: 'p:{n}' },
    empty: 'skip',
    columns: [{ column: 'n', skip: true }, column],
  }
  const begun = { url: 'http://127.0.0.1:1', user, mapping }
  new Journal(source, begun).keep({ rows: 1, written: 1, refused: 0, refusedOctets: 0 })
  const { stderr } = await run(folder, ['--resume', ...more])
  expect(stderr).toContain(said)
  if (said.includes('does not answer'))
    expect(stderr).toContain('1 row done before. Going on at http://127.0.0.1:1\n')
})

const KILLS = Number(process.env['KILLS'] ?? 3)

test.each(Array.from({ length: KILLS }, (_, index) => index))(
  'killed and resumed it leaves what it would have left (%d)',
  async (round) => {
    const { folder, tag } = makeFile()
    let child: ReturnType<typeof spawn> | undefined
    const kill = (): void => void child?.kill('SIGKILL')
    // Before a request is passed on, after it has been written, or at any moment around the answer.
    const passes = Array.from({ length: Math.floor(Math.random() * 3) }, (): Deed => 'pass')
    const late = (): void => void setTimeout(kill, Math.random() * 30)
    const deed = [kill, late][round % 2] ?? kill
    deeds =
      round % 3 === 0 ? { before: [...passes, deed], after: [] } : { before: [], after: [...passes, deed] }
    const { status } = await run(folder, args(tag), { started: (one) => (child = one) })
    deeds = { before: [], after: [] }
    if (existsSync(join(folder, 'a.csv.gloss-import'))) {
      expect(status).toBeNull()
      await goOn(folder)
    }
    await expectAll(folder, tag)
  },
)
