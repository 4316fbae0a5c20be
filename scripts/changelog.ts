/**
 * Fails if the latest commits change the service and CHANGELOG.md has no line for them
 * (docs/decisions/0051-changelog-by-history.md).
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The sources of the service. */
const SOURCES = ['src', 'openapi', 'grammar']

/** The commits, newest first, that came after the last change of CHANGELOG.md and do not say `Changelog: none`. */
export function unwritten(folder: string): string[] {
  if (!existsSync(join(folder, '.git'))) return []
  const log = (format: string, commits: string, ...paths: string[]): string[] => {
    // CI may read a clone that belongs to another user; Git refuses such a clone by default.
    const git = ['-C', folder, '-c', 'safe.directory=*', 'log', '--no-merges', '--full-history']
    const args = [...git, `--format=${format}`, '--stdin', '--', ...paths]
    const output = execFileSync('git', args, { encoding: 'utf8', input: commits, maxBuffer: 2 ** 28 })
    return output.split('\n').filter((line) => line !== '')
  }
  const settled = log('^%H', 'HEAD\n', 'CHANGELOG.md')
  const trailer = '%(trailers:key=Changelog,valueonly,separator=%x2C)'
  return log(`${trailer}%x09%h %s`, ['HEAD', ...settled, ''].join('\n'), ...SOURCES)
    .map((line) => line.split('\t'))
    .flatMap(([changelog, ...commit]) => (changelog === 'none' ? [] : commit.join('\t')))
}

if (import.meta.main) {
  const commits = unwritten(dirname(import.meta.dirname))
  if (commits.length > 0) {
    console.error(
      `Commits that CHANGELOG.md does not know of:\n${commits.map((commit) => `  ${commit}`).join('\n')}`,
    )
    console.error('Commit a line for whoever uses the service, or end the message with "Changelog: none".')
    process.exitCode = 1
  }
}
