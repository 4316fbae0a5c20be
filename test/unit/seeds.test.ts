/** What comes from a seed comes again: choices, and what the clients of `npm run chaos` ask. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { Clients } from '../../scripts/chaos/clients.ts'
import { Tally } from '../../scripts/chaos/history.ts'
import { Random } from '../search/random.ts'

const WRITES = 400

/** What each writer of chaos writes, in its order, where every answer is the same. */
async function written(seed: number): Promise<Map<string, string[]>> {
  const paths: string[] = []
  const enough = Promise.withResolvers<undefined>()
  const server = createServer((request, response) => {
    if (request.method === 'PUT') paths.push(request.url ?? '')
    if (paths.length > WRITES) enough.resolve(undefined)
    request.resume()
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const clients = new Clients([url, url], new Tally(), new Random(seed))
  const running = clients.run()
  await enough.promise
  clients.stop()
  await running
  server.close()
  server.closeAllConnections()
  const writers = paths.filter((path) => /(?:own:|by-|tag-)\d/.test(path))
  return Map.groupBy(writers, (path) => /(?:own:|by-|tag-)(\d)/.exec(path)?.[1] ?? '')
}

test('each writer of chaos writes in the same order by the same seed, and in another by another', async () => {
  const [first, second, other] = [await written(7), await written(7), await written(8)]
  expect(first.size).toBe(6)
  for (const [writer, paths] of first) {
    const again = second.get(writer) ?? []
    const length = Math.min(paths.length, again.length)
    expect(length).toBeGreaterThan(4)
    expect(paths.slice(0, length)).toEqual(again.slice(0, length))
    expect(paths.slice(0, length)).not.toEqual(other.get(writer)?.slice(0, length))
  }
})

test('a fork chooses by itself, and a shuffled list has all of its items', () => {
  const [one, another] = [new Random(1), new Random(1)]
  const [fork, sameFork] = [one.fork(), another.fork()]
  one.next()
  expect(fork.next()).toBe(sameFork.next())
  expect(one.next()).not.toBe(another.next())
  const shuffled = new Random(3).shuffled(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(shuffled).not.toEqual(shuffled.toSorted())
  expect(shuffled.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})
