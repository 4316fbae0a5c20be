/** There is one version: of the package, its lock file, the contract, and the packages that pages name. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { pythonVersion } from '../../scripts/pack/python-metadata.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
/** A file or image, and its version; a file for Python is named by PEP 440. */
const NAMED = /(gloss(?:[-_](?:client|contract|mock))?)[-:](\d+\.\d+\.\d+(?:-\w+\.\d+|[a-z]+\d+)?)/g
const { version } = JSON.parse(read('package.json')) as { version: string }

test('the lock file and the contract have the version of the package', () => {
  const lock = JSON.parse(read('package-lock.json')) as {
    version: string
    packages: Record<string, { version: string }>
  }
  const contract = parse(read('openapi/spec.yaml')) as { info: { version: string } }
  expect([lock.version, lock.packages['']?.version, contract.info.version]).toEqual([
    version,
    version,
    version,
  ])
})

test('pages and recipes name packages and images of this version', () => {
  const files = execFileSync('git', ['ls-files', '*.md', 'deploy'], { cwd: ROOT, encoding: 'utf8' })
  const named = files
    .trim()
    .split('\n')
    .flatMap((file) => Array.from(read(file).matchAll(NAMED)))
    .map(([, name = '', found = '']) => [name, found])
  expect(named.length).toBeGreaterThan(3)
  for (const [name = '', found] of named) {
    expect([name, found]).toEqual([name, name.includes('_') ? pythonVersion(version) : version])
  }
})
