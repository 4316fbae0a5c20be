/** A spool returns what was written to it, whether it fits in memory or not. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { Spool } from '../../src/spool.ts'

const SPOOL = new URL('../../src/spool.ts', import.meta.url).href

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
