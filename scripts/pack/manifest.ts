/** The package.json of a package: what its folder says, and what all packages take from the project. */
import type { Manifest } from './root.ts'

/** What the manifest of the project may say of all packages. */
const OF_PROJECT = ['author', 'homepage', 'repository', 'bugs'] as const

/**
 * The manifest to publish: `own` with version, licence and links of the project, and with `more`. Provenance names the
 * repository, and the registry refuses it without one. npm publishes a pre-release only under a name other than `latest`.
 */
export function manifestOf(own: object, project: Manifest, more: object): object {
  const { version, license, engines } = project
  const links = OF_PROJECT.flatMap((key) => (project[key] === undefined ? [] : [[key, project[key]]]))
  const publishConfig = {
    access: 'public',
    ...(project.repository !== undefined && { provenance: true }),
    ...(version.includes('-') && { tag: 'next' }),
  }
  return {
    engines,
    ...own,
    version,
    license,
    ...(Object.fromEntries(links) as object),
    publishConfig,
    ...more,
  }
}
