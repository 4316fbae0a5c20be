/** The recipes of docs/mock.md: each runs in a folder of its own, with the program that it is for. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from '@jest/globals'
import { chromiumOptions } from '../support/chromium.ts'
import { ROOT } from './bases.ts'

const folder = mkdtempSync(join(tmpdir(), 'gloss-recipes-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const write = (name: string, text: string): void => {
  writeFileSync(join(folder, name), text)
}

/** The mock of this checkout as the package that recipes import. */
function installMock(): void {
  const own = join(folder, 'node_modules/@gloss/mock')
  mkdirSync(own, { recursive: true })
  writeFileSync(
    join(own, 'package.json'),
    '{ "name": "@gloss/mock", "type": "module", "exports": "./start.js" }',
  )
  writeFileSync(join(own, 'start.js'), `export * from '${pathToFileURL(join(ROOT, 'mock/start.ts')).href}'\n`)
  for (const name of ['vitest', 'playwright', '@playwright']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
}

/** The files in the document: blocks whose first line is the name. */
function writeRecipes(): string[] {
  const text = readFileSync(join(ROOT, 'docs/mock.md'), 'utf8')
  return [...text.matchAll(/^```js\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(([, name = '', code = '']) => {
    write(name, code)
    return name
  })
}

/** Runs a program of the project; returns its output. */
function run(program: string, ...args: readonly string[]): string {
  const { PATH, HOME } = process.env
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules', program), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH, HOME, CI: '1', NO_COLOR: '1' },
    },
  )
  if (status !== 0) throw new Error(`${program}:\n${stdout}${stderr}`)
  return `${stdout}${stderr}`
}

installMock()
write('package.json', '{ "type": "module" }')
const files = writeRecipes()

test('the document has a recipe for each', () => {
  expect(files).toEqual([
    ...['jest.config.mjs', 'start-mock.mjs', 'stop-mock.mjs', 'rating.test.js'],
    ...['rating.spec.js', 'mock.js', 'toy.pw.js'],
  ])
})

test('Jest', () => {
  expect(run('jest/bin/jest.js', '--testTimeout=60000', 'rating.test.js')).toMatch(/Tests: +2 passed/)
})

test('Vitest', () => {
  expect(
    run('vitest/vitest.mjs', 'run', '--testTimeout=60000', '--hookTimeout=60000', 'rating.spec.js'),
  ).toMatch(/Tests +1 passed/)
})

test('Playwright', () => {
  const use = { launchOptions: chromiumOptions() }
  write(
    'playwright.config.mjs',
    `export default ${JSON.stringify({ testMatch: '*.pw.js', timeout: 60_000, expect: { timeout: 30_000 }, workers: 1, use })}`,
  )
  expect(run('@playwright/test/cli.js', 'test')).toMatch(/5 passed/)
})
