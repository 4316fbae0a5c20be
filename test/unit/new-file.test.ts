/** A file that is whole or not there, in the place of no other, and what is said if it cannot be written. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { failureOf } from '../../src/data/database/failures.ts'
import { readBackupFile } from '../../src/data/keeping/backup-file.ts'
import { FileFailure, NewFile } from '../../src/data/keeping/new-file.ts'

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
  const unreadable = await failure(readBackupFile(folder).next())
  for (const error of [missing, second, unreadable]) {
    expect(error).toBeInstanceOf(FileFailure)
    expect(error).not.toHaveProperty('code')
    expect(failureOf(error)).toBe('other')
  }
  expect(missing.message).toMatch(/cannot be written: make its folder first \(ENOENT: /)
  expect(second.message).toMatch(/cannot be written: another backup is writing it, or .* \(EEXIST: /)
  expect(unreadable.message).toMatch(/cannot be read: EISDIR: /)
})
