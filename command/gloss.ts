#!/usr/bin/env node
/** The command `gloss` of the package: finds the program that the first argument names, and loads nothing else. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { continueGivingBack } from '../src/memory.ts'

/** A subcommand. */
interface Command {
  /** What it does, in one line of the help. */
  readonly does: string
  /** What may follow its name; without it nothing may. */
  readonly takes?: string
  /** Runs it with what follows its name. */
  readonly run: (args: readonly string[]) => Promise<unknown>
}

/** The subcommands. `serve` and `migrate` are programs that run when they are loaded, and read the environment. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { does: 'serve the API on a database; Ctrl-C stops it', run: serve },
  migrate: {
    does: 'bring the schema of the database up to date, and exit',
    run: () => import('../src/migrate.ts'),
  },
  'check-store': {
    does: 'check that everything holds between the tables of the database; --repair mends what can be mended',
    takes: '[--repair]',
    run: (args) => runWith(args, () => import('../src/check-store.ts')),
  },
  backup: {
    does: 'write a backup of the database into a new file, while the service runs',
    takes: '--to FILE',
    run: (args) => runWith(args, () => import('../src/backup.ts')),
  },
  restore: {
    does: 'restore a backup into an empty database of either kind, and check it',
    takes: '--from FILE [--anew]',
    run: (args) => runWith(args, () => import('../src/restore.ts')),
  },
  mock: {
    does: 'serve the example of the documentation, without a database',
    takes: '--stateful [--host HOST] [--port PORT]',
    run: runMock,
  },
}

/** The service restarts itself for the sake of its memory: here, before anything of it is loaded. */
function serve(): Promise<unknown> {
  continueGivingBack()
  return import('../src/main.ts')
}

const PRISM = '@stoplight/prism-cli/package.json'

/** Runs the mock, a program of its own, which reads what follows its name. Its examples need Prism, which is large. */
async function runMock(args: readonly string[]): Promise<void> {
  if (!args.includes('--stateful') && !isThere(PRISM)) {
    refuse(
      `The examples of the contract are served by the package 'gloss-mock'; here is 'gloss mock --stateful'.`,
    )
    return
  }
  await runWith(args, () => import('../mock/main.ts'))
}

/** Runs a program that reads what follows its name. */
async function runWith(args: readonly string[], load: () => Promise<unknown>): Promise<void> {
  process.argv.splice(2, Infinity, ...args)
  await load()
}

function isThere(specifier: string): boolean {
  try {
    import.meta.resolve(specifier)
    return true
  } catch {
    return false
  }
}

/** The status of a command that was not understood. */
const NOT_UNDERSTOOD = 2

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { does, takes = '' }]) => [
    `${name} ${takes}`.trim(),
    does,
  ])
  const width = Math.max(...rows.map(([call = '']) => call.length))
  return [
    'Usage: gloss COMMAND',
    '',
    ...rows.map(([call = '', does = '']) => `  ${call.padEnd(width)}  ${does}`),
    '',
    '  --version, --help',
    '',
    'Environment variables configure all but mock, such as PORT, DATABASE_URL and ADMIN_PASSWORD. The README lists them.',
  ].join('\n')
}

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
function isNodeCurrent(): boolean {
  const parts = (version: string): number[] => (version.match(/\d+/g) ?? []).map(Number)
  const [major = 0, minor = 0] = parts(process.versions.node)
  const [leastMajor = 0, leastMinor = 0] = parts(readManifest().engines.node)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

/** Ends with what is wrong and where to read more. */
function refuse(what: string): void {
  console.error(`${what} 'gloss --help' lists the commands.`)
  process.exitCode = NOT_UNDERSTOOD
}

/** Why this cannot be run; undefined if it can. */
function objection(name: string, args: readonly string[]): string | undefined {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return `There is no command '${name}'.`
  if (command.takes === undefined && args.length > 0) return `'gloss ${name}' takes no arguments.`
  if (isNodeCurrent()) return undefined
  const { node } = readManifest().engines
  return `Gloss needs Node ${node.replace('>=', '')} or later, and this is ${process.versions.node}.`
}

const [name = '--help', ...args] = process.argv.slice(2)
if (name === '--version') console.log(readManifest().version)
else if (name === '--help' || args.includes('--help')) console.log(help())
else {
  const wrong = objection(name, args)
  if (wrong === undefined) await COMMANDS[name]?.run(args)
  else refuse(wrong)
}
