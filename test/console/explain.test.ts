/** The explainer of permissions says what the service answers, whatever the policies; and permissions in words. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { explain, isForAnybody, type Asker } from '../../console/src/permissions/explain.ts'
import { causeOf, difference, holders } from '../../console/src/permissions/words.ts'
import { allActions, type Action, type Permission } from '../../common/changing/policies.ts'
import { IDENTITIES, type Identity } from '../permissions/oracle.ts'
import { createTrials, type Trials } from '../permissions/trials.ts'
import { OPEN_NAMESPACE, OPEN_TAG, WAYS, type Target, type Way } from '../permissions/ways.ts'
import { startService, type Service } from '../support/service.ts'

/** So many cells a run; `CELLS=2000` for more. */
const CELLS = Number(process.env['CELLS'] ?? 200)

/** What every store has, beside what each cell makes for itself. */
const BUILT_IN = ['service/tags/description', 'service/users/email', 'bob'] as const

/** Ways that need nothing but the tag: on the service's own tags, others also need a value that they wrote. */
const ON_ANY_TAG: readonly string[] = [
  'PUT /values T, where nothing matches',
  'DELETE /values?tag=T, where nothing matches',
  'GET /objects?query=has T',
  'PUT /tags/T',
  'DELETE /tags/T',
  'GET /permissions/tags',
  'GET /permissions/tag-values',
]

describe('on a service', () => {
  let service: Service
  let trials: Trials
  let object = ''
  let fresh = 0
  beforeAll(async () => {
    service = await startService()
    trials = createTrials(service)
    object = ((await service.ok('POST', '/about/cell', { as: 'bob' })).json() as { id: string }).id
    const json = { name: 'open', description: '', indexed: true }
    await service.ok('POST', '/tags/alice', { as: 'alice', json })
    const common = { name: OPEN_NAMESPACE.split('/')[1], description: '' }
    await service.ok('POST', '/namespaces/alice', { as: 'alice', json: common })
    const everybody = { policy: 'open', exceptions: [] } as const
    await trials.setPolicy('namespaces', OPEN_NAMESPACE, 'create', everybody)
    for (const action of ['write', 'delete']) {
      await trials.setPolicy('tag-values', OPEN_TAG, action, { policy: 'open', exceptions: [] })
    }
  })
  afterAll(() => service.stop())

  /** A new tag or namespace, or now and then one that every store has. */
  async function place({ category }: Action): Promise<string> {
    const isTag = category !== 'namespaces'
    const builtIn = one(BUILT_IN.filter((path) => path.startsWith('service/') === isTag))
    if (Math.random() < 0.2) return builtIn
    const name = `cell-${String(fresh++)}`
    const json = { name, description: '', ...(isTag && { indexed: true }) }
    await service.ok('POST', `/${isTag ? 'tags' : 'namespaces'}/alice`, { as: 'alice', json })
    if (isTag) await trials.giveValue(object, `alice/${name}`, 'alice')
    return `alice/${name}`
  }

  /** One cell: what the service does, and what the explainer says with and without knowing the permission. */
  async function ask(who: Identity, action: Action, permission: Permission): Promise<object | undefined> {
    const path = await place(action)
    await trials.setPolicy(action.category, path, action.action, permission)
    const way = one(waysOf(action, path))
    const target: Target = { path, object, about: 'cell', fresh: '' }
    const may = !['401', 'none'].includes(await trials.attempt(way, target, who))
    const asker = ASKERS[who]
    const known = explain(asker, path, action, permission)
    const unknown = explain(asker, path, action)
    const isRight = known.may === may && (unknown.may ?? may) === may && known.reason !== ''
    return isRight ? undefined : { who, path, permission, way: way.name, may, known, unknown }
  }

  test(`answers as the service does in ${String(CELLS)} random cells`, async () => {
    const actions = allActions({ categories: ['namespaces', 'tags', 'tag-values'] })
    const wrong: object[] = []
    for (let cell = 0; cell < CELLS; cell += 1) {
      const action = one(actions)
      const found = await ask(one(IDENTITIES), action, anyPermission(action))
      if (found !== undefined) wrong.push(found)
    }
    expect(wrong).toEqual([])
  })
})

const ASKERS: Readonly<Record<Identity, Asker>> = {
  anonymous: { name: undefined, isSuperuser: false },
  alice: { name: 'alice', isSuperuser: false },
  bob: { name: 'bob', isSuperuser: false },
  carol: { name: 'carol', isSuperuser: false },
  service: { name: 'service', isSuperuser: true },
}

function waysOf({ category, action }: Action, path: string): readonly Way[] {
  const all = WAYS.filter((way) => way.category === category && way.action === action)
  return all.filter(({ name, signedIn, destructive }) => {
    if (path.startsWith('service/')) return ON_ANY_TAG.includes(name)
    // What is left in a top-level namespace would have permissions of its own the next time.
    return signedIn !== true && (path.includes('/') || action === 'delete' || destructive !== true)
  })
}

function anyPermission(action: Action): Permission {
  const names = ['alice', 'bob', 'carol', ...(isForAnybody(action) ? ['anon'] : [])]
  return {
    policy: one(['open', 'closed']),
    exceptions: names.filter(() => Math.random() < 0.4),
  }
}

function one<T>(all: readonly T[]): T {
  const found = all[Math.floor(Math.random() * all.length)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}

const READ: Action = { category: 'tag-values', action: 'read' }
const WRITE: Action = { category: 'tag-values', action: 'write' }
const open = (...exceptions: string[]): Permission => ({ policy: 'open', exceptions })
const closed = (...exceptions: string[]): Permission => ({ policy: 'closed', exceptions })

test.each<
  [asker: Asker, action: Action, permission: Permission | undefined, may: boolean | undefined, reason: string]
>([
  [
    ASKERS.bob,
    READ,
    closed('alice'),
    false,
    'closed, and bob is not among the exceptions of alice/books/note',
  ],
  [
    ASKERS.bob,
    READ,
    closed('alice', 'bob'),
    true,
    'closed, and bob is among the exceptions of alice/books/note',
  ],
  [ASKERS.bob, READ, open('carol'), true, 'open, and bob is no exception'],
  [ASKERS.bob, READ, open('bob'), false, 'open, but bob is an exception of alice/books/note'],
  [ASKERS.anonymous, READ, open(), true, 'open, without exceptions'],
  [
    ASKERS.anonymous,
    READ,
    closed('anon'),
    true,
    'closed, and the anonymous user is among the exceptions of alice/books/note',
  ],
  [ASKERS.anonymous, WRITE, undefined, false, 'only users may write: the anonymous user never'],
  [ASKERS.service, WRITE, closed(), true, 'superusers may do everything'],
  [ASKERS.bob, WRITE, undefined, undefined, 'known only to those who control the values of alice/books/note'],
])('the reason for %j', (asker, action, permission, may, reason) => {
  expect(explain(asker, 'alice/books/note', action, permission)).toEqual({ may, reason })
})

test.each<[Permission, Permission, string | undefined]>([
  [closed('alice', 'bob'), closed('alice', 'carol'), 'bob may no longer read its values; carol may'],
  [open('bob'), open('carol'), 'carol may no longer read its values; bob may'],
  [open(), open('bob'), 'bob may no longer read its values'],
  [closed(), closed('bob', 'anon'), 'the anonymous user and bob may read its values'],
  [open(), closed('alice'), 'alice may read its values, and nobody else'],
  [open(), closed(), 'nobody but superusers may read its values'],
  [closed('alice'), open(), 'everybody may read its values'],
  [closed('alice', 'bob'), closed('bob', 'alice'), undefined],
])('a change from %j to %j in words', (before, after, words) => {
  expect(difference(READ, before, after)).toBe(words)
})

test.each<[Permission, string, string]>([
  [open(), 'everybody', 'open, without exceptions'],
  [open('bob'), 'everybody but bob', 'open, with one exception'],
  [closed(), 'nobody but superusers', 'closed, without exceptions'],
  [closed('me'), 'nobody but you', 'closed, and you are the exception'],
  [closed('bob', 'alice'), 'alice and bob', 'closed, with 2 exceptions'],
  [closed('bob', 'me'), 'you and bob', 'closed, with 2 exceptions'],
  [closed('a', 'b', 'c', 'd', 'e', 'f', 'g'), 'a, b, c, d, and 3 others', 'closed, with 7 exceptions'],
])('who sees what is %j', (permission, who, why) => {
  expect([holders({ ...READ, ...permission }, 'me'), causeOf(permission, 'me')]).toEqual([who, why])
})
