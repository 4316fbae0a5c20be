/** Archives and digests: what goes out comes back, on another database too, and whatever differs is noticed. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { importArchive } from '../../command/archive/archive-import.ts'
import { readArchive } from '../../command/archive/archive-records.ts'
import { Digest } from '../../command/archive/digest.ts'
import { recordsOf } from '../../command/archive/store-records.ts'
import type { Connection } from '../../command/connection/connect.ts'
import { copyOf } from '../../src/copy/copy-file.ts'
import type { ArchiveRecord } from '../../src/copy/records.ts'
import { backUp } from '../../src/data/maintenance/backup.ts'
import { createClient } from '../../packages/client/index.ts'
import { fillStore } from '../support/full-store.ts'
import { gloss } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'gloss-archive-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The store that is exported, of the other kind than the one that it goes into where there are two. */
let source: Service
let unnamed: string
const archive = join(folder, 'store.ndjson.gz')

beforeAll(async () => {
  source = await startService({}, {}, 'sqlite')
  unnamed = await fillStore(source)
  const { status, stderr } = await run(source, ['export', '--all', '-o', archive])
  expect({ status, stderr }).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/; digest [0-9a-f]{64}\n$/),
  })
  expect(statSync(archive).mode & 0o777).toBe(0o600)
})
afterAll(() => source.stop())

/** As a user, or as nobody. */
const connectionOf = ({ url }: Service, user: string | null = 'service'): Connection => ({
  client: createClient(url, { username: user ?? undefined, password: PASSWORD }),
  anonymous: createClient(url),
  url,
  user: user ?? undefined,
})

const run = ({ url }: Service, args: readonly string[], user = 'service') =>
  gloss(args, { env: { GLOSS_URL: url, GLOSS_USER: user, GLOSS_PASSWORD: PASSWORD } })

async function digestOf(service: Service): Promise<string> {
  const digest = new Digest()
  for await (const record of recordsOf(connectionOf(service))) digest.add(record)
  return digest.hex()
}

const whole = (records: AsyncIterable<ArchiveRecord>): AsyncIterable<ArchiveRecord> => records

const linesOf = (file: string): string[] => gunzipSync(readFileSync(file)).toString().split('\n').slice(0, -1)

describe('from SQLite to the database under test and back', () => {
  let middle: Service
  let last: Service
  const again = join(folder, 'again.ndjson')
  beforeAll(async () => {
    middle = await startService()
    last = await startService({}, {}, 'sqlite')
  })
  afterAll(async () => {
    await middle.stop()
    await last.stop()
  })

  test('the digest is the same everywhere, and an archive is imported once', async () => {
    const first = await run(middle, ['import', archive])
    expect(first).toMatchObject({ status: 0, stdout: '' })
    expect(first.stderr).toContain(
      'Nobody knows the password of dora: set a new one by gloss user passwd NAME',
    )
    expect((await run(middle, ['export', '--all', '-o', again])).status).toBe(0)
    expect((await run(last, ['import', again])).status).toBe(0)
    const digest = await digestOf(source)
    expect([await digestOf(middle), await digestOf(last)]).toEqual([digest, digest])
    for (const [service, args] of [
      [source, ['digest']],
      [last, ['digest']],
      [last, ['digest', archive]],
      [last, ['digest', again]],
    ] as const) {
      expect(await run(service, args)).toMatchObject({ status: 0, stdout: `${digest}\n` })
    }
  })

  test('a second import changes nothing, not even a time', async () => {
    const state = async (): Promise<unknown> => {
      const path = `/search?query=${encodeURIComponent('has alice/types/int or has alice/types/cover or has alice/odd/näme.-_:1')}&tag=*`
      return (await middle.ok('GET', path, { as: 'service' })).json()
    }
    const before = await state()
    await importArchive(connectionOf(middle), archive, whole)
    expect(await state()).toEqual(before)
    expect(await digestOf(middle)).toBe(await digestOf(source))
  })

  test('values are what they were, to the digit and the octet', async () => {
    const get = (service: Service, path: string) => service.ok('GET', path, { as: 'alice' })
    for (const path of [
      ...['least', 'most', 'whole', 'tiny', 'huge', 'text', 'words', 'none', 'long'].map(
        (name) => `/about/book%3ADune/alice/types/${name}`,
      ),
      ...['cover', 'empty'].map((name) => `/objects/${unnamed}/alice/types/${name}`),
    ]) {
      const [there, here] = [await get(source, path), await get(last, path)]
      expect(here.body.equals(there.body)).toBe(true)
      expect(here.headers['content-type']).toBe(there.headers['content-type'])
    }
  })
})

test('a backup is imported and has a digest like an archive', async () => {
  const backup = join(folder, 'backup.gz')
  await backUp(source.store, backup)
  const digest = await digestOf(source)
  expect(await run(source, ['digest', backup])).toMatchObject({ status: 0, stdout: `${digest}\n` })
  const target = await startService()
  try {
    expect(await run(target, ['import', backup])).toMatchObject({ status: 0, stdout: '' })
    expect(await digestOf(target)).toBe(digest)
  } finally {
    await target.stop()
  }
})

test('an import that breaks off can be run again', async () => {
  const target = await startService()
  try {
    for (const most of [3, 9, 30, 60, 75]) {
      const broken = importArchive(connectionOf(target), archive, async function* (records) {
        let count = 0
        for await (const record of records) {
          if (count++ === most) throw new Error('broken off')
          yield record
        }
      })
      await expect(broken).rejects.toThrow('broken off')
    }
    await importArchive(connectionOf(target), archive, whole)
    expect(await digestOf(target)).toBe(await digestOf(source))
  } finally {
    await target.stop()
  }
})

describe('what is refused, changing nothing', () => {
  let target: Service
  let before: string
  beforeAll(async () => {
    target = await startService()
    before = await digestOf(target)
  })
  afterAll(() => target.stop())

  const text = () => linesOf(archive)
  const spoilt: readonly (readonly [string, () => Buffer, RegExp])[] = [
    ['without its last line', () => Buffer.from(text().slice(0, -1).join('\n') + '\n'), /is torn: its end/],
    ['cut within a line', () => Buffer.from(text().join('\n').slice(0, -200)), /is torn: its end/],
    ['cut while compressed', () => readFileSync(archive).subarray(0, -100), /is torn: its end/],
    ['with a value less', () => joined(text().filter((line) => !line.includes('"Image/PNG'))), /checksum/],
    ['with another value', () => joined(text().map((line) => line.replace(':5.0', ':5'))), /checksum/],
    [
      'with half a line more',
      () => joined([...text().slice(0, 5), '{"user":', ...text().slice(5)]),
      /checksum/,
    ],
    [
      'with another first line',
      () => joined(text().map((line) => line.replace('"made"', '"mode"'))),
      /checksum/,
    ],
    ['with lines after its end', () => joined([...text(), ...text()]), /checksum/],
    ['of a later format', () => joined(['{"gloss-copy":2,"made":""}']), /format 2/],
    ['that is none', () => Buffer.from('id,about\n'), /is neither a backup nor an archive/],
    ['that is empty', () => Buffer.alloc(0), /is neither a backup nor an archive/],
    ['damaged while compressed', () => gzipSync('x').fill(0, 12), /was changed or damaged/],
  ]
  const joined = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`)

  test.each(spoilt)('a file %s', async (_what, make, said) => {
    const file = join(folder, 'spoilt')
    writeFileSync(file, make())
    await expect(importArchive(connectionOf(target), file, whole)).rejects.toThrow(said)
    expect(await digestOf(target)).toBe(before)
  })

  test('a file that is not there, with a sentence', async () => {
    const { status, stderr } = await run(target, ['import', join(folder, 'nothing')])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^gloss: '.*nothing' cannot be read: ENOENT/)
  })

  test.each([['--dry-run'], ['--into', 'alice'], ['--about', '{id}']])(
    'what is said of rows: %s',
    async (...options) => {
      const { status, stderr } = await run(target, ['import', archive, ...options])
      expect(status).toBe(2)
      expect(stderr).toMatch(/^gloss: .*archive/)
    },
  )

  test('an import by somebody who is no superuser', async () => {
    await expect(importArchive(connectionOf(target, 'alice'), archive, whole)).rejects.toThrow(
      'only a superuser',
    )
  })

  test('a store that has something else', async () => {
    await target.ok('PUT', '/about/x/alice/mine/own', { as: 'alice', primitive: '1' })
    const digest = await digestOf(target)
    await expect(importArchive(connectionOf(target), archive, whole)).rejects.toThrow(
      'the store has the tag alice/mine/own and 1 more, which the archive does not have: nothing was changed',
    )
    expect(await digestOf(target)).toBe(digest)
  })
})

test.each([
  ['a user', 'dora'],
  ['nobody', null],
])('what %s may not see is not in their archive', async (_who, user) => {
  const all = (await Array.fromAsync(copyOf(recordsOf(connectionOf(source, user))))).join('')
  for (const hidden of ['for Alice alone', 'dora@example.org', '\\"quoted\\" \\\\ ']) {
    expect(linesOf(archive).join('\n')).toContain(hidden)
    expect(all).not.toContain(hidden)
  }
  expect(all).toContain('{"about":"book:Dune"},"values":{"alice/types/null":null,')
  // Who may do what is for those to see who have CONTROL.
  const records = all.split('\n')
  expect(records).toContain('{"namespace":"alice","description":"all of Alice","permissions":{}}')
})

describe('the digest of a store changes with', () => {
  const put = (path: string, primitive: string) => (service: Service) =>
    service.ok('PUT', path, { as: 'alice', primitive })
  const send =
    (method: string, path: string, json?: object, as = 'service') =>
    (service: Service) =>
      service.ok(method, path, json === undefined ? { as } : { as, json })
  const opaque = (body: string, type: string) => (service: Service) =>
    service.ok('PUT', '/about/a/alice/t/opaque', { as: 'alice', body, headers: { 'content-type': type } })
  const policy = (category: string, path: string, action: string, policy: string, ...exceptions: string[]) =>
    send('PUT', `/permissions/${category}/${path}?action=${action}`, { policy, exceptions })

  const changes: readonly (readonly [string, (service: Service) => Promise<unknown>])[] = [
    ['an object', send('POST', '/objects', { about: 'a' })],
    ['a value', put('/about/a/alice/t/x', '5')],
    ['its type', put('/about/a/alice/t/x', '5.0')],
    ['its sign', put('/about/a/alice/t/x', '-5.0')],
    ['a string', put('/about/a/alice/t/x', '"5.0"')],
    ['a blank in it', put('/about/a/alice/t/x', '"5.0 "')],
    ['null', put('/about/a/alice/t/x', 'null')],
    ['false', put('/about/a/alice/t/x', 'false')],
    ['an empty list', put('/about/a/alice/t/x', '[]')],
    ['a list', put('/about/a/alice/t/x', '["a","b"]')],
    ['its order', put('/about/a/alice/t/x', '["b","a"]')],
    ['an item twice', put('/about/a/alice/t/x', '["b","a","a"]')],
    ['a value on another object', put('/about/b/alice/t/x', '["b","a","a"]')],
    ['one value less', send('DELETE', '/about/a/alice/t/x', undefined, 'alice')],
    ['an opaque value', opaque('abc', 'text/plain')],
    ['its octets', opaque('abd', 'text/plain')],
    ['the letters of its content type', opaque('abd', 'text/Plain')],
    [
      'a value on an object about nothing',
      put('/objects/019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4/alice/t/x', '1'),
    ],
    ['a namespace', send('POST', '/namespaces/alice', { name: 'n', description: '' }, 'alice')],
    ['its description', send('PUT', '/namespaces/alice/n', { description: 'd' }, 'alice')],
    ['a tag', send('POST', '/tags/alice', { name: 'n', description: '', indexed: true }, 'alice')],
    ['its description', send('PUT', '/tags/alice/n', { description: 'd' }, 'alice')],
    ['no tag', send('DELETE', '/tags/alice/n', undefined, 'alice')],
    [
      'a tag that is not indexed',
      send('POST', '/tags/alice', { name: 'n', description: 'd', indexed: false }, 'alice'),
    ],
    ['a policy of a namespace', policy('namespaces', 'alice/n', 'list', 'closed', 'alice')],
    ['an exception', policy('namespaces', 'alice/n', 'list', 'closed', 'alice', 'bob')],
    ['another one', policy('namespaces', 'alice/n', 'list', 'closed', 'alice', 'carol')],
    ['a policy of a tag', policy('tags', 'alice/n', 'delete', 'open')],
    ['another action', policy('tags', 'alice/n', 'update', 'open')],
    ['a policy of values', policy('tag-values', 'alice/n', 'delete', 'open')],
    ['the name of a user', send('PUT', '/users/bob', { name: 'Bob' })],
    ['an e-mail address', send('PUT', '/users/bob', { email: 'bob@example.org' })],
    ['a role', send('PUT', '/users/bob', { role: 'superuser' })],
    ['a user', send('POST', '/users', { username: 'dora', password: PASSWORD })],
    ['a built-in user', send('PUT', '/users/anon', { name: 'nobody' })],
    ['a built-in permission', policy('tag-values', 'service/users/email', 'read', 'open')],
  ]

  let service: Service
  const seen = new Set<string>()
  beforeAll(async () => {
    service = await startService()
    seen.add(await digestOf(service))
  })
  afterAll(() => service.stop())

  test.each(changes)('%s', async (_what, change) => {
    await change(service)
    const digest = await digestOf(service)
    expect(seen).not.toContain(digest)
    seen.add(digest)
  })
})

test('records in another order have the same digest', async () => {
  const records = await Array.fromAsync(readArchive(archive))
  const digests = [records, records.toReversed()].map((some) => {
    const digest = new Digest()
    for (const record of some) digest.add(record)
    return digest.hex()
  })
  expect(new Set(digests).size).toBe(1)
})
