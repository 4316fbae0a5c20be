#!/usr/bin/env node
/** The command `gloss`: checks the version of Node, and then loads the subcommand. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
}

/** The package.json around this file, which lies at another depth when it is compiled. */
function readManifest(folder = import.meta.dirname): Manifest {
  const file = join(folder, 'package.json')
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest)
    : readManifest(dirname(folder))
}

/** Whether this Node is at least the one that package.json asks for. npm installs on any, and then an import fails. */
function isCurrent({ engines }: Manifest): boolean {
  const parts = (version: string): number[] => (version.match(/\d+/g) ?? []).map(Number)
  const [major = 0, minor = 0] = parts(process.versions.node)
  const [leastMajor = 0, leastMinor = 0] = parts(engines.node)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

const MISUSED = 2

const manifest = readManifest()
const args = process.argv.slice(2)
if (args[0] === '--version') console.log(manifest.version)
else if (!isCurrent(manifest)) {
  const least = manifest.engines.node.replace('>=', '')
  console.error(`gloss: it needs Node ${least} or later, and this is ${process.versions.node}`)
  console.error('  → install a newer Node: https://nodejs.org')
  process.exitCode = MISUSED
} else {
  const [{ createProgram }, { runLine }] = await Promise.all([
    import('./program.ts'),
    import('./terminal/declare.ts'),
  ])
  await runLine(createProgram(), args.length > 0 ? args : ['--help'])
}
