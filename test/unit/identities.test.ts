/** What must be the same for something kept to count: each part alone is tried, and none. */
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Digest } from '../../command/archive/digest.ts'
import type { ArchiveRecord, Policies } from '../../src/copy/records.ts'
import { Journal, readJournal } from '../../command/importing/journal.ts'
import { mappingText, type Mapping } from '../../common/importing/mapping.ts'
import { openSource } from '../../command/importing/source.ts'
import type { ValueHead } from '../../src/data/values/reading.ts'
import { VerifiedCredentials } from '../../src/http/credentials/credentials.ts'
import { entityTag } from '../../src/http/answer/preconditions.ts'

const MIB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'gloss-identities-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

describe('the file of an import', () => {
  const file = join(folder, 'a.csv')
  const at = new Date('2026-01-02T03:04:05.678Z')
  const position = { rows: 7, written: 4, refused: 3, refusedOctets: 90 }
  const mapping = { 'gloss-mapping': 1, object: { about: 'p:{n}' }, columns: [] } as unknown as Mapping

  beforeEach(async () => {
    writeFileSync(file, 'x'.repeat(2 * MIB))
    utimesSync(file, at, at)
    const begun = { url: 'http://service.example', user: 'alice', mapping, files: undefined }
    new Journal(await openSource(file), begun).keep(position)
  })

  const keepTime = (change: () => void) => (): void => {
    change()
    utimesSync(file, at, at)
  }

  const withOctet = (index: number): void => {
    const octets = readFileSync(file)
    octets[index] = 0x79
    writeFileSync(file, octets)
  }

  test.each<readonly [string, () => void]>([
    ['size', keepTime(() => appendFileSync(file, 'x'))],
    ['first octet', keepTime(() => withOctet(0))],
    ['last octet of the first mebibyte', keepTime(() => withOctet(MIB - 1))],
    ['time', () => utimesSync(file, at, new Date(at.getTime() + 1))],
  ])('has changed if its %s has', (_what, change) => {
    change()
    expect(() => readJournal(file)).toThrow('has changed since')
  })

  test('is the same however often it is read', () => {
    const { atimeMs } = statSync(file)
    utimesSync(file, new Date(atimeMs + 5000), at)
    const begun = readJournal(file)
    expect(begun).toMatchObject({ url: 'http://service.example', user: 'alice', position })
    expect(mappingText(begun.mapping)).toBe(mappingText(mapping))
  })

  test('whose import was another one has no journal', () => {
    writeFileSync(join(folder, 'b.csv'), readFileSync(file))
    expect(() => readJournal(join(folder, 'b.csv'))).toThrow('has been interrupted')
  })
})

test('credentials count with their password, their spelling and the hash that they were right for', () => {
  const verified = new VerifiedCredentials()
  const known = verified.digestOf('Basic YTpi')
  const isRight = (authorization: string, hash: string): boolean => {
    verified.add(known, 'hash')
    return verified.isRight(verified.digestOf(authorization), hash)
  }
  expect(isRight('Basic YTpi', 'hash')).toBe(true)
  expect(isRight('Basic YTpj', 'hash')).toBe(false)
  expect(isRight('Basic YjpiCg', 'hash')).toBe(false)
  expect(isRight('Basic YTpi', 'another')).toBe(false)
  // What was right for another hash is forgotten.
  verified.add(known, 'hash')
  verified.isRight(known, 'another')
  expect(verified.isRight(known, 'hash')).toBe(false)
  // No other process has the same digests.
  expect(new VerifiedCredentials().digestOf('Basic YTpi')).not.toBe(known)
})

test('an entity tag changes with the time, the type, the size and the tag of a value', () => {
  const head: ValueHead = {
    tagId: 100,
    updatedAt: 1_700_000_000_000_000,
    type: 'int',
    contentType: undefined,
    sizeBytes: 5,
  }
  expect(entityTag({ ...head })).toBe(entityTag(head))
  const others: ValueHead[] = [
    { ...head, updatedAt: head.updatedAt + 1 },
    { ...head, type: 'float' },
    { ...head, sizeBytes: 6 },
    { ...head, tagId: 101 },
    // The parts do not run into each other.
    { ...head, updatedAt: 36 * head.updatedAt + 5, sizeBytes: 0 },
  ]
  expect(new Set([head, ...others].map(entityTag)).size).toBe(1 + others.length)
})

describe('the digest of a store', () => {
  const policies = (
    exceptions: string[],
    policy: 'open' | 'closed' = 'closed',
    action = 'delete',
    category = 'tags',
  ): Policies => ({
    [category]: { [action]: { policy, exceptions } },
  })
  const octets = Buffer.from('octets')
  const RECORDS: readonly ArchiveRecord[] = [
    { user: 'alice', name: 'Alice', email: 'a@b.example', role: 'user' },
    { namespace: 'alice/books', description: 'mine', permissions: policies(['bob']) },
    { tag: 'alice/books/rating', indexed: true, description: 'of five', permissions: policies([]) },
    { object: { about: 'book:1' }, values: { 'alice/books/rating': 'five', 'alice/books/note': null } },
    { opaque: 'alice/books/cover', object: { about: 'book:1' }, type: 'image/png', octets },
  ]

  const digestOf = (records: readonly ArchiveRecord[]): string => {
    const digest = new Digest()
    for (const record of records) digest.add(record)
    return digest.hex()
  }

  /** Each change of one part of one record. */
  const CHANGES: readonly (readonly [what: string, record: number, change: Partial<ArchiveRecord>])[] = [
    ['user', 0, { user: 'bob' }],
    ['name', 0, { name: 'Bob' }],
    ['email', 0, { email: '' }],
    ['role', 0, { role: 'superuser' }],
    ['namespace', 1, { namespace: 'alice/book' }],
    ['description of a namespace', 1, { description: '' }],
    ['policy', 1, { permissions: policies(['bob'], 'open') }],
    ['action', 1, { permissions: policies(['bob'], 'closed', 'list') }],
    ['category', 1, { permissions: policies(['bob'], 'closed', 'delete', 'namespaces') }],
    ['exception', 1, { permissions: policies(['carol']) }],
    ['tag', 2, { tag: 'alice/books/rank' }],
    ['indexed', 2, { indexed: false }],
    ['description of a tag', 2, { description: '' }],
    ['exceptions of a tag', 2, { permissions: policies(['bob']) }],
    ['object', 3, { object: { about: 'book:2' } }],
    ['value', 3, { values: { 'alice/books/rating': 'six', 'alice/books/note': null } }],
    ['tag of a value', 3, { values: { 'alice/books/rank': 'five', 'alice/books/note': null } }],
    ['number of values', 3, { values: { 'alice/books/rating': 'five' } }],
    ['tag of an opaque value', 4, { opaque: 'alice/books/back' }],
    ['object of an opaque value', 4, { object: { about: 'book:2' } }],
    ['content type', 4, { type: 'image/PNG' }],
    ['octets', 4, { octets: Buffer.from('octetS') }],
  ]

  test.each(CHANGES)('changes with the %s', (_what, index, change) => {
    const changed = RECORDS.map((record, at) => (at === index ? { ...record, ...change } : record))
    expect(digestOf(changed)).not.toBe(digestOf(RECORDS))
  })

  test('does not change when an object has two records', () => {
    const object = { about: 'book:1' }
    const halves: readonly ArchiveRecord[] = [
      { object, values: { 'alice/books/rating': 'five' } },
      { object, values: { 'alice/books/note': null }, more: true },
    ]
    expect(digestOf(RECORDS.toSpliced(3, 1, ...halves))).toBe(digestOf(RECORDS))
  })

  test('does not change with the order', () => {
    expect(digestOf(RECORDS.toReversed())).toBe(digestOf(RECORDS))
  })
})
