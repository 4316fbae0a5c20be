/** Traces system calls on the files of one folder with strace, and makes them fail. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installedProgram } from '../../test/support/programs.ts'
import { nodeCommand } from '../../test/support/process.ts'

/** The calls that write, sync, open, rename or truncate files. Not every architecture has all of them. */
const WATCHED = [
  ...['open', 'openat', 'openat2', 'creat', 'mkdir', 'mkdirat'],
  ...['write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'msync'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat'],
  ...['truncate', 'ftruncate', 'fallocate'],
]

export const ERRORS = ['EIO', 'ENOSPC'] as const

/** The `nth` call of a name on a file. As in strace, each thread has its own count. */
export interface Call {
  readonly name: string
  /** The path in the folder; empty for the folder itself. */
  readonly file: string
  readonly nth: number
}

export interface Fault {
  readonly call: Call
  readonly error: (typeof ERRORS)[number]
}

/** The path of strace. Throws if it is missing and apt cannot install it. */
export const installedStrace = (): string =>
  installedProgram(['strace'], 'strace', 'Install the package strace: it makes the calls fail.')

/** A trace of one run. With a fault, it makes that call fail and sees only calls of its kind. */
export class Trace {
  readonly #folder: string
  readonly #file: string
  readonly #what: readonly string[]

  /** The notes are in a file beside the folder. The path of the folder must contain no links. */
  constructor(folder: string, fault?: Fault) {
    this.#folder = folder
    this.#file = `${folder}.trace`
    this.#what = fault === undefined ? recording() : failing(folder, fault)
  }

  /** The command that runs a program of Gloss under strace; the started process is the program. */
  command(program: string, ...args: readonly string[]): [string, ...string[]] {
    // With -D, strace is not the parent of the traced process, so the caller can kill that process alone.
    const options = ['-D', '-q', '--seccomp-bpf', ...ONE_THREAD, ...this.#options()]
    return [installedStrace(), ...options, '--', ...nodeCommand(program, ...args)]
  }

  /** Attaches to a running process; resolves when strace traces all its threads. */
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

  /** Resolves when the traced process has ended and the notes are complete. */
  async ended(): Promise<void> {
    await this.#attached
  }

  /** The number of failed calls: one in each thread with enough calls. */
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

  /** Empty if there was no trace. */
  #notes(): string {
    return existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : ''
  }

  #options(): string[] {
    return ['-f', '-o', this.#file, '-e', 'signal=none', ...this.#what]
  }
}

/** Node would distribute the calls of a command over four threads, each with its own count. */
const ONE_THREAD = ['-E', 'UV_THREADPOOL_SIZE=1']

/** A line for the beginning of a call on a path, or on a descriptor with its path. */
const CALL = /^(?<thread>\d+) +(?<name>\w+)\((?:AT_FDCWD(?:<[^>]*>)?, |\d+<)?"?(?<path>\/[^"<>]*)/

const recording = (): string[] => [
  ...['-y', '-s', '0', '-e'],
  `trace=${WATCHED.map((name) => `?${name}`).join(',')}`,
]

const failing = (folder: string, { call, error }: Fault): string[] => [
  ...['-P', join(folder, call.file), '-e', `trace=${call.name}`],
  ...['-e', `inject=${call.name}:error=${error}:when=${String(call.nth)}`],
]
