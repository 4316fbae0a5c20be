/** A copy of the project for faults and tests. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withFault, type Fault } from './operators.ts'

/** The end of a command. */
export type End = 'passed' | 'failed' | 'too late'

/** The longest delay of a timer. */
export const FOREVER_MS = 2 ** 31 - 1

const COMPILER = [
  'node_modules/typescript/bin/tsc',
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  'var/tsc',
]

export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), 'gloss-mutants-'))
  readonly #stop: AbortSignal

  /** Copies the files of `root` that Git tracks, and its new files. `stop` ends running commands. */
  constructor(root: string, stop: AbortSignal) {
    this.#stop = stop
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    })
    for (const file of listed.split('\0').filter((name) => name !== '' && name !== 'node_modules'))
      cpSync(join(root, file), join(this.folder, file))
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8')
  }

  /** Runs `work` while a fault is in its file. */
  async with<T>(fault: Fault, work: () => Promise<T>): Promise<T> {
    const source = this.read(fault.file)
    writeFileSync(join(this.folder, fault.file), withFault(source, fault))
    try {
      return await work()
    } finally {
      writeFileSync(join(this.folder, fault.file), source)
    }
  }

  /** Returns whether the compiler accepts the copy. */
  async compiles(): Promise<boolean> {
    return (await this.#run(COMPILER, FOREVER_MS)) === 'passed'
  }

  /** Runs test files up to the first failing one. */
  test(files: readonly string[], limitMs: number): Promise<End> {
    const options = ['--selectProjects', 'pure', 'sqlite', '--bail', '--passWithNoTests', '--runTestsByPath']
    return this.#run(['scripts/test.ts', ...options, ...files], limitMs)
  }

  async #run(args: readonly string[], limitMs: number): Promise<End> {
    // The tests start processes, so they get a process group of their own.
    const child = spawn(process.execPath, args, { cwd: this.folder, stdio: 'ignore', detached: true })
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const late = AbortSignal.timeout(limitMs)
    const signals = [late, this.#stop]
    for (const signal of signals) signal.addEventListener('abort', end)
    try {
      const [code] = (await once(child, 'exit')) as [number | null]
      this.#stop.throwIfAborted()
      return late.aborted ? 'too late' : code === 0 ? 'passed' : 'failed'
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', end)
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
