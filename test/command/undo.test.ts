/** `gloss undo`: takes changes back, and leaves what others changed since. KILLS says how often it is killed. */
import type { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { gloss, useEmptyHome, type Ended, type RunOptions } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
let url: string
const home = useEmptyHome()

/** Called for each write that passes, before and after the service makes it. */
let onWrite: { before?: () => void; after?: () => void } = {}

/** Passes requests on to the service. */
const front = createServer((request, response) => {
  void pass(request, response)
})

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const isWrite = request.method === 'PUT' || request.method === 'DELETE'
  if (isWrite) onWrite.before?.()
  const names = ['authorization', 'content-type', 'if-match', 'if-none-match']
  const headers = names.flatMap((name) => {
    const text = request.headers[name]
    return typeof text === 'string' ? [[name, text] as const] : []
  })
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  const answer = await fetch(`${service.url}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: Object.fromEntries(headers),
    ...body,
  })
  if (isWrite) onWrite.after?.()
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
}

beforeAll(async () => {
  service = await startService()
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${String((front.address() as AddressInfo).port)}`
})
afterAll(async () => {
  front.closeAllConnections()
  front.close()
  await service.stop()
})

const run = (args: readonly string[], options: RunOptions = {}, as = 'alice'): Promise<Ended> =>
  gloss(args, {
    ...options,
    cwd: home.folder,
    env: { GLOSS_URL: url, GLOSS_USER: as, GLOSS_PASSWORD: PASSWORD, XDG_STATE_HOME: home.folder },
  })

/** Runs a command that must succeed. */
async function ok(...args: string[]): Promise<Ended> {
  const ended = await run(args)
  expect([ended.stderr, ended.status]).toEqual([ended.stderr, 0])
  return ended
}

const records = (): string[] => readdirSync(join(home.folder, 'gloss/undo'))

let count = 0
/** A namespace of its own for each test. */
const namespace = (): string => `alice/undo-${String((count += 1))}`

/** All values below a namespace as JSON, by about value and tag. */
async function values(tags: readonly string[]): Promise<unknown> {
  const query = tags.map((tag) => `has ${tag}`).join(' or ')
  const { stdout } = await ok(
    'query',
    query,
    '--columns',
    ['about', ...tags].join(','),
    '--sort',
    'about',
    '--json',
  )
  return JSON.parse(stdout, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? context?.source : value,
  )
}

test('an import of values of all types is taken back exactly', async () => {
  const ns = namespace()
  const tags = ['i', 'f', 's', 'l', 'b', 'z'].map((name) => `${ns}/${name}`)
  const before = [
    [
      'a',
      { i: '9007199254740993', f: '5.0', s: '"say \\"hi\\"\\n\\\\"', l: '["x","y"]', b: 'true', z: 'null' },
    ],
    ['b', { i: '-3', f: '-0.0', s: '["was","a list"]', l: '"was a string"', z: '1' }],
  ] as const
  const queries = before.map(([name, row]) =>
    `["service/about = \"u:${ns}:${name}\"",{${Object.entries(row)
      .map(([tag, json]) => `"${ns}/${tag}":{"value":${json}}`)
      .join()}}]`.replace(/"service\/about = "(.*?)""/, '"service/about = \\"$1\\""'),
  )
  await service.ok('PUT', '/values', {
    as: 'alice',
    body: `{"queries":[${queries.join()}]}`,
    headers: { 'content-type': 'application/json' },
  })
  const long = 'long '.repeat(1000)
  writeFileSync(
    join(home.folder, 'a.ndjson'),
    [
      { n: 'a', i: 1, f: 1.5, s: 'x', l: ['a', 'b'], b: false, z: 5 },
      { n: 'b', i: 1, f: 0, s: long, l: [], b: true, z: null },
      { n: 'new', i: 4, f: 4.5, s: long, l: ['c'], b: true, z: null },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
  )
  const was = await values(tags)
  await ok('import', 'a.ndjson', '--about', `u:${ns}:{n}`, '--into', ns, '--skip', 'n', '--yes')
  expect(await values(tags)).not.toEqual(was)
  const { stderr } = await ok('undo', '--dry-run')
  expect(stderr).toContain('11 values would be what they were, 7 values would be removed')
  expect((await ok('undo', '--yes')).stderr).toContain('11 values are what they were, 7 values are removed\n')
  expect(await values(tags)).toEqual(was)
})

test('set, unset, tag and untag are taken back one after the other', async () => {
  const ns = namespace()
  const tags = [`${ns}/a`, `${ns}/b`]
  const steps: unknown[] = []
  for (const args of [
    ['tag', `u:${ns}:1`, `${ns}/a=1`, `${ns}/b=one`],
    ['tag', `u:${ns}:2`, `${ns}/a=2`],
    ['set', `has ${ns}/a`, `${ns}/b=x`, `${ns}/c=1`, '--yes'],
    ['untag', `u:${ns}:1`, `${ns}/a`],
    ['unset', `has ${ns}/b`, `${ns}/a`, `${ns}/b`, '--yes'],
  ]) {
    await ok(...args)
    steps.push(await values(tags))
  }
  const { stdout } = await ok('undo', '--list', '--columns', 'user,values')
  expect(stdout).toBe(['3', '1', '4', '1', '2'].map((number) => `alice\t${number}\n`).join(''))
  for (const step of steps.slice(0, -1).toReversed()) {
    await ok('undo', '--yes')
    expect(await values(tags)).toEqual(step)
  }
  await ok('undo', '--yes')
  expect(await values(tags)).toEqual([])
  expect((await run(['undo', '--yes'])).stderr).toContain('no change of alice at')
})

test('what others changed since is left, also between reading and writing', async () => {
  const ns = namespace()
  const tag = `${ns}/n`
  writeFileSync(join(home.folder, 'a.csv'), 'k,n,l\n1,10,x\n2,20,x\n3,30,x\n4,40,x\n')
  await ok(
    'import',
    'a.csv',
    '--about',
    `u:${ns}:{k}`,
    '--into',
    ns,
    '--skip',
    'k',
    '--type',
    'l=list',
    '--yes',
  )
  const set = (name: string, json: object): Promise<unknown> =>
    service.ok('PUT', '/values', {
      as: 'alice',
      json: { queries: [[`service/about = "u:${ns}:${name}"`, json]] },
    })
  await set('1', { [tag]: { value: 11 } })
  // Equal for a query, but of another type.
  await set('2', { [tag]: { value: 20.5 } })
  const waits: Promise<unknown>[] = []
  onWrite = {
    before: () => {
      onWrite = {}
      waits.push(set('3', { [tag]: { value: 33 }, [`${ns}/l`]: { value: ['mine'] } }))
    },
  }
  const passing = front.listeners('request')[0] as (
    request: IncomingMessage,
    response: ServerResponse,
  ) => void
  front.removeAllListeners('request')
  front.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // The first write waits until somebody else has written.
    if (request.method === 'GET' || onWrite.before === undefined) {
      passing(request, response)
      return
    }
    onWrite.before()
    void Promise.all(waits).then(() => {
      passing(request, response)
    })
  })
  const { status, stderr } = await run(['undo', '--yes'])
  front.removeAllListeners('request')
  front.on('request', passing)
  expect([stderr.split('\n').at(-2), status]).toEqual([
    '0 values are what they were, 4 values are removed; 4 values are left, changed since',
    3,
  ])
  expect(await values([tag, `${ns}/l`])).toEqual([
    { about: `u:${ns}:1`, [tag]: '11' },
    { about: `u:${ns}:2`, [tag]: '20.5' },
    { about: `u:${ns}:3`, [tag]: '33', [`${ns}/l`]: ['mine'] },
  ])
})

test('files are taken back with their octets', async () => {
  const ns = namespace()
  const photo = `${ns}/photo`
  const path = `/about/${encodeURIComponent(`u:${ns}`)}/${photo}`
  writeFileSync(join(home.folder, 'one.png'), Buffer.from([0, 1, 255]))
  writeFileSync(join(home.folder, 'two.png'), Buffer.from([7]))
  await ok('tag', `u:${ns}`, `${photo}=one.png`, '--file')
  writeFileSync(join(home.folder, 'a.csv'), `about,${photo}\nu:${ns},two.png\n`)
  await ok('import', 'a.csv', '--media-type', `${photo}=image/png`, '--yes')
  expect((await service.ok('GET', path, { as: 'alice' })).body).toEqual(Buffer.from([7]))
  await ok('undo', '--yes')
  const { body, headers } = await service.ok('GET', path, { as: 'alice' })
  expect([body, headers['content-type']]).toEqual([Buffer.from([0, 1, 255]), 'image/png'])
  await ok('undo', '--yes')
  expect((await service.request('GET', path, { as: 'alice' })).status).toBe(404)
})

test('a record is for its user alone, and only changes have one', async () => {
  const ns = namespace()
  await ok('tag', `u:${ns}`, `${ns}/a=1`)
  const [name = ''] = records()
  expect(statSync(join(home.folder, 'gloss/undo', name)).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(home.folder, 'gloss/undo', name), 'utf8')).not.toContain(PASSWORD)
  // Nothing changes, or the service refuses it.
  await ok('tag', `u:${ns}`, `${ns}/a=1`)
  expect((await run(['tag', `u:${ns}`, 'nobody/at/all=1'])).status).toBe(1)
  expect((await run(['untag', `u:${ns}`, 'service/about'])).status).toBe(1)
  expect(records()).toEqual([name])
  const other = await run(['undo', '1', '--yes'], {}, 'bob')
  expect([other.status, other.stderr]).toEqual([2, expect.stringContaining(`as alice`)])
  expect((await run(['undo', '99', '--yes'])).stderr).toContain('no change 99 is kept')
  expect((await run(['undo'])).stderr).toContain('say --yes to go on without being asked')
  expect((await ok('undo', '--yes')).stderr).toContain('1 value is removed')
})

test('what cannot be kept is said, and written all the same', async () => {
  const ns = namespace()
  await ok('tag', `u:${ns}`, `${ns}/secret=1`)
  await ok('perms', 'grant', `${ns}/secret`, 'bob', '--action', 'write')
  await service.ok('PUT', `/permissions/tag-values/${ns}/secret`, {
    as: 'alice',
    query: { action: 'read' },
    json: { policy: 'closed', exceptions: ['alice'] },
  })
  const blind = await run(['tag', `u:${ns}`, `${ns}/secret=2`], {}, 'bob')
  expect([blind.status, blind.stderr]).toEqual([
    0,
    expect.stringContaining(`A part of this cannot be taken back: you may not read ${ns}/secret\n`),
  ])
  const folder = join(home.folder, 'file')
  writeFileSync(folder, '')
  const nowhere = await gloss(['tag', `u:${ns}`, `${ns}/b=2`], {
    env: { GLOSS_URL: url, GLOSS_USER: 'alice', GLOSS_PASSWORD: PASSWORD, XDG_STATE_HOME: folder },
  })
  expect([nowhere.status, nowhere.stderr]).toEqual([
    0,
    expect.stringContaining('What is changed from here on cannot be taken back: ENOTDIR'),
  ])
})

test('at most 50 changes are kept', async () => {
  const ns = namespace()
  await ok('tag', `u:${ns}`, `${ns}/a=0`)
  const folder = join(home.folder, 'gloss/undo')
  const text = readFileSync(join(folder, '1.ndjson'))
  for (let id = 2; id <= 60; id++) writeFileSync(join(folder, `${String(id)}.ndjson`), text)
  await ok('tag', `u:${ns}`, `${ns}/a=1`)
  expect(
    records()
      .map((name) => Number.parseInt(name))
      .toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: 50 }, (_, index) => index + 12))
})

const KILLS = Number(process.env['KILLS'] ?? 2)
const ROWS = 5000

test.each(Array.from({ length: KILLS }, (_, index) => index))(
  'killed during the import, and killed during the undo, it still takes everything back (%d)',
  async (round) => {
    const ns = namespace()
    const tags = [`${ns}/n`, `${ns}/s`]
    const rows = Array.from(
      { length: ROWS },
      (_, index) => `${String(index)},${String(index)},text ${String(index)}`,
    )
    writeFileSync(join(home.folder, 'a.csv'), ['k,n,s', ...rows].join('\n'))
    const queries = Array.from({ length: 1000 }, (_, index) => [
      `service/about = "u:${ns}:${String(index * 3)}"`,
      {
        [tags[0] as string]: { value: index },
        ...(index % 2 === 0 && { [tags[1] as string]: { value: 'old' } }),
      },
    ])
    await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
    const was = await values(tags)
    let child: ReturnType<typeof spawn> | undefined
    const started = (one: typeof child): void => void (child = one)
    const killAt = (most: number): void => {
      let left = Math.floor(Math.random() * most)
      const when = Math.random() < 0.5 ? 'before' : 'after'
      onWrite = {
        [when]: () => {
          if (left-- === 0) child?.kill('SIGKILL')
        },
      }
    }
    // The import has three writes.
    killAt(3)
    const importing = ['import', 'a.csv', '--about', `u:${ns}:{k}`, '--into', ns, '--skip', 'k', '--yes']
    const killed = await run(importing, { started })
    onWrite = {}
    expect(killed.status).toBeNull()
    if (round % 2 === 1) await run(['import', '--resume'], { started })
    for (let time = 0; time < 2; time++) {
      killAt(20)
      await run(['undo', '--yes'], { started })
      onWrite = {}
    }
    // The rest, if the last kill came too late there is none.
    const last = await run(['undo', '--yes'])
    expect(last.stderr).not.toContain('left')
    expect(await values(tags)).toEqual(was)
    expect(records()).toEqual([])
    expect(readdirSync(home.folder)).not.toContain('a.csv.gloss-import')
  },
)
