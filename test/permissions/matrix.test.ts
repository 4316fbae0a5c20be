/** The permission matrix: every way to act, under every policy, by everybody, against the specification. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startService, type Service } from '../support/service.ts'
import { ACTIONS, IDENTITIES, mayAct, POLICIES, type Identity, type Policy } from './oracle.ts'
import { OPEN_TAG, WAYS, type Target, type Way } from './ways.ts'

const FILE = new URL('matrix.txt', import.meta.url)
const ABOUT = 'what-the-matrix-is-about'
const NOBODY: Policy = { policy: 'closed', exceptions: [] }
const EVERYBODY: Policy = { policy: 'open', exceptions: [] }

let service: Service
let object = ''
let fresh = 0
/** What came, by way, then by policy and identity. */
const outcomes = new Map<Way, string[]>()

beforeAll(async () => {
  service = await startService()
  object = ((await service.ok('POST', `/about/${ABOUT}`, { as: 'bob' })).json() as { id: string }).id
  await service.ok('POST', '/tags/alice', {
    as: 'alice',
    json: { name: 'open', description: '', indexed: true },
  })
  for (const action of ['write', 'delete']) await setPolicy('tag-values', OPEN_TAG, action, EVERYBODY)
})
afterAll(() => service.stop())

const setPolicy = (category: string, path: string, action: string, json: Policy) =>
  service.ok('PUT', `/permissions/${category}/${path}`, { as: 'service', query: { action }, json })

/** A namespace or tag of alice's on which one action has that policy, and all others have `others`. */
async function makeTarget({ category, action }: Way, policy: Policy, others: Policy): Promise<Target> {
  const name = `target-${String(fresh++)}`
  const path = `alice/${name}`
  const kind = category === 'namespaces' ? 'namespaces' : 'tags'
  const json = { name, description: '', ...(kind === 'tags' && { indexed: true }) }
  await service.ok('POST', `/${kind}/alice`, { as: 'alice', json })
  const categories = category === 'namespaces' ? (['namespaces'] as const) : (['tags', 'tag-values'] as const)
  if (category !== 'namespaces') await giveValue(path)
  await Promise.all(
    categories.flatMap((one) =>
      ACTIONS[one].map((each) =>
        setPolicy(one, path, each, one === category && each === action ? policy : others),
      ),
    ),
  )
  return { path, object, about: ABOUT, fresh: '' }
}

const giveValue = (path: string) =>
  service.ok('PUT', `/objects/${object}/${path}`, { as: 'alice', primitive: '1' })

/** Whether the object has a value of the tag: asked of the superuser, for whom nothing is closed. */
async function hasValue(path: string): Promise<boolean> {
  return (await service.request('GET', `/objects/${object}/${path}`, { as: 'service' })).status === 200
}

/** Tries a way, and gives what came: a status, and for filtered ways whether the tag was among it. */
async function attempt(way: Way, target: Target, who: Identity): Promise<string> {
  const mine = { ...target, fresh: `new-${String(fresh++)}` }
  const [method, path, options] = way.request(mine)
  const answer = await service.request(method, path, { ...options, ...(who !== 'anonymous' && { as: who }) })
  if (answer.status !== 401) {
    expect([way.name, who, answer.status]).toEqual([way.name, who, way.gives])
    if (way.filtered === undefined) return String(answer.status)
    return (await way.filtered(answer, mine, () => hasValue(mine.path))) ? String(answer.status) : 'none'
  }
  const named = who === 'anonymous' ? (way.anonymousPath?.(mine) ?? mine.path) : mine.path
  expect([way.name, who, answer.error, answer.headers['x-service-path']]).toEqual([
    way.name,
    who,
    'TPathPermissionDenied',
    named,
  ])
  if (who !== 'anonymous') {
    expect([answer.headers['x-service-category'], answer.headers['x-service-action']]).toEqual([
      way.category,
      way.action,
    ])
  }
  return '401'
}

/** What the specification says that must come. */
function expected(way: Way, policy: Policy, who: Identity): string {
  if (way.signedIn === true && who === 'anonymous') return '401'
  if (mayAct(who, way.action, policy)) return String(way.gives)
  return way.filtered === undefined ? '401' : 'none'
}

/** Targets that ways to the same permission use one after the other, by permission and policies. */
const shared = new Map<string, Target>()

async function sharedTarget(way: Way, policy: Policy, others: Policy): Promise<Target> {
  const key = JSON.stringify([way.category, way.action, policy, others])
  const target = shared.get(key) ?? (await makeTarget(way, policy, others))
  shared.set(key, target)
  return target
}

/** What each identity gets, tried in their order. */
async function outcomesOf(way: Way, policy: Policy, others: Policy): Promise<string[]> {
  const found: string[] = []
  let target: Target | undefined
  for (const who of IDENTITIES) {
    target ??= await (way.destructive === true ? makeTarget : sharedTarget)(way, policy, others)
    const outcome = await attempt(way, target, who)
    found.push(outcome)
    if (way.destructive === true && outcome === String(way.gives)) target = undefined
  }
  return found
}

describe.each([...new Set(WAYS.map(({ category, action }) => `${category}.${action}`))])(
  '%s',
  (permission) => {
    const ways = WAYS.filter(({ category, action }) => `${category}.${action}` === permission)

    test.each(ways.map((way) => [way.name, way] as const))('%s', async (_name, way) => {
      const found: string[] = []
      for (const policy of POLICIES) {
        // The other actions neither help nor hinder.
        const rows = [await outcomesOf(way, policy, NOBODY), await outcomesOf(way, policy, EVERYBODY)]
        const wanted = IDENTITIES.map((who) => expected(way, policy, who))
        expect({ policy, rows }).toEqual({ policy, rows: [wanted, wanted] })
        found.push(...(rows[0] ?? []))
      }
      outcomes.set(way, found)
    })
  },
)

test('the matrix is the one in matrix.txt (UPDATE_MATRIX=1 writes it anew)', () => {
  expect([...outcomes.keys()]).toEqual(WAYS)
  const shown = matrix()
  if (process.env['UPDATE_MATRIX'] === '1') writeFileSync(FILE, shown)
  expect(readFileSync(FILE, 'utf8')).toBe(shown)
})

/** The outcomes as a table: a line for each way, a column for each policy and identity. */
function matrix(): string {
  const width = Math.max(...WAYS.map(({ name }) => name.length)) + 2
  const cell = Math.max(...IDENTITIES.map((who) => who.length)) + 1
  const group = cell * IDENTITIES.length
  const titles = POLICIES.map(({ policy, exceptions }) =>
    [policy, ...exceptions.map((name) => `except ${name}`)].join(', '),
  )
  const line = (start: string, groups: readonly (readonly string[])[]): string =>
    [start.padEnd(width), ...groups.map((cells) => cells.map((text) => text.padEnd(cell)).join(''))]
      .join('| ')
      .trimEnd()
  const lines = [
    [' '.repeat(width), ...titles.map((title) => title.padEnd(group))].join('| ').trimEnd(),
    line(
      '',
      POLICIES.map(() => IDENTITIES),
    ),
  ]
  let permission = ''
  for (const [way, found] of outcomes) {
    const current = `${way.category}.${way.action}`
    if (current !== permission) lines.push('', current)
    permission = current
    const groups = POLICIES.map((_, i) => found.slice(i * IDENTITIES.length, (i + 1) * IDENTITIES.length))
    lines.push(line(way.name, groups))
  }
  return `${EXPLANATION}\n${lines.join('\n')}\n`
}

const EXPLANATION = `Who may do what, as the service answered. The policy is that of the action in question; with every other
action closed and with every other action open the same came. alice made the namespace (N) or tag (T)
and is in no list; carol is in the exceptions where there are any; service is the superuser. O is an
object with a value of T, A what it is about. none: answered, but nothing of T was shown or touched.
401 was TPathPermissionDenied every time.
`
