/**
 * Random queries are checked as the plainest evaluation has them: each part with its place and its number, and nothing about
 * what the caller may not read. CASES says how many are tried.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { QueryNode } from '../../src/query/ast.ts'
import { readQuery } from '../../src/query/parse.ts'
import { QUERY_LIMITS } from '../../src/query/lexer.ts'
import { only, OPEN, Policies } from '../permissions/policies.ts'
import { IDENTITIES, mayAct, type Identity, type Policy } from '../permissions/oracle.ts'
import { startService, type Service } from '../support/service.ts'
import { answer, stringOf } from './model.ts'
import { ModelledService } from './modelled-service.ts'
import { Random, randomQuery, randomString, randomValue } from './random.ts'

const CASES = Number(process.env['CASES'] ?? 1_000)
/** How many requests are under way at once. */
const AT_ONCE = 20

const MISSING = 'alice/missing'
/** Conditions that are wrong whoever asks, and the class of each error. */
const WRONG: Readonly<Record<string, string>> = {
  [`has ${MISSING}`]: 'TNonexistentTag',
  [`${MISSING} = 1`]: 'TNonexistentTag',
  'has service/about': 'TBadRequest',
  'alice/plain matches "the fox"': 'TBadRequest',
  'service/id != "no uuid"': 'TParseError',
}

let service: Service
let modelled: ModelledService
const random = new Random()

const READ: Readonly<Record<string, Policy>> = {
  'alice/any': OPEN,
  'alice/text': OPEN,
  'alice/plain': OPEN,
  'alice/bobs': only('bob'),
  'alice/none': OPEN,
}

beforeAll(async () => {
  service = await startService()
  modelled = new ModelledService(service)
  const policies = new Policies(service)
  for (const path of Object.keys(READ)) await modelled.makeTag(path, path !== 'alice/plain')
  for (let i = 0; i < 40; i++) await modelled.makeObject(i % 2 === 0 ? `zebra ${String(i)}` : undefined)
  await modelled.learnAbouts()
  for (const path of Object.keys(READ).filter((one) => one !== 'alice/none')) {
    const value = () => (path === 'alice/text' ? stringOf(randomString(random)) : randomValue(random))
    const objects = modelled.objects.filter(() => random.chance(0.7))
    await Promise.all(objects.map((object) => modelled.put(path, object, value())))
  }
  for (const [path, policy] of Object.entries(READ)) await policies.set('tag-values', path, 'read', policy)
}, 300_000)
afterAll(() => service.stop())

interface Checked {
  readonly valid: boolean
  readonly nodes: readonly {
    readonly start: number
    readonly end: number
    readonly left?: number
    readonly right?: number
    readonly path?: string
    readonly count?: number
    readonly exact?: boolean
    readonly error?: { readonly class: string; readonly path?: string }
  }[]
}

/** The class of the error of a condition, by its text. */
function errorOf(who: Identity, node: QueryNode, text: string): string | undefined {
  if ('left' in node || node.kind === 'id') return undefined
  const wrong = WRONG[text.slice(node.start, node.end).replace(/^\(+|\)+$/g, '')]
  if (wrong !== undefined) return wrong
  const policy = READ[node.path]
  return policy === undefined || mayAct(who, 'read', policy) ? undefined : 'TPathPermissionDenied'
}

/** The objects that match a condition, which many queries have, by its text. */
const known = new Map<string, ReadonlySet<string>>()

function matchesOf(node: QueryNode, text: string): ReadonlySet<string> {
  const condition = text.slice(node.start, node.end)
  const found = known.get(condition) ?? new Set(answer(modelled.model, { text, root: node }))
  known.set(condition, found)
  return found
}

type Combine = (a: ReadonlySet<string>, b: ReadonlySet<string>) => ReadonlySet<string>

const COMBINED: Readonly<Record<'or' | 'and' | 'except', Combine>> = {
  or: (a, b) => new Set([...a, ...b]),
  and: (a, b) => new Set([...a].filter((one) => b.has(one))),
  except: (a, b) => new Set([...a].filter((one) => !b.has(one))),
}

/** Compares the node at a place with all that is in it; returns what matches it, unless something in it is wrong. */
function compare(
  checked: Checked,
  at: number,
  node: QueryNode,
  { who, text, upTo }: Case,
): ReadonlySet<string> | undefined {
  const found = checked.nodes[at]
  if (found === undefined) throw new Error(`there is no node ${String(at)}`)
  expect([found.start, found.end]).toEqual([node.start, node.end])
  let matches: ReadonlySet<string> | undefined
  if ('left' in node) {
    const left = compare(checked, found.left ?? 0, node.left, { who, text, upTo })
    const right = compare(checked, found.right ?? 0, node.right, { who, text, upTo })
    matches = left && right && COMBINED[node.kind](left, right)
  } else {
    const error = errorOf(who, node, text)
    expect([found.path, found.error?.class]).toEqual([node.kind === 'id' ? 'service/id' : node.path, error])
    matches = error === undefined ? matchesOf(node, text) : undefined
  }
  const { count, exact } = found
  if (matches === undefined) expect([count, exact]).toEqual([undefined, undefined])
  // In so small a store everything is counted that may be.
  else if (exact === true || upTo === MANY) expect([count, exact]).toEqual([matches.size, true])
  else if (exact === false) expect(count).toBeLessThanOrEqual(Math.min(matches.size, upTo))
  return matches
}

const MANY = 10_000

interface Case {
  readonly who: Identity
  readonly text: string
  readonly upTo: number
}

function randomCase(): Case {
  const parts = modelled.queryParts()
  const wrong = random.chance(0.3) ? Object.keys(WRONG) : []
  const paths = random.chance(0.5) ? parts.paths : parts.paths.filter((path) => path !== 'alice/bobs')
  const indexed = parts.indexed.filter((path) => paths.includes(path))
  const text = randomQuery(random, { ...parts, paths, indexed, further: [...parts.further, ...wrong] })
  return { who: random.pick(IDENTITIES), text, upTo: random.pick([MANY, MANY, 3, 0]) }
}

test('each part has its place and its number, or what is wrong with it', async () => {
  const tried = { nodes: 0, counted: 0, wrong: 0 }
  const tryOne = async (): Promise<void> => {
    const one = randomCase()
    const { who, text, upTo } = one
    const found = await service.ok('POST', '/search/check', {
      ...(who !== 'anonymous' && { as: who }),
      json: { query: text, countUpTo: upTo },
    })
    const checked = found.json() as Checked
    const query = readQuery(text, QUERY_LIMITS)
    if ('error' in query) throw query.error
    try {
      expect(checked.valid).toBe(compare(checked, 0, query.root, one) !== undefined)
    } catch (error) {
      throw new Error(`seed ${String(random.seed)}, ${who}, up to ${String(upTo)}: ${text}`, { cause: error })
    }
    tried.nodes += checked.nodes.length
    tried.counted += checked.nodes.filter(({ count }) => count !== undefined).length
    tried.wrong += checked.nodes.filter(({ error }) => error !== undefined).length
  }
  for (let done = 0; done < CASES; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, tryOne))
  expect(tried.counted).toBeGreaterThan(CASES)
  expect(tried.wrong).toBeGreaterThan(CASES / 10)
}, 3_600_000)

test('a query is valid exactly if it can be searched for', async () => {
  for (let i = 0; i < 200; i++) {
    const { who, text } = randomCase()
    const options = { ...(who !== 'anonymous' && { as: who }) }
    const { status, error } = await service.request('GET', '/objects', { ...options, query: { query: text } })
    const { valid, nodes } = (
      await service.ok('POST', '/search/check', { ...options, json: { query: text } })
    ).json() as Checked
    expect([text, valid]).toEqual([text, status === 200])
    if (status !== 200) expect(nodes.map((node) => node.error?.class)).toContain(error)
  }
})
