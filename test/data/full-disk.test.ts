/** A disk that is full under SQLite: reading and deleting go on, and deleting makes room again. On a small file system. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { SERVICE } from '../../src/data/entities/users.ts'
import { purge } from '../../src/data/operations/purge.ts'
import { openStoreCheck } from '../../src/data/store/store-check.ts'
import { gloss } from '../support/gloss.ts'
import { startService, type Answer, type Service } from '../support/service.ts'
import { expectSound } from '../support/sound.ts'

const MIB = 2 ** 20
const DISK_BYTES = 24 * MIB

const mount = (...args: readonly string[]): boolean => spawnSync('mount', args).status === 0

/** A small file system, or undefined where this user may not mount one. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-disk-'))
  if (mount('-t', 'tmpfs', '-o', `size=${String(DISK_BYTES)}`, 'tmpfs', folder)) return folder
  rmdirSync(folder)
  return undefined
}

const disk = smallDisk()
const onSmallDisk = disk === undefined ? describe.skip : describe

onSmallDisk('on a disk of 24 MiB, which only root can mount', () => {
  const folder = disk ?? ''
  let service: Service
  let objects = 0

  beforeAll(async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const { TMPDIR } = process.env
    process.env.TMPDIR = folder
    service = await startService()
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  afterAll(async () => {
    await service.stop()
    spawnSync('umount', [folder])
    rmdirSync(folder)
    jest.restoreAllMocks()
  })

  const free = (): number => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  const used = (): number => DISK_BYTES - free()

  const asAlice = (method: string, path: string, options = {}): Promise<Answer> =>
    service.request(method, path, { as: 'alice', ...options })
  const put = (tag: string, bytes: number): Promise<Answer> =>
    asAlice('PUT', `/about/${String(objects++)}/alice/${tag}`, {
      body: 'x'.repeat(bytes),
      headers: { 'content-type': 'text/plain' },
    })

  /** Puts values of a tag until there is no room for them; returns the number of the last object that has one. */
  async function fill(tag: string): Promise<number> {
    for (const bytes of [300_000, 10_000]) {
      for (let refused = 0; refused < 3;) {
        const { status } = await put(tag, bytes)
        expect([204, 503]).toContain(status)
        if (status === 503) refused++
      }
    }
    for (let i = objects - 1; i >= 0; i--) {
      if ((await asAlice('GET', `/about/${String(i)}/alice/${tag}`)).status === 200) return i
    }
    throw new Error('there is no room for a single value')
  }

  test('what was written is read, a value and a tag are deleted, which makes room for as much again', async () => {
    const last = await fill('first')
    const { status } = await asAlice('GET', '/objects', { query: { query: 'has alice/first' } })
    expect(status).toBe(200)
    // No other instance of this store could do more, so balancers go on sending requests.
    const check = openStoreCheck(service.databaseUrl)
    expect(await check.look()).toEqual({ database: 'ok', schema: 'ok' })
    check.close()
    expect((await asAlice('DELETE', `/about/${String(last)}/alice/first`)).status).toBe(204)
    const locking = { as: 'service', json: { password: 'another horse' } }
    expect((await service.request('PUT', '/users/bob', locking)).status).toBe(204)
    expect((await asAlice('DELETE', '/tags/alice/first')).status).toBe(204)
    await purge(service.store, SERVICE)
    await expectSound(service.store)
    await fill('second')
    expect((await asAlice('DELETE', '/tags/alice/second')).status).toBe(204)
    await purge(service.store, SERVICE)
    expect((await put('third', 300)).status).toBe(204)
    while (used() > DISK_BYTES / 4) await sleep(100)
    await expectSound(service.store)
  })

  test('a write that is larger than the disk leaves no trace and room to delete', async () => {
    const marks = Array.from({ length: 400 }, (_, i) => [
      `service/about = "mark ${String(i)}"`,
      { 'alice/mark': { value: i } },
    ])
    await service.ok('PUT', '/values', { as: 'alice', json: { queries: marks } })
    const queries = [['has alice/mark', { 'alice/large': { value: 'x'.repeat(150_000) } }]]
    expect((await asAlice('PUT', '/values', { json: { queries } })).status).toBe(503)
    expect(
      (await asAlice('DELETE', '/values', { query: { query: 'has alice/mark', tag: 'alice/mark' } })).status,
    ).toBe(204)
    expect((await asAlice('DELETE', '/tags/alice/mark')).status).toBe(204)
    expect((await asAlice('GET', '/tags/alice/large')).status).toBe(404)
    await purge(service.store, SERVICE)
    expect((await put('third', 300_000)).status).toBe(204)
    await expectSound(service.store)
  })

  test('a file of another program that takes all room is survived, and writes go on once it is gone', async () => {
    const file = join(folder, 'other')
    expect((await put('third', 300)).status).toBe(204)
    const read = `/about/${String(objects - 1)}/alice/third`
    // The log may have room left, and give it back.
    do {
      expect(() => {
        appendFileSync(file, Buffer.alloc(DISK_BYTES))
      }).toThrow('ENOSPC')
    } while ((await put('third', 300)).status !== 503)
    expect((await asAlice('GET', read)).status).toBe(200)
    rmSync(file)
    while ((await put('third', 300)).status === 503) await sleep(10)
    await expectSound(service.store)
  })

  test('gloss compact gives back the room of values whose tag stays, while the service runs', async () => {
    await fill('fourth')
    const before = used()
    const values = { query: { query: 'has alice/fourth', tag: 'alice/fourth' } }
    expect((await asAlice('DELETE', '/values', values)).status).toBe(204)
    const { status } = await gloss(['compact'], { env: { DATABASE_URL: service.databaseUrl } })
    expect(status).toBe(0)
    expect(used()).toBeLessThan(before / 2)
    await expectSound(service.store)
    expect((await put('fourth', 300_000)).status).toBe(204)
  })
})
