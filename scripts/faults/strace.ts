/** Calls to the system on the files of one folder, as strace sees them and makes them fail. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installedProgram } from '../../test/support/programs.ts'
import { nodeCommand } from '../../test/support/process.ts'

/** Whatever writes, syncs, opens, renames or cuts files. Not every architecture has all of them. */
const WATCHED = [
  ...['open', 'openat', 'openat2', 'creat', 'mkdir', 'mkdirat'],
  ...['write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'msync'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat'],
  ...['truncate', 'ftruncate', 'fallocate'],
]

export const ERRORS = ['EIO', 'ENOSPC'] as const

/** The `nth` call of a name on a file, counted in each thread by itself, as strace does. */
export interface Call {
  readonly name: string
  /** Within the folder; empty for the folder itself. */
  readonly file: string
  readonly nth: number
}

export interface Fault {
  readonly call: Call
  readonly error: (typeof ERRORS)[number]
}

/** The path of strace. Throws if there is none, and none can be installed. */
export const installedStrace = (): string =>
  installedProgram(['strace'], 'strace', 'Install the package strace: it makes the calls fail.')

/** What strace notes of one run: with a fault, it makes that call fail and sees only calls of its kind. */
export class Trace {
  readonly #folder: string
  readonly #file: string
  readonly #what: readonly string[]

  /** The notes are in a file beside the folder, whose path must have no links in it. */
  constructor(folder: string, fault?: Fault) {
    this.#folder = folder
    this.#file = `${folder}.trace`
    this.#what = fault === undefined ? recording() : failing(folder, fault)
  }

  /** The command that runs a program of Gloss under strace, as the process that is started. */
  command(program: string, ...args: readonly string[]): [string, ...string[]] {
    // With -D, strace is no parent of what it traces, which can then be killed by itself.
    const options = ['-D', '-q', '--seccomp-bpf', ...ONE_THREAD, ...this.#options()]
    return [installedStrace(), ...options, '--', ...nodeCommand(program, ...args)]
  }

  /** Begins to trace a process that runs; resolves when all of its threads are traced. */
  async attach({ pid }: ChildProcess): Promise<void> {
    const child = spawn(installedStrace(), [...this.#options(), '-p', String(pid)])
    let printed = ''
    child.stderr.on('data', (part: Buffer) => (printed += part.toString()))
    this.#attached = once(child, 'close')
    while (!printed.includes(' attached')) {
      await Promise.race([once(child.stderr, 'data'), this.#attached])
      if (child.exitCode !== null) throw new Error(`the service cannot be traced: ${printed}`)
    }
  }

  #attached: Promise<unknown> = Promise.resolve()

  /** Resolves when what was traced has ended, and all is noted. */
  async ended(): Promise<void> {
    await this.#attached
  }

  /** How many calls were made to fail: one in each thread that made so many. */
  get failed(): number {
    return this.#notes().split('(INJECTED)').length - 1
  }

  /** The calls on files of the folder, in the order in which they began. */
  calls(): Call[] {
    const counts = new Map<string, number>()
    return this.#notes()
      .split('\n')
      .flatMap((line) => {
        const { thread = '', name = '', path = '' } = CALL.exec(line)?.groups ?? {}
        const file = path === this.#folder ? '' : path.slice(this.#folder.length + 1)
        if (path !== join(this.#folder, file)) return []
        const key = [thread, name, file].join(' ')
        const nth = (counts.get(key) ?? 0) + 1
        counts.set(key, nth)
        return [{ name, file, nth }]
      })
  }

  remove(): void {
    rmSync(this.#file, { force: true })
  }

  /** None if nothing was traced. */
  #notes(): string {
    return existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : ''
  }

  #options(): string[] {
    return ['-f', '-o', this.#file, '-e', 'signal=none', ...this.#what]
  }
}

/** Node would share the calls of a command among four threads, in each of which they are counted anew. */
const ONE_THREAD = ['-E', 'UV_THREADPOOL_SIZE=1']

/** A line that begins a call on a path, or on a descriptor with its path. */
const CALL = /^(?<thread>\d+) +(?<name>\w+)\((?:AT_FDCWD(?:<[^>]*>)?, |\d+<)?"?(?<path>\/[^"<>]*)/

const recording = (): string[] => [
  ...['-y', '-s', '0', '-e'],
  `trace=${WATCHED.map((name) => `?${name}`).join(',')}`,
]

const failing = (folder: string, { call, error }: Fault): string[] => [
  ...['-P', join(folder, call.file), '-e', `trace=${call.name}`],
  ...['-e', `inject=${call.name}:error=${error}:when=${String(call.nth)}`],
]
