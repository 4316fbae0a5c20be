/** What becomes of lines when what they are written to refuses them, stands still, or takes a part. */
import { expect, test } from '@jest/globals'
import { gapLine } from '../../src/observing/log.ts'
import { LogOutput } from '../../src/observing/log-output.ts'

/** What the next write does: writes so many octets, or fails. Once the list is empty, all octets are written. */
type Next = number | 'ENOSPC' | 'EIO' | 'EPIPE' | 'EAGAIN'

function output(...next: Next[]): { lines: LogOutput; text: () => string; next: Next[] } {
  let text = ''
  const write = (octets: Buffer): Promise<number> => {
    const what = next.shift() ?? octets.length
    if (typeof what === 'string') return Promise.reject(Object.assign(new Error(what), { code: what }))
    text += octets.subarray(0, what).toString()
    return Promise.resolve(Math.min(what, octets.length))
  }
  const lines = new LogOutput({
    write,
    writeNow: () => undefined,
    gap: (count) => `dropped ${String(count)}\n`,
  })
  return { lines, text: () => text, next }
}

const LIMIT_MS = 60_000

async function written(lines: LogOutput, ...some: string[]): Promise<void> {
  for (const line of some) lines.write(`${line}\n`)
  expect(await lines.finish(LIMIT_MS)).toBe(true)
}

test.each(['ENOSPC', 'EIO', 'EPIPE'] as const)(
  'lines are dropped and counted while there is %s, and the next one says how many',
  async (code) => {
    const { lines, text } = output(code, code)
    await written(lines, 'a', 'b')
    await written(lines, 'c')
    expect([text(), lines.dropped]).toEqual(['', 3])
    await written(lines, 'd')
    await written(lines, 'e')
    expect([text(), lines.dropped]).toEqual(['dropped 3\nd\ne\n', 3])
  },
)

test('how many were dropped is said again if that could not be written', async () => {
  const { lines, text } = output('EIO', 'EIO')
  await written(lines, 'a')
  await written(lines, 'b')
  await written(lines, 'c')
  expect(text()).toBe('dropped 2\nc\n')
})

test('lines that wait for a write that fails are dropped and counted, too', async () => {
  const { lines, text } = output('ENOSPC')
  await written(lines, 'x'.repeat(5000), 'y'.repeat(5000), 'z')
  await written(lines, 'd')
  expect([text(), lines.dropped]).toEqual(['dropped 3\nd\n', 3])
})

test.each<[where: string, next: Next[], text: string, dropped: number]>([
  ['in the middle of a line', [4, 'ENOSPC', 'ENOSPC'], 'aa\nbb\ndropped 1\ndd\n', 1],
  ['at the end of a line', [3, 'ENOSPC'], 'aa\ndropped 2\ndd\n', 2],
  ['in the middle of the last line', [7, 'ENOSPC', 'ENOSPC'], 'aa\nbb\ncc\ndd\n', 0],
])('a disk that becomes full %s leaves no torn line', async (_where, next, expected, dropped) => {
  const { lines, text } = output(...next)
  await written(lines, 'aa', 'bb', 'cc')
  // Still no room for the end of the line.
  await written(lines)
  await written(lines, 'dd')
  expect([text(), lines.dropped]).toEqual([expected, dropped])
})

test('a count of dropped lines that was half written is ended, and not said again', async () => {
  const { lines, text } = output('ENOSPC', 5, 'ENOSPC')
  await written(lines, 'a')
  await written(lines, 'b')
  await written(lines, 'c')
  expect([text(), lines.dropped]).toEqual(['dropped 1\ndropped 1\nc\n', 2])
})

test('a pipe without room is waited for, and loses nothing', async () => {
  const { lines, text } = output('EAGAIN', 1, 'EAGAIN')
  await written(lines, 'a', 'b')
  expect([text(), lines.dropped]).toEqual(['a\nb\n', 0])
})

test('a line that comes while another one is written leaves, too', async () => {
  const { lines, text } = output()
  lines.write('a\n')
  lines.flush()
  lines.write('b\n')
  lines.flush()
  expect(await lines.finish(LIMIT_MS)).toBe(true)
  expect(text()).toBe('a\nb\n')
})

test('a reader who stands still has 16 MiB waiting for him, and the end of the process does not wait', async () => {
  let release = (): void => undefined
  const still = new Promise<void>((resolve) => (release = resolve))
  let text = ''
  const lines = new LogOutput({
    write: async (octets) => {
      await still
      text += octets.toString()
      return octets.length
    },
    writeNow: () => undefined,
    gap: gapLine,
  })
  const line = `"${'x'.repeat(1024 * 1024)}"\n`
  for (let i = 0; i < 20; i++) {
    lines.write(line)
    lines.flush()
  }
  expect(await lines.finish(1)).toBe(false)
  expect(lines.dropped).toBe(5)
  release()
  expect(await lines.finish(LIMIT_MS)).toBe(true)
  const entries = text.trim().split('\n')
  expect(entries).toHaveLength(1 + 15)
  const gap = entries.find((entry) => entry.startsWith('{'))
  expect(JSON.parse(gap ?? '')).toMatchObject({ level: 'error', pid: process.pid, lines: 5 })
})
