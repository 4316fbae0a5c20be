/** Permissions after any sequence of changes to policies, compared with the oracle. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { startService, type Service } from '../support/service.ts'
import { ACTIONS, IDENTITIES, type Category, type Policy } from './oracle.ts'
import { createTrials, expected, type Trials } from './trials.ts'
import { OPEN_TAG, WAYS, type Target, type Way } from './ways.ts'

const ABOUT = 'what-the-sequences-are-about'
const RUNS = 12
const STEPS = 8
const LEAST_CELLS = 2_600

let service: Service
let trials: Trials
let object = ''
let cells = 0

beforeAll(async () => {
  service = await startService()
  trials = createTrials(service)
  object = ((await service.ok('POST', `/about/${ABOUT}`, { as: 'bob' })).json() as { id: string }).id
  await make('tags', 'open')
  for (const action of ['write', 'delete'])
    await trials.setPolicy('tag-values', OPEN_TAG, action, { policy: 'open', exceptions: [] })
})
afterAll(() => service.stop())

const make = (kind: 'namespaces' | 'tags', name: string) =>
  service.ok('POST', `/${kind}/alice`, {
    as: 'alice',
    json: { name, description: '', ...(kind === 'tags' && { indexed: true }) },
  })

/** Ways that keep the target and do not depend on its writer: here the superuser restores the value. */
const TRIED = WAYS.filter(({ destructive, name }) => destructive !== true && !name.includes('/recent/users'))

interface Step {
  readonly way: Way
  readonly policy: Policy
}

const step = fc.record<Step>({
  way: fc.constantFrom(...TRIED),
  policy: fc.record({
    policy: fc.constantFrom<Policy['policy']>('open', 'closed'),
    exceptions: fc.subarray(['alice', 'bob', 'carol']),
  }),
})

/** The initial policies of alice's namespaces and tags: she may do everything, others may read and list. */
function initialPolicies(): Map<string, Policy> {
  const policies = new Map<string, Policy>()
  for (const [category, actions] of Object.entries(ACTIONS)) {
    for (const action of actions) {
      const open = action === 'list' || action === 'read'
      const policy: Policy = open
        ? { policy: 'open', exceptions: [] }
        : { policy: 'closed', exceptions: ['alice'] }
      policies.set(`${category}.${action}`, policy)
    }
  }
  return policies
}

/** The policy that a way sets itself when it succeeds, if any. */
const sideEffect = ({ name, category }: Way): string | undefined =>
  name.startsWith('PUT /permissions/')
    ? `${category}.${category === 'tag-values' ? 'delete' : 'update'}`
    : undefined

let run = 0

test('after any sequence of changes to policies, the service agrees with the oracle', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const name = `sequence-${String(run++)}`
      await make('namespaces', name)
      await make('tags', name)
      const target: Target = { path: `alice/${name}`, object, about: ABOUT, fresh: '' }
      const policies = initialPolicies()
      for (const { way, policy } of steps) {
        await trials.setPolicy(way.category, target.path, way.action, policy)
        policies.set(`${way.category}.${way.action}`, policy)
        for (const { way: tried } of steps) await tryAsEverybody(tried, target, policies)
      }
    }),
    { numRuns: RUNS },
  )
  console.info(`permissions after sequences: ${String(cells)} cells, 0 disagreements`)
  expect(cells).toBeGreaterThanOrEqual(LEAST_CELLS)
})

async function tryAsEverybody(way: Way, target: Target, policies: Map<string, Policy>): Promise<void> {
  for (const who of IDENTITIES) {
    if (way.category !== ('namespaces' satisfies Category))
      await trials.giveValue(object, target.path, 'service')
    const policy = policies.get(`${way.category}.${way.action}`) ?? { policy: 'closed', exceptions: [] }
    const outcome = await trials.attempt(way, target, who)
    expect([way.name, who, policy, outcome]).toEqual([way.name, who, policy, expected(way, policy, who)])
    cells++
    const changed = outcome === String(way.gives) ? sideEffect(way) : undefined
    if (changed !== undefined) policies.set(changed, { policy: 'open', exceptions: [] })
  }
}
