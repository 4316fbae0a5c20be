/** Installs programs of other projects from npm, and runs them to their end or in the background. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const START_MS = 60_000

/** The way to run a program, apart from its arguments. */
export interface Circumstances {
  readonly cwd?: string
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** The user to run as; by default that of this process. */
  readonly uid?: number | undefined
}

/** A program running in the background. */
export interface Program {
  readonly pid: number
  /** Waits until `isReady`; throws, with the program's output, if that takes a minute or the program ends. */
  until(isReady: () => Promise<boolean>): Promise<void>
  /** Sends this signal and waits for the program to end. */
  stop(signal: NodeJS.Signals): Promise<void>
}

/** Runs a program to its end and returns its output; throws with its errors if it fails. */
export async function run(file: string, args: readonly string[], how: Circumstances = {}): Promise<string> {
  const { env, ...rest } = how
  const options = { ...rest, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(file, args, options)
  return stdout
}

/** Starts a program with its output in the file `log`; it ends with this process at the latest. */
export function start(file: string, args: readonly string[], log: string, how: Circumstances = {}): Program {
  const output = openSync(log, 'a')
  const { env, ...rest } = how
  const options = { ...rest, env: { ...process.env, ...env } }
  const child = spawn(file, args, { ...options, stdio: ['ignore', output, output] })
  closeSync(output)
  let failure: Error | undefined
  child.on('error', (error) => (failure = error))
  const hasEnded = (): boolean =>
    failure !== undefined || child.exitCode !== null || child.signalCode !== null
  const kill = (): unknown => child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    pid: child.pid ?? 0,
    async until(isReady) {
      const deadline = Date.now() + START_MS
      while (!hasEnded() && Date.now() < deadline) {
        if (await isReady()) return
        await sleep(50)
      }
      throw new Error(`${file} did not start:\n${failure?.message ?? readFileSync(log, 'utf8')}`)
    },
    async stop(signal) {
      process.removeListener('exit', kill)
      if (hasEnded()) return
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    },
  }
}

/**
 * Installs packages, given as `name: version`, into `folder` with npm, unless they are there already. Does not run their
 * install scripts.
 */
export async function installFromNpm(
  folder: string,
  packages: Readonly<Record<string, string>>,
): Promise<void> {
  const wanted = Object.entries(packages)
  if (wanted.every(([name, version]) => installedVersion(folder, name) === version)) return
  const specs = wanted.map(([name, version]) => `${name}@${version}`)
  await run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...specs])
}

function installedVersion(folder: string, name: string): string | undefined {
  try {
    const description = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
    return (JSON.parse(description) as { version: string }).version
  } catch {
    return undefined
  }
}

/** Creates a folder whose path begins with `prefix`, and removes it at the end of `life`. */
export function makeFolder(prefix: string, life: AsyncDisposableStack): string {
  const folder = mkdtempSync(prefix)
  life.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
