/** Every program for maintainers that npm starts reads its arguments by scripts/usage.ts, and names itself as npm does. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = dirname(dirname(import.meta.dirname))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const FOLDERS = '{attacks,bench,clients,demo,scripts}'
const PROGRAM = /(?:attacks|bench|clients|demo|scripts)\/[\w-]+\.ts/g

/** The programs, each with the scripts of npm that start it. */
const programs = new Map<string, string[]>()
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
for (const [script, command] of Object.entries(scripts))
  for (const [file] of command.matchAll(PROGRAM)) programs.set(file, [...(programs.get(file) ?? []), script])

test.each([...programs])('%s', (file, starting) => {
  const source = read(file)
  expect(source).toMatch(/from '\.\.?\/(?:scripts\/)?usage\.ts'/)
  const [, name] =
    /\b(?:argumentsOf|answerHelp)\(\{\s+name: 'npm (?:run )?(?:--silent )?([\w:-]+)(?: --)?'/.exec(source) ??
    []
  expect(starting).toContain(name)
})

test('none reads its options in a way of its own', () => {
  const files = globSync(`${FOLDERS}/**/*.ts`, { cwd: root, exclude: (name) => name === 'node_modules' })
  expect(files.length).toBeGreaterThan(programs.size)
  expect(files.filter((file) => /\bparseArgs\b/.test(read(file)))).toEqual(['scripts/usage.ts'])
})
