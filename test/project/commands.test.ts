/** CONTRIBUTING has all commands, and those that users need work in a fresh clone, on each Node that runs npm. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'

const read = (file: string): string => readFileSync(`${import.meta.dirname}/../../${file}`, 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const pages = ['README.md', 'docs/backup.md', 'docs/mock.md', 'docs/operations.md'].map(read).join('\n')
const named = Array.from(pages.matchAll(/npm run ([\w:]+)/g), ([, name = '']) => name)

/** A shell remembers where it found `node` first, so that what comes after the set-up must name the pinned one. */
const SETS_UP = /^node scripts\/setup\.mjs && (?!.*(?<!node_modules\/\.bin\/)node )/
const FORWARDS = /^exec npm run --silent ([\w:]+)$/

test.each([...new Set(['start', 'test', 'serve', ...named])])(
  '%s sets up first, then runs on the pinned Node',
  (name) => {
    const script = scripts[name] ?? ''
    const forwarded = FORWARDS.exec(script)?.[1]
    expect(forwarded === undefined ? script : scripts[forwarded]).toMatch(SETS_UP)
  },
)

test('CONTRIBUTING names each command of package.json, and no other', () => {
  const commands = Array.from(
    read('CONTRIBUTING.md').matchAll(/\bnpm (?:run )?(?!install|ci\b)([\w:-]+)/g),
    ([, name = '']) => name,
  )
  expect([...new Set(commands)].sort()).toEqual(Object.keys(scripts).sort())
})
