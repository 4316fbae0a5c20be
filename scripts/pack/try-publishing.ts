/** Checks packages as they would be published, without publishing them. */
import { pythonVersion } from './python-metadata.ts'
import { manifest } from './root.ts'
import { insist, run } from './sandbox.ts'

interface Packed {
  readonly version: string
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

const ALWAYS = ['package.json', 'README.md', 'LICENSE']

/** Sources and tests, which no package has, but for those of packages that it bundles. */
const NEVER = /^(?!node_modules\/).*((?<!\.d)\.ts|\.map|\.test\.\w+)$/

/** Throws if npm would not publish a package as it is, or if it has wrong files, or some that only their owner can read. */
export async function tryPublishing(file: string, cwd: string): Promise<void> {
  const printed = await run('npm', ['publish', '--dry-run', '--json', '--loglevel=error', file], cwd)
  for (const { version, files } of Object.values(JSON.parse(printed) as Record<string, Packed>)) {
    insist(version === manifest.version, `the version is ${version}`)
    const paths = files.map(({ path }) => path)
    for (const path of ALWAYS) insist(paths.includes(path), `there is no ${path}`)
    const wrong = files.filter(({ path, mode }) => NEVER.test(path) || (mode & 0o444) !== 0o444)
    insist(wrong.length === 0, `these files are wrong: ${wrong.map(({ path }) => path).join(', ')}`)
  }
}

/** Prints the version of the installed client, and the modes of the files of its wheel. */
const LOOK = `
import importlib.metadata, os, sys, zipfile
wheel = sys.argv[1]
modes = [os.stat(wheel).st_mode, *(one.external_attr >> 16 for one in zipfile.ZipFile(wheel).infolist())]
meta = importlib.metadata.metadata("gloss-client")
print(meta["Version"], meta["License-Expression"], all(mode & 0o444 == 0o444 for mode in modes))
`

/** Throws if an installed wheel says something else of itself than the project, or if others cannot read its files. */
export async function tryWheel(python: string, wheel: string, cwd: string): Promise<void> {
  const printed = (await run(python, ['-c', LOOK, wheel], cwd)).trim()
  const wanted = `${pythonVersion(manifest.version)} ${manifest.license} True`
  insist(printed === wanted, `version, licence and readability are ${printed}, not ${wanted}`)
}
