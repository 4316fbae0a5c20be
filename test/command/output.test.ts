/** Where data goes: files, links, named pipes, and a standard output that takes no more. */
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { gloss, useEmptyHome, type Ended } from '../support/gloss.ts'
import { INHERITED, programFile } from '../support/process.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const home = useEmptyHome()

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.ok('PUT', '/about/book%3ADune/alice/rating', { as: 'alice', primitive: '9' })
})
afterAll(() => service.stop())

const signedIn = (): Record<string, string> => ({
  GLOSS_URL: service.url,
  GLOSS_USER: 'alice',
  GLOSS_PASSWORD: PASSWORD,
})
const get = (file: string): Promise<Ended> =>
  gloss(['get', 'book:Dune', 'alice/rating', '-o', file], { env: signedIn() })

/** Runs Node with standard output into what `stdout` names. */
async function intoPlace(args: readonly string[], stdout: string): Promise<Omit<Ended, 'stdout'>> {
  const place = openSync(stdout, 'w')
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...INHERITED, ...signedIn() },
    stdio: ['ignore', place, 'pipe'],
  })
  closeSync(place)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (stderr += part))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, stderr }
}

describe('-o', () => {
  test('writes what a link leads to, and leaves the link', async () => {
    const [file, link] = [join(home.folder, 'file'), join(home.folder, 'link')]
    writeFileSync(file, 'what was there before')
    symlinkSync('file', link)
    expect(await get(link)).toMatchObject({ status: 0, stderr: '' })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('9')
  })

  test('leaves what has nearly its name', async () => {
    const [file, near] = [join(home.folder, 'file'), join(home.folder, 'file.part')]
    writeFileSync(near, 'of somebody else')
    expect(await get(file)).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(home.folder).sort()).toEqual(['file', 'file.part'])
    expect(readFileSync(near, 'utf8')).toBe('of somebody else')
  })

  test('writes into a named pipe, and leaves it', async () => {
    const pipe = join(home.folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const reader = spawn('cat', [pipe])
    let read = ''
    reader.stdout.on('data', (part: Buffer) => (read += part.toString()))
    const ended = new Promise((resolve) => reader.once('close', resolve))
    expect(await get(pipe)).toMatchObject({ status: 0, stderr: '' })
    // Whoever replaces the pipe leaves its reader waiting.
    if (!lstatSync(pipe).isFIFO()) reader.kill()
    await ended
    expect(lstatSync(pipe).isFIFO()).toBe(true)
    expect(read).toBe('9')
  })

  test('takes another name of standard output for that', async () => {
    // Not /dev/stdout, which a fault would have root replace.
    const file = join(home.folder, 'file')
    const args = [programFile('command/gloss'), 'get', 'book:Dune', 'alice/rating', '-o', '/dev/fd/1']
    expect(await intoPlace(args, file)).toEqual({ status: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toBe('9')
  })

  test('says why a file cannot be written', async () => {
    const file = join(home.folder, 'nowhere', 'file')
    const { status, stderr } = await get(file)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^gloss: '.*nowhere\/file' cannot be written: ENOENT.*\n {2}→ name another file/)
    expect(existsSync(file)).toBe(false)
  })
})

describe('standard output', () => {
  test('that takes no more is a failure, and it is said', async () => {
    const args = [programFile('command/gloss'), 'get', 'book:Dune']
    const { status, stderr } = await intoPlace(args, '/dev/full')
    expect(status).toBe(1)
    expect(stderr).toContain('gloss: standard output cannot be written: ENOSPC')
  })

  test('takes any number of answers', async () => {
    const program = `
      const { writeTo } = await import('./command/terminal/output.ts')
      for (let i = 0; i < 20; i += 1) await writeTo(undefined, (async function* () { yield 'answer ' })())
      console.error(process.stdout.listenerCount('error'))`
    const file = join(home.folder, 'file')
    const ended = await intoPlace(['--input-type=module', '-e', program], file)
    expect(ended).toEqual({ status: 0, stderr: '0\n' })
    expect(readFileSync(file, 'utf8')).toBe('answer '.repeat(20))
  })
})
