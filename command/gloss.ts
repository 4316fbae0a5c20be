#!/usr/bin/env node
/** The command `gloss`: checks the version of Node, and then loads the subcommand. */
import { listenToSignals } from '../src/process/signals.ts'
import { LEAST_NODE, VERSION } from '../src/settings/version.ts'

/** Whether this Node is at least the one that package.json asks for. npm installs on any, and then an import fails. */
function isCurrent(): boolean {
  const parts = (version: string): number[] => (version.match(/\d+/g) ?? []).map(Number)
  const [major = 0, minor = 0] = parts(process.versions.node)
  const [leastMajor = 0, leastMinor = 0] = parts(LEAST_NODE)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

const MISUSED = 2

const args = process.argv.slice(2)
// Loading the service takes a while, in which a signal would be lost, or end the process without a status.
if (args[0] === 'serve') listenToSignals()
if (args[0] === '--version') console.log(VERSION)
else if (!isCurrent()) {
  console.error(`gloss: it needs Node ${LEAST_NODE} or later, and this is ${process.versions.node}`)
  console.error('  → install a newer Node: https://nodejs.org')
  process.exitCode = MISUSED
} else {
  const [{ createProgram }, { runLine }] = await Promise.all([
    import('./program.ts'),
    import('./terminal/declare.ts'),
  ])
  await runLine(createProgram(), args.length > 0 ? args : ['--help'])
}
