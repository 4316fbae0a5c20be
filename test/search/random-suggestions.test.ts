/**
 * Random suggestions are what the plainest evaluation suggests, for whoever asks: never a path that they may not see.
 * CASES says how many are tried.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CLOSED, only, OPEN, allBut, Policies } from '../permissions/policies.ts'
import { IDENTITIES, mayAct, type Identity, type Policy } from '../permissions/oracle.ts'
import { startService, type Service } from '../support/service.ts'
import type { Value } from './model.ts'
import { ModelledService } from './modelled-service.ts'
import { Random, randomString, randomValue } from './random.ts'

const CASES = Number(process.env['CASES'] ?? 1_000)
/** How many requests are under way at once. */
const AT_ONCE = 20

let service: Service
let modelled: ModelledService
const random = new Random()

interface Thing {
  readonly kind: 'tag' | 'namespace'
  readonly path: string
  policy: Policy
  count: number
}

const things = new Map<string, Thing>()
const keyOf = (kind: Thing['kind'], path: string): string => `${kind} ${path}`
const note = (kind: Thing['kind'], path: string, policy: Policy): void => {
  things.set(keyOf(kind, path), { kind, path, policy, count: 0 })
}

const NAMES = [
  ...[
    'rating',
    'Rating',
    'RATE',
    'x-rate',
    'a_b',
    'aXb',
    'a.b',
    '100',
    'name',
    'K',
    'k',
    '\u{212a}',
    '\u{130}x',
  ],
  ...['Größe', 'GRÖßE', 'λόγος', 'ΛΌΓΟΣ', 'Σ', 'ς', '日本', 'x:y', 'long'.repeat(20), 'é', 'e\u0301'],
]

const USERS = ['alice', 'bob', 'carol']
const POLICIES = [OPEN, CLOSED, only('alice'), only('bob', 'carol'), allBut('bob'), allBut('anon', 'carol')]

/** What every store of these tests has, and who may list or read it. */
function noteBuiltIn(): void {
  for (const path of ['service', 'service/namespaces', 'service/tags', 'service/users', 'anon'])
    note('namespace', path, CLOSED)
  for (const user of USERS) {
    note('namespace', user, OPEN)
    note('namespace', `${user}/private`, only(user))
  }
  for (const path of ['about', 'namespaces/path', 'namespaces/description', 'tags/path', 'tags/description'])
    note('tag', `service/${path}`, OPEN)
  for (const name of ['username', 'name', 'role']) note('tag', `service/users/${name}`, OPEN)
  note('tag', 'service/users/email', CLOSED)
}

beforeAll(async () => {
  service = await startService()
  modelled = new ModelledService(service)
  for (const path of ['alice/any', 'alice/some', 'alice/few']) await modelled.makeTag(path, true)
  for (let i = 0; i < 60; i++) await modelled.makeObject()
  const pool = Array.from({ length: 25 }, () => randomValue(random))
  for (const [path, value] of [
    ['alice/any', () => randomValue(random)],
    ['alice/some', () => random.pick(pool)],
    ['alice/few', () => random.pick(pool.slice(0, 4))],
  ] as const) {
    await Promise.all(modelled.objects.map((object) => modelled.put(path, object, value())))
  }
  await makeThings()
}, 300_000)
afterAll(() => service.stop())

async function makeThings(): Promise<void> {
  noteBuiltIn()
  const policies = new Policies(service)
  for (const path of modelled.paths) note('tag', path, OPEN)
  const namespaces = ['alice', 'bob', 'carol']
  for (let i = 0; i < 120; i++) {
    const kind = random.chance(0.3) ? 'namespace' : 'tag'
    const [parent, name] = [random.pick(namespaces), random.pick(NAMES)]
    const path = `${parent}/${name}`
    if (things.has(keyOf(kind, path)) || [...path].length > 200) continue
    const json = { name, description: '', ...(kind === 'tag' && { indexed: true }) }
    await service.ok('POST', `/${kind}s/${encodeURIComponent(parent)}`, { as: 'service', json })
    const policy = random.pick(POLICIES)
    const [category, action] =
      kind === 'tag' ? (['tag-values', 'read'] as const) : (['namespaces', 'list'] as const)
    await policies.set(category, encodeURIComponent(path), action, policy)
    note(kind, path, policy)
    if (kind === 'namespace') namespaces.push(path)
  }
  for (const thing of things.values()) thing.count = await countOf(thing)
}

/** How many values a tag has, as somebody finds who may read it all; or how much is directly in a namespace. */
async function countOf({ kind, path }: Thing): Promise<number> {
  if (kind === 'namespace') return [...things.values()].filter((one) => parentOf(one.path) === path).length
  const query = path === 'service/about' ? `${path} >= ""` : `has ${path}`
  const found = await service.ok('GET', '/objects', { as: 'service', query: { query } })
  return (found.json() as { ids: string[] }).ids.length
}

const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/** Letters without their case, but for the two that would become others. */
const plain = (text: string): string =>
  [...text]
    .map((one) => (/\p{Lu}/u.test(one) && !['\u{130}', '\u{212a}'].includes(one) ? one.toLowerCase() : one))
    .join('')

const sees = (who: Identity, { kind, policy }: Thing): boolean => {
  const exceptions = policy.exceptions.map((name) => (name === 'anon' ? 'anonymous' : name))
  return mayAct(who, kind === 'tag' ? 'read' : 'list', { ...policy, exceptions })
}

function expectedPaths(who: Identity, text: string, limit: number): object[] {
  const wanted = plain(text)
  const begins = ({ path }: Thing): boolean =>
    plain(path)
      .split('/')
      .some((_, i, names) => names.slice(i).join('/').startsWith(wanted))
  return [...things.values()]
    .filter((thing) => sees(who, thing) && plain(thing.path).includes(wanted))
    .sort(
      (a, b) =>
        Number(begins(b)) - Number(begins(a)) ||
        [...a.path].length - [...b.path].length ||
        Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)) ||
        (a.kind === 'tag' ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ kind, path, count }) => ({ kind, path, count, exact: true }))
}

/** A part of a path, with the case of some letters changed. */
function randomText(): string {
  const letters = [...random.pick([...things.values()]).path]
  const start = random.below(letters.length)
  const part = letters.slice(start, start + random.below(random.pick([3, 8, 30])))
  const changed = part.map((one) => (random.chance(0.2) ? one.toUpperCase() : one))
  return changed.join('') + (random.chance(0.05) ? randomString(random).slice(0, 400) : '')
}

/** Tries `CASES` cases, some at once. */
async function tryAll(tryOne: () => Promise<void>): Promise<void> {
  for (let done = 0; done < CASES; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, tryOne))
}

test('paths are those that hold the text and that the caller may see', async () => {
  let shown = 0
  await tryAll(async () => {
    const [who, text, limit] = [random.pick(IDENTITIES), randomText(), random.pick([1, 3, 20, 100])]
    const answer = await service.ok('GET', '/search/suggest', {
      ...(who !== 'anonymous' && { as: who }),
      query: { text, limit: String(limit) },
    })
    const expected = { suggestions: expectedPaths(who, text, limit), complete: true }
    expect({ seed: random.seed, who, text, found: answer.json() }).toEqual({
      seed: random.seed,
      who,
      text,
      found: expected,
    })
    shown += expected.suggestions.length
  })
  expect(shown).toBeGreaterThan(CASES)
}, 3_600_000)

/** What is equal to a value, and to nothing else; undefined for what is never suggested. */
function identityOf(value: Value): string | undefined {
  switch (value.type) {
    case 'opaque':
    case 'list-of-strings':
      return undefined
    case 'string':
      return Buffer.byteLength(value.text) > 512 ? undefined : value.text
    case 'int':
      return String(value.value)
    case 'float':
      return Number.isInteger(value.value) ? String(BigInt(value.value)) : String(value.value)
    default:
      return value.text
  }
}

/** How often each value occurs that begins with the text, by its identity. */
function expectedCounts(path: string, text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of modelled.model.get(path)?.values() ?? []) {
    const identity = identityOf(value)
    const begins = text === '' || (value.type === 'string' && value.value.startsWith(text))
    if (identity !== undefined && begins) counts.set(identity, (counts.get(identity) ?? 0) + 1)
  }
  return counts
}

interface Read {
  readonly suggestions: readonly { readonly value: string; readonly count: string }[]
}

/** Numbers as they are written. */
const exactly = (text: string): Read =>
  JSON.parse(text, (key: string, value: unknown, context?: { readonly source?: string }) =>
    key === 'value' || key === 'count' ? context?.source : value,
  ) as Read

const identityOfText = (text: string): string =>
  /^-?\d.*[.e]/.test(text) && Number.isInteger(Number(text)) ? String(BigInt(Number(text))) : text

test('values are the most frequent ones of those that begin with the text', async () => {
  let shown = 0
  await tryAll(async () => {
    const path = random.pick(['alice/any', 'alice/some', 'alice/few'])
    const values = [...(modelled.model.get(path)?.values() ?? [])]
    const value = random.pick(values)
    const letters = value.type === 'string' ? [...value.value] : []
    const text = random.chance(0.3) ? '' : letters.slice(0, random.below(random.pick([4, 40]))).join('')
    const limit = random.pick([1, 2, 10, 100])
    const query = { tag: path, text, limit: String(limit) }
    const { suggestions } = exactly((await service.ok('GET', '/search/suggest', { query })).body.toString())
    const found = suggestions.map((one) => [identityOfText(one.value), Number(one.count)] as const)
    const expected = expectedCounts(path, text)
    const counts = [...expected.values()].sort((a, b) => b - a).slice(0, limit)
    expect({ seed: random.seed, query, counts: found.map(([, count]) => count) }).toEqual({
      seed: random.seed,
      query,
      counts,
    })
    expect(new Set(found.map(([identity]) => identity)).size).toBe(found.length)
    for (const [identity, count] of found)
      expect([identity, count]).toEqual([identity, expected.get(identity)])
    shown += found.length
  })
  expect(shown).toBeGreaterThan(CASES)
}, 3_600_000)
