/** The commands and programs that the console offers for a search find what the search finds. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SNIPPETS, type Snippet } from '../../console/src/ask/snippets.ts'
import { programFile } from '../support/process.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What a shell, Python or TypeScript would take for something else. */
const ODD = 'it\'s $HOME `id` \\ "quoted" %s {x} ${y} é🜁\nnext line'
const LARGE = '9223372036854775807'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'gloss-snippets-'))
  const query = { action: 'read' }
  for (const [tag, primitive] of [
    ['odd', JSON.stringify(ODD)],
    ['large', LARGE],
    ['whole', '5.0'],
  ] as const) {
    await service.ok('PUT', `/about/thing/alice/${tag}`, { as: 'alice', primitive })
    await service.ok('PUT', `/permissions/tag-values/alice/${tag}`, {
      as: 'alice',
      query,
      json: { policy: 'closed', exceptions: ['alice'] },
    })
  }
  // More than a page.
  const queries = Array.from({ length: 1100 }, (_, at) => [
    `service/about = "many ${at}"`,
    { 'alice/number': { value: at } },
  ])
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

/** Runs what a snippet is, and returns what it prints. */
async function run(name: string, snippet: Omit<Snippet, 'base'>): Promise<string> {
  const text = SNIPPETS[name]?.of({ base: service.url, ...snippet }) ?? ''
  const file = join(folder, `snippet${{ Python: '.py', TypeScript: '.ts' }[name] ?? '.sh'}`)
  const shell = `gloss() { "${process.execPath}" "${join(ROOT, programFile('command/gloss'))}" "$@"; }\n`
  writeFileSync(file, name === 'gloss' ? shell + text : text)
  // Without a terminal of its own, curl takes the password from its input.
  const [program = '', ...args] = { Python: ['python3'], TypeScript: [process.execPath] }[name] ?? [
    'setsid',
    '-w',
    'sh',
  ]
  const env = { ...process.env, GLOSS_PASSWORD: PASSWORD, XDG_CONFIG_HOME: folder, HOME: folder }
  const running = promisify(execFile)(program, [...args, file], { env, maxBuffer: 2 ** 24 })
  running.child.stdin?.end(`${PASSWORD}\n`)
  return (await running).stdout
}

const NAMES = Object.keys(SNIPPETS)
const found = {
  user: 'alice',
  query: `alice/odd = ${JSON.stringify(ODD).replaceAll('\\n', '\n')} and has alice/large`,
  columns: ['alice/odd', 'alice/large', 'alice/whole'],
  sort: '-alice/large',
}

test.each(NAMES)('%s: each character and digit arrives', async (name) => {
  const printed = await run(name, found)
  expect(printed).toContain(LARGE)
  const values: Readonly<Record<string, string>> = {
    gloss: `"${ODD.replaceAll('"', '""')}",${LARGE},5.0`,
    curl: '"alice/whole":{"value":5.0',
    Python: '"alice/whole": {"value": 5.0',
    TypeScript: `value: ${LARGE}n`,
  }
  expect(printed).toContain(values[name])
})

test.each(NAMES)('%s: nobody sees what only alice may read', async (name) => {
  const nobody = { ...found, user: undefined }
  if (name === 'curl') expect(await run(name, nobody)).toBe('')
  else await expect(run(name, nobody)).rejects.toThrow()
})

test.each(NAMES)('%s: all pages', async (name) => {
  const search = {
    user: undefined,
    query: 'has alice/number',
    columns: ['alice/number'],
    sort: 'alice/number',
  }
  const printed = await run(name, search)
  const abouts = [...printed.matchAll(/many (\d+)/g)].map(([, at]) => Number(at))
  // curl has no pages.
  expect(abouts).toEqual([...Array(name === 'curl' ? 1000 : 1100).keys()])
})
