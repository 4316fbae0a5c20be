/** Documents agree with the code: settings, and the tests and pages that they name exist. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test('the page on configuration lists exactly the settings', () => {
  const config = read('src/settings/config.ts')
  const settings: string[] = config.match(/(?<=')[A-Z]+(?:_[A-Z]+)*(?=')/g) ?? []
  for (const [, secret = ''] of config.matchAll(/secret\('([A-Z_]+)'/g)) settings.push(`${secret}_FILE`)
  const documented = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(
    ([, name]) => name,
  )
  expect(documented.sort()).toEqual([...new Set(settings)].sort())
})

test('the tests that the page on corner cases names exist', () => {
  const named = [...read('docs/corner-cases.md').matchAll(/\| `(test\/[^`]+)` +\|$/gm)].map(
    ([, file = '']) => file,
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([])
})

test('no document holds what a merge has left', () => {
  const root = new URL('../../', import.meta.url)
  const documents = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md'], { cwd: root })
  expect(documents).toContain('CHANGELOG.md')
  // The second form is what the formatter makes of the first.
  const left = /<{7} |>{7} |^(?:> ){6}|^\W*={7}\W*$/m
  expect(documents.filter((file) => left.test(read(file)))).toEqual([])
})

test('the pages that documents link to exist', () => {
  const documents = ['ARCHITECTURE.md', 'README.md', 'CONTRIBUTING.md'].map(read).join('\n')
  const files = [...documents.matchAll(/\((docs\/[\w/-]+\.md)\)/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(1)
  expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([])
})

test('test/README has a row for each folder with tests, and no other', () => {
  const folders = readdirSync(new URL('../', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'support')
    .map(({ name }) => name)
  const rows = [...read('test/README.md').matchAll(/^\| `(\w+)\/`/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual(folders.sort())
})
