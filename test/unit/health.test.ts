/** Whether an instance is ready: from its start to its end, and at what cost. */
import { expect, test } from '@jest/globals'
import { Health } from '../../src/observing/admin/health.ts'
import type { StoreFindings } from '../../src/data/store/store-check.ts'

const FINE: StoreFindings = { database: 'ok', schema: 'ok' }

const RUNNING = { version: '1.2.3', schema: '0001-initial' }

/** A health whose store is looked at by hand. */
function health() {
  const looks: ((findings: StoreFindings) => void)[] = []
  const store = {
    look: () => new Promise<StoreFindings>((resolve) => looks.push(resolve)),
    certificateEnds: () => undefined,
    close: () => undefined,
  }
  return { health: new Health(RUNNING, store), looks }
}

async function seen(asked: ReturnType<Health['ready']>): Promise<unknown> {
  const { status, text } = await asked
  const { ready, checks, ...running } = JSON.parse(text) as {
    ready: boolean
    checks: Record<string, string>
  }
  expect(running).toEqual(RUNNING)
  expect(ready).toBe(status === 200)
  return [status, Object.fromEntries(Object.entries(checks).filter(([, finding]) => finding !== 'ok'))]
}

test('an instance is ready from the end of its start until it stops', async () => {
  const { health: instance, looks } = health()
  const answer = (findings: StoreFindings): Promise<unknown> => {
    const asked = instance.ready()
    looks.pop()?.(findings)
    return seen(asked)
  }
  expect(await answer(FINE)).toEqual([503, { start: 'it has not finished' }])
  let listening = 2
  instance.started(() => listening)
  expect(await answer(FINE)).toEqual([200, {}])
  expect(await answer({ database: 'gone', schema: 'not known' })).toEqual([
    503,
    { database: 'gone', schema: 'not known' },
  ])
  listening = 1
  expect(await answer(FINE)).toEqual([200, {}])
  listening = 0
  expect(await answer(FINE)).toEqual([503, { processes: 'none listens' }])
  listening = 2
  instance.draining()
  expect(await seen(instance.ready())).toEqual([
    503,
    { drain: 'the instance is stopping', database: 'not asked', schema: 'not asked' },
  ])
  expect(looks).toEqual([])
})

test('those who ask at the same time share one look at the store', async () => {
  const { health: instance, looks } = health()
  instance.started(() => 1)
  const asked = Array.from({ length: 50 }, () => instance.ready())
  expect(looks).toHaveLength(1)
  looks.pop()?.(FINE)
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
  const later = instance.ready()
  expect(looks).toHaveLength(1)
  looks.pop()?.(FINE)
  expect((await later).status).toBe(200)
})

test('the reasons are the checks that fail, without those whose result depends on them', async () => {
  const { health: instance, looks } = health()
  const failing = async (findings: StoreFindings): Promise<readonly string[]> => {
    const asked = instance.look()
    looks.pop()?.(findings)
    return (await asked).failing
  }
  expect(await failing({ database: 'gone', schema: 'not known' })).toEqual(['start', 'database'])
  instance.started(() => 0)
  expect(await failing({ database: 'ok', schema: 'newer than this version' })).toEqual([
    'processes',
    'schema',
  ])
  instance.started(() => 1)
  expect(await failing(FINE)).toEqual([])
  instance.draining()
  expect((await instance.look()).failing).toEqual(['drain'])
})
