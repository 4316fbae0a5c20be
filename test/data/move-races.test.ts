/**
 * Moves at two instances, while others write, read, search, create and delete: no value is lost, and no view has a value under
 * two paths or under none.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkStore, isSound } from '../../src/data/maintenance/check-store.ts'
import { PATIENT } from '../support/database.ts'
import { startAnother, startService, type Answer, type Service } from '../support/service.ts'

const MOVES = Number(process.env['RACE_ROUNDS'] ?? 60)
const ROUNDS = Math.ceil(MOVES / 3)
const WRITERS = 4
const PATIENCE_MS = 10 * 60_000

let service: Service
let other: Service

beforeAll(async () => {
  service = await startService()
  other = await startAnother(service.databaseUrl, PATIENT)
  const queries = Array.from({ length: WRITERS }, (_, i) => [
    `service/about = "moving-${i}"`,
    { 'alice/home/a/sub/tag': { value: 0 } },
  ])
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
  // bob writes values, and creates nothing: a write to a path that has moved away is refused.
  await service.ok('PUT', '/permissions/tag-values/alice/home/a/sub/tag', {
    as: 'alice',
    query: { action: 'write' },
    json: { policy: 'open', exceptions: [] },
  })
}, 120_000)
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const instance = (i: number): Service => (i % 2 === 0 ? service : other)
const move = (at: Service, json: object): Promise<Answer> =>
  at.request('POST', '/moves', { as: 'alice', json })
const [A, B] = ['alice/home/a/sub/tag', 'alice/home/b/sub/tag']

async function expectSound(): Promise<void> {
  const found = await checkStore(service.store)
  expect(found.flatMap(({ examples }) => examples)).toEqual([])
  expect(isSound(found)).toBe(true)
}

test(
  'writers, readers and searches see each value at one path, and what was acknowledged is there at the end',
  async () => {
    let moving = true
    const [wrong, acknowledged]: [unknown[], number[]] = [[], Array.from({ length: WRITERS }, () => 0)]
    const during = async (work: (i: number) => Promise<void>): Promise<void> => {
      for (let i = 0; moving; i++) await work(i)
    }
    const writer = (mine: number) =>
      during(async (i) => {
        const path = `/about/moving-${mine}/${i % 4 < 2 ? A : B}`
        const { status } = await instance(i).request('PUT', path, { as: 'bob', primitive: String(i + 1) })
        if (status === 204) acknowledged[mine] = i + 1
        else if (status !== 401) wrong.push([path, status])
      })
    const one = (what: string, found: readonly string[]): void => {
      if (found.filter((path) => path === A || path === B).length !== 1) wrong.push([what, found])
    }
    const reader = during(async (i) => {
      const at = instance(i)
      const json = async <T>(path: string): Promise<T> =>
        (await at.ok('GET', path, { as: 'alice' })).json() as T
      one('paths', (await json<{ tagPaths: string[] }>('/about/moving-1')).tagPaths)
      const values = await json<{ results: { id: Record<string, object> } }>(
        `/values?query=${encodeURIComponent('service/about = "moving-2"')}&tag=*`,
      )
      for (const found of Object.values(values.results.id)) one('values', Object.keys(found))
      const { namespaceNames } = await json<{ namespaceNames: string[] }>(
        '/namespaces/alice/home?returnNamespaces=1',
      )
      if (namespaceNames.length !== 1) wrong.push(['names', namespaceNames])
      const either = [A, B].map((path) => `service/tags/path = "${path}"`).join(' or ')
      const { ids } = await json<{ ids: string[] }>(`/objects?query=${encodeURIComponent(either)}`)
      if (ids.length !== 1) wrong.push(['system values', ids])
    })
    const searcher = during(async (i) => {
      const query = `has ${i % 2 === 0 ? A : B}`
      const answer = await instance(i).request('GET', '/objects', { as: 'alice', query: { query } })
      const found = answer.status === 200 ? (answer.json() as { ids: string[] }).ids.length : answer.error
      if (found !== WRITERS && found !== 'TNonexistentTag') wrong.push([query, found])
    })
    const others = [...acknowledged.keys()].map(writer).concat(reader, searcher)
    for (let i = 0; i < MOVES; i++) {
      const [from, to] = i % 2 === 0 ? ['a', 'b'] : ['b', 'a']
      const { status } = await move(instance(i >> 1), {
        namespace: `alice/home/${from}`,
        to: `alice/home/${to}`,
      })
      if (status !== 204) wrong.push(['move', status])
    }
    moving = false
    await Promise.all(others)
    expect(wrong).toEqual([])
    expect(Math.min(...acknowledged)).toBeGreaterThan(0)
    const last = MOVES % 2 === 0 ? A : B
    for (const [i, value] of acknowledged.entries()) {
      expect((await other.ok('GET', `/about/moving-${i}/${last}`, { as: 'alice' })).json()).toBe(value)
    }
    await expectSound()
  },
  PATIENCE_MS,
)

/** What happens to the old or the new path of a tag at the same time, and whether both may succeed. */
const RIVALS: Readonly<Record<string, readonly [request: readonly [string, string, object], both: boolean]>> =
  {
    'is deleted': [['DELETE', '/tags/alice/race/from', {}], false],
    'moves elsewhere': [
      ['POST', '/moves', { json: { tag: 'alice/race/from', to: 'alice/race/third' } }],
      false,
    ],
    'comes to be at the new path': [
      ['POST', '/tags/alice/race/in', { json: { name: 'to', description: '', indexed: true } }],
      false,
    ],
    'gets a new parent that is deleted': [['DELETE', '/namespaces/alice/race/in', {}], false],
    'moves into what moves away': [
      ['POST', '/moves', { json: { namespace: 'alice/race/in', to: 'alice/race/out' } }],
      true,
    ],
    'is written to by its new path': [['PUT', '/about/race/alice/race/in/to', { primitive: '2' }], true],
  }

test.each(Object.entries(RIVALS))(
  'a tag that moves, and %s at the same time',
  async (_what, [[method, path, options], both]) => {
    const as = 'alice'
    const outcomes: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (const at of ['from', 'third', 'in/to', 'out/to'])
        await service.request('DELETE', `/tags/alice/race/${at}`, { as })
      for (const at of ['in', 'out']) await service.request('DELETE', `/namespaces/alice/race/${at}`, { as })
      await service.ok('POST', '/namespaces/alice/race', { as, json: { name: 'in', description: '' } })
      await service.ok('PUT', '/about/race/alice/race/from', { as, primitive: '1' })
      const answers = await Promise.all([
        move(instance(round), { tag: 'alice/race/from', to: 'alice/race/in/to' }),
        instance(round + 1).request(method, path, { as, ...options }),
      ])
      const done = answers.filter(({ status }) => status < 300).length
      outcomes.push(answers.map(({ status }) => String(status)).join(' and '))
      expect([outcomes.at(-1), done >= 1 && (both || done === 1)]).toEqual([outcomes.at(-1), true])
    }
    await expectSound()
  },
  PATIENCE_MS,
)
