/** Released versions of the contract stay as they were released. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const ROOT = join(import.meta.dirname, '../..')
// A checkout may belong to another user; Git refuses such a one by default.
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: ROOT, encoding: 'utf8' })

test('each version is what the commit that added it says', () => {
  const log = git('log', '--diff-filter=A', '--format=%H', '--name-only', '--', 'openapi/versions')
  let commit = ''
  for (const line of log.split('\n').filter(Boolean)) {
    if (line.startsWith('openapi/')) {
      expect([line, readFileSync(join(ROOT, line), 'utf8')]).toEqual([line, git('show', `${commit}:${line}`)])
    } else commit = line
  }
})
