/** SECURITY.md agrees with the tests: each one that its tables name exists. What no request can show is tested here. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = dirname(dirname(import.meta.dirname))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const [, tables = ''] = read('SECURITY.md').split('\n## OWASP API Security Top 10 (2023)\n')
const rows = tables.split('\n').filter((line) => /^\| (?!Risk|Number|-)/.test(line))
const proofsOf = (row: string): { file: string; title: string }[] =>
  Array.from(row.matchAll(/`(test\/[\w/-]+\.test\.ts)` “([^”]+)”/g), ([, file = '', title = '']) => ({
    file,
    title,
  }))

/** The titles in a file: the texts that calls begin with; `%s` stands for what a template fills in. */
const titlesIn = (file: string): string[] =>
  Array.from(read(file).matchAll(/\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`),/g), ([, text, template = '']) =>
    (text ?? template).replace(/\$\{[^}]*\}/g, '%s'),
  )

const proofs = rows.flatMap(proofsOf)

test('every row of the tables in SECURITY.md names a test', () => {
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.filter((row) => proofsOf(row).length === 0)).toEqual([])
  // Whatever looks like the name of a test was read as one.
  expect(proofs.length).toBe(tables.match(/test\/[\w/-]+\.test\.ts/g)?.length)
})

test.each(proofs)('$file has the test $title', ({ file, title }) => {
  let titles = titlesIn(file)
  for (const part of title.split(' › ')) {
    expect(titles).toContain(part)
    titles = titles.slice(titles.indexOf(part) + 1)
  }
})

test('the ten risks are all there, and no number of ASVS twice', () => {
  const first = rows.map((row) => row.split('|')[1]?.trim() ?? '')
  expect(first.flatMap((cell) => /^API(\d+) /.exec(cell)?.[1] ?? []).map(Number)).toEqual(
    Array.from({ length: 10 }, (_, i) => i + 1),
  )
  const numbers = first.filter((cell) => /^\d/.test(cell))
  expect(new Set(numbers).size).toBe(numbers.length)
})

const REACHING =
  /^(?:import|const) (?!type )([^'=]*?) (?:from |= process\.getBuiltinModule\()'node:(?:http|https|http2|net|tls|dgram|dns|child_process)'/gm

/** What a file takes, other than types, from the parts of Node that open connections or start programs. */
const reachOf = (text: string): string[] => [
  ...Array.from(
    text.matchAll(REACHING),
    ([, names = '']) => names.replace(/\btype \w+,?/g, '').match(/\w+/g) ?? [],
  ).flat(),
  // Whatever is not taken by its name.
  ...(text.replace(/^const \{.*\} = process\.getBuiltinModule\(/gm, '').match(/getBuiltinModule/g) ?? []),
]

test('the service makes no requests of its own', () => {
  const files = globSync('src/**/*.ts', { cwd: root })
  expect(files.length).toBeGreaterThan(50)
  // To listen, and to read addresses; its only connections to elsewhere are those to its database.
  const database = 'src/data/database/mysql/mysql-session.ts: connect'
  const harmless = ['createServer', 'Server', 'STATUS_CODES', 'METHODS', 'isIP', 'isIPv6']
  const reaching = files.flatMap((file) => reachOf(read(file)).map((name) => `${file}: ${name}`))
  expect(reaching).toContain('src/http/server/server.ts: createServer')
  expect(reaching.filter((line) => !harmless.some((name) => line.endsWith(`: ${name}`)))).toEqual([database])
  expect(files.filter((file) => /\b(?:fetch|WebSocket|EventSource)\(/.test(read(file)))).toEqual([])
})
