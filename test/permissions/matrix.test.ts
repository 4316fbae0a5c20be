/** The permission matrix: every way to act, under every policy, by every identity, compared with the oracle. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startService, type Service } from '../support/service.ts'
import { ACTIONS, IDENTITIES, POLICIES, type Policy } from './oracle.ts'
import { createTrials, expected, type Trials } from './trials.ts'
import { OPEN_NAMESPACE, OPEN_TAG, WAYS, type Target, type Way } from './ways.ts'

const FILE = new URL('matrix.txt', import.meta.url)
const ABOUT = 'what-the-matrix-is-about'
const NOBODY: Policy = { policy: 'closed', exceptions: [] }
const EVERYBODY: Policy = { policy: 'open', exceptions: [] }

let service: Service
let object = ''
let fresh = 0
let trials: Trials
/** Outcomes by way, each a list by policy and identity. */
const outcomes = new Map<Way, string[]>()

beforeAll(async () => {
  service = await startService()
  trials = createTrials(service)
  object = ((await service.ok('POST', `/about/${ABOUT}`, { as: 'bob' })).json() as { id: string }).id
  await service.ok('POST', '/tags/alice', {
    as: 'alice',
    json: { name: 'open', description: '', indexed: true },
  })
  await service.ok('POST', '/namespaces/alice', {
    as: 'alice',
    json: { name: OPEN_NAMESPACE.split('/')[1], description: '' },
  })
  await trials.setPolicy('namespaces', OPEN_NAMESPACE, 'create', EVERYBODY)
  for (const action of ['write', 'delete']) await trials.setPolicy('tag-values', OPEN_TAG, action, EVERYBODY)
})
afterAll(() => service.stop())

/** A namespace or tag of alice's with that policy for one action and the policy `others` for all others. */
async function makeTarget({ category, action }: Way, policy: Policy, others: Policy): Promise<Target> {
  const name = `target-${String(fresh++)}`
  const path = `alice/${name}`
  const kind = category === 'namespaces' ? 'namespaces' : 'tags'
  const json = { name, description: '', ...(kind === 'tags' && { indexed: true }) }
  await service.ok('POST', `/${kind}/alice`, { as: 'alice', json })
  const categories = category === 'namespaces' ? (['namespaces'] as const) : (['tags', 'tag-values'] as const)
  if (category !== 'namespaces') await trials.giveValue(object, path, 'alice')
  await Promise.all(
    categories.flatMap((one) =>
      ACTIONS[one].map((each) =>
        trials.setPolicy(one, path, each, one === category && each === action ? policy : others),
      ),
    ),
  )
  return { path, object, about: ABOUT, fresh: '' }
}

/** Targets shared by the ways that need the same permission, by permission and policies. */
const shared = new Map<string, Target>()

async function sharedTarget(way: Way, policy: Policy, others: Policy): Promise<Target> {
  const key = JSON.stringify([way.category, way.action, policy, others])
  const target = shared.get(key) ?? (await makeTarget(way, policy, others))
  shared.set(key, target)
  return target
}

/** The outcome for each identity, tried in order. */
async function outcomesOf(way: Way, policy: Policy, others: Policy): Promise<string[]> {
  const found: string[] = []
  let target: Target | undefined
  for (const who of IDENTITIES) {
    target ??= await (way.destructive === true ? makeTarget : sharedTarget)(way, policy, others)
    const outcome = await trials.attempt(way, target, who)
    found.push(outcome)
    if (way.destructive === true && outcome === String(way.gives)) target = undefined
  }
  return found
}

describe.each([...new Set(WAYS.map(({ category, action }) => `${category}.${action}`))])(
  'the permission %s',
  (permission) => {
    const ways = WAYS.filter(({ category, action }) => `${category}.${action}` === permission)

    test.each(ways.map((way) => [way.name, way] as const))('decides %s', async (_name, way) => {
      const found: string[] = []
      for (const policy of POLICIES) {
        // The policies of the other actions must not matter.
        const rows = [await outcomesOf(way, policy, NOBODY), await outcomesOf(way, policy, EVERYBODY)]
        const wanted = IDENTITIES.map((who) => expected(way, policy, who))
        expect({ policy, rows }).toEqual({ policy, rows: [wanted, wanted] })
        found.push(...(rows[0] ?? []))
      }
      outcomes.set(way, found)
    })
  },
)

test('the matrix equals matrix.txt (UPDATE_MATRIX=1 rewrites that file)', () => {
  expect([...outcomes.keys()]).toEqual(WAYS)
  const shown = matrix()
  if (process.env['UPDATE_MATRIX'] === '1') writeFileSync(FILE, shown)
  expect(readFileSync(FILE, 'utf8')).toBe(shown)
})

/** The outcomes as a table with a line per way and a column per policy and identity. */
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

const EXPLANATION = `Who may do what, as the service answered. The policy is that of the action in question; the answers were
the same with every other action closed and with every other action open. alice created the namespace
(N) or tag (T) and is in no list; carol is the exception where there is one; service is the superuser.
O is an object with a value of T, A its about value. none: a success that showed and changed nothing of T.
Every 401 was a TPathPermissionDenied.
`
