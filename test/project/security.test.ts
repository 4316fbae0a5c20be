/** The page of security controls names tests that exist. What no request can show is tested here. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = dirname(dirname(import.meta.dirname))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Each control, on one line: its number, what it is, and the tests. */
const controls = read('docs/security-controls.md').match(/^- .+$/gm) ?? []
const testsOf = (line: string): string[] => line.match(/(?<=`)test\/[^`]+(?=`)/g) ?? []

test('each security control names tests, all of which exist', () => {
  expect(controls.length).toBeGreaterThan(40)
  expect(controls.filter((line) => testsOf(line).length === 0)).toEqual([])
  expect(controls.flatMap(testsOf).filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('the ten risks are all there, and no number of ASVS twice', () => {
  const risks = controls.flatMap((line) => /^- \*\*API(\d+) /.exec(line)?.[1] ?? [])
  expect(risks.map(Number)).toEqual(Array.from({ length: 10 }, (_, i) => i + 1))
  const numbers = controls.flatMap((line) => /^- \*\*(\d[\d.]+) /.exec(line)?.[1] ?? [])
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
