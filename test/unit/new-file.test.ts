/** A file that is whole or not there, in the place of no other, and what is said if it cannot be written. */
import * as files from 'node:fs/promises'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { failureOf } from '../../src/data/database/connection/failures.ts'
import { FileFailure, NewFile } from '../../src/data/maintenance/new-file.ts'

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gloss-new-file-'))
  file = join(folder, 'file')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

async function* chunks(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

/** What work fails with. */
const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('nothing failed')),
    (error: unknown) => error as Error,
  )

test('a file has its name once it is kept', async () => {
  const target = await NewFile.create(file)
  await target.write(chunks('one ', 'two ', 'three'))
  expect(readdirSync(folder)).toEqual(['file.unfinished'])
  await target.keep()
  expect(readdirSync(folder)).toEqual(['file'])
  expect(readFileSync(file, 'utf8')).toBe('one two three')
})

test('a file that is discarded leaves nothing', async () => {
  const target = await NewFile.create(file)
  await target.write(chunks('one'))
  await target.discard()
  expect(readdirSync(folder)).toEqual([])
})

test('what went wrong with a file is no failure of the database, and says what to do', async () => {
  const missing = await failure(NewFile.create(join(folder, 'none', 'file')))
  const first = await NewFile.create(file)
  const second = await failure(NewFile.create(file))
  await first.discard()
  for (const error of [missing, second]) {
    expect(error).toBeInstanceOf(FileFailure)
    expect(error).not.toHaveProperty('code')
    expect(failureOf(error)).toBe('other')
  }
  expect(missing.message).toMatch(/cannot be written: make its folder first \(ENOENT: /)
  expect(second.message).toMatch(/cannot be written: another backup is writing it, or .* \(EEXIST: /)
})

describe.each(['with', 'without'])('on a file system %s hard links', (links) => {
  const link = jest.fn(() =>
    Promise.reject(Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' })),
  )
  let Made: typeof NewFile
  beforeEach(async () => {
    jest.resetModules()
    link.mockClear()
    const own = links === 'with' ? files : { ...files, link }
    jest.unstable_mockModule('node:fs/promises', () => own)
    Made = (await import('../../src/data/maintenance/new-file.ts')).NewFile
  })

  test('a file is kept', async () => {
    const target = await Made.create(file)
    await target.write(chunks('one'))
    await target.keep()
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['file'], 'one'])
    expect(link).toHaveBeenCalledTimes(links === 'with' ? 0 : 1)
  })

  test('what has got its name meanwhile stays', async () => {
    const target = await Made.create(file)
    await target.write(chunks('one'))
    writeFileSync(file, 'of somebody else')
    expect((await failure(target.keep())).message).toContain('overwrites nothing')
    expect(readFileSync(file, 'utf8')).toBe('of somebody else')
    await target.discard()
    expect(readdirSync(folder)).toEqual(['file'])
  })

  test('what has its name stays, though it cannot be opened', async () => {
    symlinkSync(join(folder, 'nothing'), file)
    expect((await failure(Made.create(file))).message).toContain('overwrites nothing')
    expect(readdirSync(folder)).toEqual(['file'])
  })
})
