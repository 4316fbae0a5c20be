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

/** The anchor that a heading gets on a page of Markdown. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

test('the pages and headings that documents link to exist', () => {
  const root = new URL('../../', import.meta.url)
  const documents = globSync(['*.md', '{docs,test,openapi}/**/*.md', 'packages/*/*.md'], { cwd: root })
  const anchorsOf = (file: URL): string[] =>
    [...readFileSync(file, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
  const isThere = (document: string, link: string): boolean => {
    const [path = '', anchor] = link.split('#')
    const file = path === '' ? new URL(document, root) : new URL(path, new URL(document, root))
    if (!existsSync(file)) return false
    return anchor === undefined || !file.pathname.endsWith('.md') || anchorsOf(file).includes(anchor)
  }
  const links = documents.flatMap((document) => {
    const text = read(document).replaceAll(/^```.*?^```$/gms, '')
    const found = [...text.matchAll(/\]\(([^):\s]+)\)/g)].map(([, link = '']) => link)
    return found.map((link) => [document, link] as const)
  })
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(([document, link]) => !isThere(document, link))).toEqual([])
})

test('the README is short', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(8 * 1024)
})

test('test/README has a row for each folder with tests, and no other', () => {
  const folders = readdirSync(new URL('../', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'support')
    .map(({ name }) => name)
  const rows = [...read('test/README.md').matchAll(/^\| `(\w+)\/`/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual(folders.sort())
})
