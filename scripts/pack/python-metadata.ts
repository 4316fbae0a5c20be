/** What the Python package takes from the manifest of the project. */
import type { Manifest } from './root.ts'

const STAGES: Readonly<Record<string, string>> = { alpha: 'a', beta: 'b', rc: 'rc' }

/** The version by PEP 440: `1.0.0-rc.1` is `1.0.0rc1`. Throws for a pre-release that PEP 440 has no name for. */
export function pythonVersion(version: string): string {
  const [, release, stage = '', number = ''] = /^(\d+\.\d+\.\d+)(?:-(\w+)\.(\d+))?$/.exec(version) ?? []
  if (release === undefined || !(stage === '' || stage in STAGES)) {
    throw new Error(`Python has no version like ${version}`)
  }
  return `${release}${STAGES[stage] ?? ''}${number}`
}

/** Lines for pyproject.toml: the author and the links of the project, as far as its manifest has them. */
export function pythonMetadata({ author, homepage, repository, bugs }: Manifest): string {
  const links = Object.entries({ Homepage: homepage, Repository: repository, Issues: bugs })
    .map(([name, link]) => [name, typeof link === 'object' ? link.url : link])
    .flatMap(([name, url]) => (url === undefined ? [] : [`${name} = "${url.replace(/^git\+/, '')}"`]))
  return [
    ...(author === undefined ? [] : ['', '[[project.authors]]', `name = "${author.name}"`]),
    ...(author?.email === undefined ? [] : [`email = "${author.email}"`]),
    ...(links.length === 0 ? [] : ['', '[project.urls]', ...links]),
    '',
  ].join('\n')
}
