/** Programs of other projects: how they are installed from npm, run to their end, and kept running. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const START_MS = 60_000

/** What a program needs beside its arguments. */
export interface Circumstances {
  readonly cwd?: string
  /** Beside the variables that this process has. */
  readonly env?: Readonly<Record<string, string>>
  /** The user to run as; else the one of this process. */
  readonly uid?: number | undefined
}

/** A program that was started and not waited for. */
export interface Program {
  readonly pid: number
  /** Waits until `isReady`; throws, with what the program has printed, if that takes a minute or the program ends. */
  until(isReady: () => Promise<boolean>): Promise<void>
  /** Ends it by this signal and waits for that. */
  stop(signal: NodeJS.Signals): Promise<void>
}

/** Runs a program to its end and gives what it printed; throws with what it complained about if it fails. */
export async function run(file: string, args: readonly string[], how: Circumstances = {}): Promise<string> {
  const { env, ...rest } = how
  const options = { ...rest, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(file, args, options)
  return stdout
}

/** Starts a program that writes what it prints into the file `log`, and that ends with this process at the latest. */
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
 * Has npm install packages into `folder`, given as `name: version`, unless they are there already. Their scripts are
 * not run.
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

/** Makes a folder whose path begins with `prefix`; it is removed at the end of `life`. */
export function makeFolder(prefix: string, life: AsyncDisposableStack): string {
  const folder = mkdtempSync(prefix)
  life.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
