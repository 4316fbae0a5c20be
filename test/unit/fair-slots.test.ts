/** Places for long work: who starts when, in events. */
import { expect, test } from '@jest/globals'
import { FairSlots } from '../../src/data/store/fair-slots.ts'

const never = new AbortController().signal

/** Places with a record of what began, and a way to end each piece of work. */
function open(options: Partial<ConstructorParameters<typeof FairSlots>[0]> = {}) {
  const places = new FairSlots({
    parties: 2,
    further: 1,
    waitMs: 60_000,
    queue: 100,
    endsAll: () => false,
    ...options,
  })
  const running = new Map<string, () => void>()
  const begun: string[] = []
  const ask = (name: string, signal = never): Promise<string> =>
    places.run(name.replace(/\d+$/, ''), signal, async () => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      running.set(name, () => {
        resolve(undefined)
      })
      begun.push(name)
      await promise
      return name
    })
  const end = async (name: string, asked: Promise<string>): Promise<void> => {
    running.get(name)?.()
    expect(await asked).toBe(name)
  }
  return { places, ask, end, begun }
}

/** Lets everything happen that can. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

test('a first request does not wait for somebody’s further ones', async () => {
  const { ask, end, begun } = open()
  const a1 = ask('a1')
  const a2 = ask('a2')
  const patience = new AbortController()
  const more = Array.from({ length: 40 }, (_, i) => ask(`a${String(i + 3)}`, patience.signal))
  await settled()
  expect(begun).toEqual(['a1', 'a2'])
  const b1 = ask('b1')
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  patience.abort()
  expect(new Set((await Promise.allSettled(more)).map(({ status }) => status))).toEqual(new Set(['rejected']))
  await end('b1', b1)
  await end('a1', a1)
  await end('a2', a2)
})

test('first requests beyond the places come before further ones', async () => {
  const { ask, end, begun } = open()
  const a1 = ask('a1')
  const b1 = ask('b1')
  const c1 = ask('c1')
  const b2 = ask('b2')
  await settled()
  expect(begun).toEqual(['a1', 'b1'])
  await end('a1', a1)
  await settled()
  expect(begun).toEqual(['a1', 'b1', 'c1', 'b2'])
  await end('c1', c1)
  await end('b1', b1)
  await end('b2', b2)
})

test('parties take turns, and each of them is served in order', async () => {
  const { ask, end, begun } = open({ parties: 1, further: 0 })
  const asked = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ask(name))
  for (let next = 0; next < asked.length; next++) {
    await settled()
    const name = begun[next] ?? ''
    await end(name, asked[['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].indexOf(name)] ?? Promise.resolve(''))
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('a place is free again after work that fails', async () => {
  const { places } = open({ parties: 1, further: 0 })
  const fail = places.run('a', never, () => Promise.reject(new Error('failed')))
  const next = places.run('b', never, () => Promise.resolve('done'))
  await expect(fail).rejects.toThrow('failed')
  expect(await next).toBe('done')
})

test('who is gone no longer waits, and holds up nobody', async () => {
  const { ask, end, begun } = open({ parties: 1 })
  const client = new AbortController()
  const a1 = ask('a1')
  const b1 = ask('b1', client.signal)
  const a2 = ask('a2')
  client.abort()
  await expect(b1).rejects.toMatchObject({ name: 'AbortError' })
  await settled()
  expect(begun).toEqual(['a1', 'a2'])
  await expect(ask('c1', client.signal)).rejects.toMatchObject({ name: 'AbortError' })
  await end('a1', a1)
  await end('a2', a2)
})

test('503 after too long a wait, or where too many of one party wait', async () => {
  const { ask, end } = open({ parties: 1, further: 0, waitMs: 1, queue: 1 })
  const a1 = ask('a1')
  const waiting = ask('a2')
  await expect(ask('a3')).rejects.toMatchObject({ errorClass: 'ServiceUnavailable' })
  await expect(waiting).rejects.toMatchObject({ errorClass: 'ServiceUnavailable' })
  await end('a1', a1)
  const a4 = ask('a4')
  await end('a4', a4)
})

test('an error that ends all refuses those that wait, and later ones get their places', async () => {
  const silent = new Error('silent')
  const { places, ask, end, begun } = open({ parties: 1, further: 0, endsAll: (error) => error === silent })
  const failing = [
    places.run('a', never, () => Promise.reject(new Error('something else'))),
    places.run('a', never, () => Promise.reject(silent)),
    ask('a3'),
    ask('b1'),
  ]
  expect(await Promise.allSettled(failing)).toEqual([
    { status: 'rejected', reason: new Error('something else') },
    ...failing.slice(1).map(() => ({ status: 'rejected', reason: silent })),
  ])
  expect([begun, places.load()]).toEqual([[], { taken: 0, waiting: 0 }])
  await end('b2', ask('b2'))
})
