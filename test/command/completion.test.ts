/** Completion: what `gloss complete` finds, and what the shells make of it. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { gloss, type Ended } from '../support/gloss.ts'
import { INHERITED, programFile } from '../support/process.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'
import { shellProgram } from '../support/shells.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

let service: Service
let env: Record<string, string>
const folder = mkdtempSync(join(tmpdir(), 'gloss-completion-'))

beforeAll(async () => {
  service = await startService()
  const tags = ['alice/books/rating', 'alice/books/note', 'alice/private/diary', 'bob/seen']
  for (const tag of tags) {
    const as = tag.replace(/\/.*/, '')
    await service.ok('PUT', `/about/book%3ADune/${tag}`, { as, primitive: '1' })
  }
  await service.ok('PUT', '/about/book%3AThe%20Trial/alice/books/note', { as: 'alice', primitive: '1' })
  env = {
    GLOSS_URL: service.url,
    GLOSS_USER: 'alice',
    GLOSS_PASSWORD: PASSWORD,
    XDG_CONFIG_HOME: join(folder, 'config'),
  }
  const program = join(ROOT, programFile('command/gloss'))
  writeFileSync(join(folder, 'gloss'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  })
  writeFileSync(join(folder, 'password.txt'), PASSWORD)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

/** The environment without some of its variables. */
const without = (...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))

const complete = (...words: string[]): Promise<Ended> => gloss(['complete', '--', ...words], { env })

/** The service gets two seconds to answer, which a busy machine may miss: what says nothing is tried again. */
async function insisting(work: () => Promise<string>): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const text = await work()
    if (text.trim() !== '') return text
  }
  return ''
}

const stdoutOf = async (...words: string[]): Promise<string> => {
  const { status, stdout, stderr } = await complete(...words)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** The completions in what is printed. */
const textsIn = (stdout: string): string[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/\t.*/, ''))

describe('the last word may become', () => {
  test.each([
    ['a subcommand', ['que'], ['query']],
    ['a subcommand of a group', ['perms', 'gr'], ['grant']],
    ['an option', ['get', 'x', '--c'], ['--csv', '--columns']],
    ['a tag', ['get', 'book:Dune', 'alice/books/r'], ['alice/books/rating']],
    ['a further tag', ['untag', 'x', 'a/b', 'alice/b'], ['alice/books/note', 'alice/books/rating']],
    ['a tag to give a value', ['tag', 'x', 'alice/books/r'], ['alice/books/rating=']],
    ['a namespace', ['ls', 'alice/b'], ['alice/books']],
    [
      'a tag or a namespace',
      ['perms', 'who', 'alice/books'],
      ['alice/books', 'alice/books/note', 'alice/books/rating'],
    ],
    ['an about value', ['get', 'book:D'], ['book:Dune']],
    ['a user', ['perms', 'grant', 'a/b', 'bo'], ['bob']],
    [
      'a tag in a query',
      ['query', 'bob/seen > 1 and has alice/books/r'],
      ['bob/seen > 1 and has alice/books/rating'],
    ],
    ['nothing in a string', ['query', 'bob/seen = "alice/books/r'], []],
    ['a column', ['query', 'x', '--columns', 'about,alice/books/r'], ['about,alice/books/rating']],
    ['a tag to sort by', ['query', 'x', '--sort', '-alice/books/r'], ['-alice/books/rating']],
    ['an action', ['perms', 'open', 'a/b', '--action', 'read,wr'], ['read,write']],
    ['a shell', ['completion', 'z'], ['zsh']],
    ['a class of errors', ['explain', 'TNoSuch'], ['TNoSuchUser']],
    ['what a private tag is called, to its owner', ['get', 'x', 'alice/private'], ['alice/private/diary']],
    ['nothing, to others', ['get', '--as', 'anybody', 'x', 'alice/private'], []],
  ])('%s', async (_what, words, candidates) => {
    if (words.includes('anybody')) {
      // Nobody is asked for the password.
      const { stdout } = await gloss(['complete', '--', ...words], {
        env: without('GLOSS_USER', 'GLOSS_PASSWORD'),
        columns: 80,
      })
      expect(stdout).toBe('')
    } else {
      const ask = (): Promise<string> => stdoutOf(...words)
      const stdout = await (candidates.length === 0 ? ask() : insisting(ask))
      expect(textsIn(stdout).sort()).toEqual([...candidates].sort())
    }
  })

  test('a profile, which is also used', async () => {
    const login = ['login', service.url, '--as', 'alice', '--profile', 'work', '--quiet']
    expect((await gloss(login, { env: without('GLOSS_URL', 'GLOSS_USER') })).status).toBe(0)
    expect(textsIn(await stdoutOf('ls', '--profile', ''))).toEqual(['work'])
    const words = ['get', '--profile', 'work', 'x', 'alice/private']
    const nameless = { env: without('GLOSS_URL', 'GLOSS_USER', 'GLOSS_PASSWORD') }
    const stdout = await insisting(async () => (await gloss(['complete', '--', ...words], nameless)).stdout)
    expect(stdout).toMatch(/^alice\/private\/diary\t/)
  })

  test('a file, which the shell finds', async () => {
    expect((await complete('get', 'x', '-o', '')).status).toBe(1)
  })

  test('nothing, and in silence, if the service does not answer', async () => {
    const { status, stdout, stderr } = await gloss(['complete', '--', 'get', 'x', 'alice/'], {
      env: { ...env, GLOSS_URL: 'http://127.0.0.1:1' },
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('and no help speaks of it', async () => {
    expect((await gloss(['--help'])).stdout).not.toMatch(/^ +complete /m)
    expect((await complete('comp')).stdout).not.toMatch(/^complete\t/m)
  })
})

const inShell = async (name: 'bash' | 'zsh' | 'fish', args: readonly string[]): Promise<string> => {
  const path = `${folder}:${process.env['PATH'] ?? ''}`
  const { stdout } = await run(shellProgram(name), args, {
    cwd: folder,
    env: { ...INHERITED, ...env, PATH: path, HOME: folder, TERM: 'xterm' },
  })
  return stdout
}

/** What stands before the cursor, how bash parts it, and what it puts in the place of the last part. */
const BASH = [
  ['gloss que', ['gloss', 'que'], 'query\n'],
  ['gloss  get book:D', ['gloss', 'get', 'book', ':', 'D'], 'Dune\n'],
  ['gloss get book:', ['gloss', 'get', 'book', ':'], 'Dune\nThe\\ Trial\n'],
  ['gloss get book:The\\ T', ['gloss', 'get', 'book', ':', 'The\\ T'], 'The\\ Trial\n'],
  ["gloss query 'has alice/books/r", ['gloss', 'query', "'has alice/books/r"], 'has alice/books/rating\n'],
  ["gloss get 'book:D", ['gloss', 'get', "'book:D"], 'book:Dune\n'],
  ['gloss tag book:Dune bob/s', ['gloss', 'tag', 'book', ':', 'Dune', 'bob/s'], 'bob/seen=\n'],
  ['gloss ls alice/ ', ['gloss', 'ls', 'alice/', ''], ''],
] as const

describe('bash', () => {
  test.each(BASH)('%s', async (line, words, expected) => {
    const script = `source <(gloss completion bash)
      compopt() { :; }
      COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDS=("\${@:2}") COMP_CWORD=$(($# - 2))
      _gloss
      if ((\${#COMPREPLY[@]})); then printf '%s\\n' "\${COMPREPLY[@]}"; fi`
    const type = (): Promise<string> => inShell('bash', ['--norc', '-c', script, 'bash', line, ...words])
    expect(await (expected === '' ? type() : insisting(type))).toBe(expected)
  })

  test('finds files by itself', async () => {
    const script = `source <(gloss completion bash)
      compopt() { echo "$@"; }
      COMP_LINE='gloss get x -o p' COMP_POINT=16 COMP_WORDS=(gloss get x -o p) COMP_CWORD=4
      _gloss`
    expect(await inShell('bash', ['--norc', '-c', script])).toBe('-o default\n')
  })
})

describe('zsh', () => {
  test.each([
    [['gloss', 'que'], 'que', '-d shown -a texts', 'query'],
    [['gloss', 'get', 'book:The\\ T'], 'book:The\\ T', '-d shown -a texts', 'book:The Trial'],
    [
      ['gloss', 'query', "'has alice/books/r"],
      'has alice/books/r',
      '-d shown -a texts',
      'has alice/books/rating',
    ],
    [['gloss', 'tag', 'book:Dune', 'bob/s'], 'bob/s', '-S  -d shown -a texts', 'bob/seen='],
    [['gloss', 'get', 'x', '-o', 'p'], 'p', '', 'files'],
  ])('%j', async (line, prefix, options, text) => {
    const script = `compdef() { :; }
      source <(gloss completion zsh)
      compadd() { print -r -- "$*"; print -rl -- $texts; }
      _files() { print -r -- ''; print files; }
      words=("\${(@)argv[2,-1]}") CURRENT=$(($# - 1)) PREFIX=$1
      _gloss || true`
    const stdout = await insisting(() => inShell('zsh', ['-f', '-c', script, 'zsh', prefix, ...line]))
    expect(stdout).toBe(`${options}\n${text}\n`)
  })
})

describe('fish', () => {
  test.each([
    ['gloss que', 'query'],
    ['gloss get book:D', 'book:Dune'],
    ["gloss query 'has alice/books/r", 'has alice/books/rating'],
    ['gloss tag book:Dune bob/s', 'bob/seen='],
    ['gloss get x -o pass', 'password.txt'],
  ])('%s', async (line, expected) => {
    const script = 'gloss completion fish | source; complete -C $argv[1]'
    const stdout = await insisting(() => inShell('fish', ['--no-config', '-c', script, line]))
    expect(stdout.replace(/\t.*$/gm, '').trimEnd()).toBe(expected)
  })
})
