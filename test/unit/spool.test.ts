/** A spool returns what was written to it, whether it fits in memory or not. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { Spool, SpoolSpace } from '../../src/http/answer/spool.ts'

const SPOOL = new URL('../../src/http/answer/spool.ts', import.meta.url).href

async function allOf(spool: Spool): Promise<string> {
  return Buffer.concat(await Array.fromAsync(spool.read())).toString()
}

test.each([
  ['nothing', 0],
  ['a little', 3],
  ['more than one buffer', 20_000],
  ['more than is kept in memory', 900_000],
])('returns what was written: %s', async (_what, times) => {
  const spool = new Spool()
  const line = (i: number): string => `${String(i)} größer\n`
  for (let i = 0; i < times; i++) await spool.write(line(i))
  const expected = Array.from({ length: times }, (_, i) => line(i)).join('')
  expect(spool.length).toBe(Buffer.byteLength(expected))
  expect((await allOf(spool)) === expected).toBe(true)
  expect(await allOf(spool)).toBe('')
})

test('a text that finds no room is a 503', () => {
  // In its own process: the folder of temporary files is in the environment.
  const program = `import { Spool } from ${JSON.stringify(SPOOL)}
    await new Spool().write('x'.repeat(9_000_000)).catch((error) => console.log(error.errorClass))`
  const TMPDIR = join(tmpdir(), 'no-such-folder')
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    env: { TMPDIR },
  })
  expect(printed.toString().trim()).toBe('ServiceUnavailable')
})

test('can be cleared, and its file never has a name', async () => {
  const spool = new Spool()
  const names = (): string[] => readdirSync(tmpdir()).filter((name) => /^gloss-[\da-f-]{36}$/.test(name))
  const before = names()
  await spool.write('x'.repeat(9_000_000))
  expect(names().filter((name) => !before.includes(name))).toEqual([])
  await spool.clear()
  await spool.write('anew')
  expect(spool.length).toBe(4)
  expect(await allOf(spool)).toBe('anew')
})

test('is empty after a reader stops in the middle', async () => {
  const spool = new Spool()
  await spool.write('x'.repeat(9_000_000))
  for await (const piece of spool.read()) {
    expect(piece.length).toBeGreaterThan(0)
    break
  }
  expect(spool.length).toBe(0)
})

test('spools together take no more than is left, and give it back', async () => {
  const disk = 30_000_000
  const spools: Spool[] = []
  const stored = (): number => spools.reduce((sum, { length, held }) => sum + length - held, 0)
  const space = new SpoolSpace(() => Promise.resolve(disk - stored()))
  const filled = async (): Promise<Spool> => {
    const spool = new Spool(space)
    spools.push(spool)
    await spool.write('x'.repeat(6_000_000))
    return spool
  }
  const [first, second] = [await filled(), await filled()]
  expect(stored()).toBe(12_000_000)
  await expect(filled()).rejects.toMatchObject({ errorClass: 'ServiceUnavailable' })
  await spools.pop()?.clear()
  // Whoever sends a spool, or gives it up, makes room for the next.
  expect((await allOf(first)).length).toBe(6_000_000)
  await filled()
  await second.clear()
  await filled()
  expect(stored()).toBe(12_000_000)
  // Their files would stay open until they are collected as garbage.
  for (const spool of spools) await spool.clear()
})
