/** How many objects a write changes decides how it does so; on both sides of each threshold it leaves the same behind. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startService, type Service } from '../support/service.ts'
import { expectSound } from '../support/sound.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** Around 50, beyond which each tag has statements of its own, and above the 128 rows of one statement on SQLite. */
const SIZES = [49, 50, 51, 129]

const WORDS = 'two words'
const OTHER = 'another text'

/** Values before and after a write, of each kind: rows alone, rows with terms, rows with parts, none. */
const CHANGES: readonly (readonly [before: unknown, after: unknown])[] = [
  [7, WORDS],
  [WORDS, 7],
  [WORDS, OTHER],
  [7, 8],
  [['an item', 'item'], WORDS],
  [WORDS, ['an item', 'item']],
  [7, `${WORDS} ${'x'.repeat(30_000)}`],
  [`${WORDS} ${'x'.repeat(30_000)}`, 7],
  [undefined, WORDS],
  [undefined, 7],
  [WORDS, undefined],
  [7, undefined],
]

const as = 'alice'
const count = async (query: string): Promise<number> =>
  ((await service.ok('GET', '/objects', { as, query: { query } })).json() as { ids: unknown[] }).ids.length

/** Conditions by which a value is found. */
const found = (path: string, value: unknown): string[] => {
  if (value === undefined) return []
  if (typeof value === 'number') return [`has ${path}`, `${path} = ${String(value)}`]
  if (typeof value === 'string') return [`has ${path}`, `${path} matches "${value.split(' ')[0] ?? ''}"`]
  return [`has ${path}`, `${path} contains "an item"`]
}

const put = (query: string, path: string, value: unknown): Promise<unknown> =>
  service.ok('PUT', '/values', { as, json: { queries: [[query, { [path]: { value } }]] } })

test.each(SIZES)('%i objects', async (size) => {
  const group = `alice/group-${String(size)}`
  const queries = Array.from({ length: size }, (_, i) => [
    `service/about = "of ${String(size)}, ${String(i)}"`,
    { [group]: { value: true } },
  ])
  await service.ok('PUT', '/values', { as, json: { queries } })
  for (const [i, [before, after]] of CHANGES.entries()) {
    const path = `alice/changed-${String(size)}-${String(i)}`
    if (before !== undefined) await put(`has ${group}`, path, before)
    if (after === undefined) {
      await service.ok('DELETE', '/values', { as, query: { query: `has ${group}`, tag: path } })
      expect([path, await count(`has ${path}`)]).toEqual([path, 0])
    } else await put(`has ${group}`, path, after)
    for (const query of found(path, after)) expect([query, await count(query)]).toEqual([query, size])
    if (before === undefined || after === undefined) continue
    const gone = found(path, before).slice(1)
    for (const query of gone) expect([query, await count(query)]).toEqual([query, 0])
  }
  await expectSound(service.store)
})

test.each(SIZES)('%i objects of which every other one has a value, of another kind', async (size) => {
  const group = `alice/group-${String(size)}`
  const all = `of ${String(size)}, `
  for (const [i, [before, after]] of CHANGES.entries()) {
    if (before === undefined || after === undefined) continue
    const path = `alice/half-${String(size)}-${String(i)}`
    const queries = Array.from({ length: Math.ceil(size / 2) }, (_, half) => [
      `service/about = "${all}${String(2 * half)}"`,
      { [path]: { value: before } },
    ])
    await service.ok('PUT', '/values', { as, json: { queries } })
    await put(`has ${group}`, path, after)
    for (const query of found(path, after)) expect([query, await count(query)]).toEqual([query, size])
    for (const query of found(path, before).slice(1)) expect([query, await count(query)]).toEqual([query, 0])
  }
  await expectSound(service.store)
})
