/** The check of the changelog, in repositories that are made up: what it asks a line for, and what settles it. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { unwritten } from '../../scripts/changelog.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gloss-changelog-'))
  git('init', '--quiet', '--initial-branch=main')
  commit('Begin', ['README.md'])
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function git(...args: string[]): void {
  const user = ['-c', 'user.name=alice', '-c', 'user.email=alice@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', ['-C', folder, ...user, ...args], { stdio: 'pipe' })
}

/** Changes the files, and commits them. */
function commit(message: string, files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    appendFileSync(join(folder, file), `${message}\n`)
  }
  git('add', '.')
  git('commit', '--quiet', `--message=${message}`)
}

const found = (where = folder): string[] => unwritten(where).map((line) => line.replace(/^[0-9a-f]+ /, ''))

test.each(['src/data/tags.ts', 'openapi/spec.yaml', 'grammar/query.ne'])('%s needs a line', (file) => {
  commit('Change', [file])
  expect(found()).toEqual(['Change'])
})

test.each(['test/data/tags.test.ts', 'docs/src.md', 'scripts/src/map.ts'])('%s needs none', (file) => {
  commit('Change', [file])
  expect(found()).toEqual([])
})

test('a line in the same commit, or in a later one, is for all before it and for none after it', () => {
  commit('First', ['src/a.ts'])
  commit('Second', ['src/a.ts'])
  commit('Tell', ['CHANGELOG.md'])
  expect(found()).toEqual([])
  commit('Third', ['src/a.ts', 'CHANGELOG.md'])
  expect(found()).toEqual([])
  commit('Fourth', ['src/a.ts'])
  commit('Fifth', ['test/a.test.ts'])
  commit('Sixth', ['src/a.ts'])
  expect(found()).toEqual(['Sixth', 'Fourth'])
})

test('a commit may say that it needs none', () => {
  commit('Move\n\nNobody sees it.\n\nChangelog: none', ['src/a.ts'])
  expect(found()).toEqual([])
  commit('Mention Changelog: none in a sentence', ['src/a.ts'])
  commit('Say something else\n\nChangelog: later', ['src/a.ts'])
  expect(found()).toEqual(['Say something else', 'Mention Changelog: none in a sentence'])
})

test('a line settles its own branch alone', () => {
  git('checkout', '--quiet', '-b', 'one')
  commit('One', ['src/one.ts', 'CHANGELOG.md'])
  git('checkout', '--quiet', '-b', 'two', 'main')
  commit('Two', ['src/two.ts'])
  git('checkout', '--quiet', 'main')
  commit('Three', ['src/three.ts'])
  commit('Tell of three', ['README.md', 'docs/three.md'])
  git('merge', '--quiet', '--no-ff', '--message=Merge one', 'one')
  git('merge', '--quiet', '--no-ff', '--message=Merge two', 'two')
  expect(found().sort()).toEqual(['Three', 'Two'])
  commit('Tell', ['CHANGELOG.md'])
  expect(found()).toEqual([])
})

test('without the history there is nothing to judge', () => {
  commit('Change', ['src/a.ts', 'CHANGELOG.md'])
  commit('Change again', ['src/a.ts'])
  const shallow = join(folder, 'shallow')
  git('clone', '--quiet', '--depth=1', pathToFileURL(folder).href, shallow)
  expect(found(shallow)).toEqual([])
  expect(found(join(folder, 'src'))).toEqual([])
})
