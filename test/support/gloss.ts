/** Runs the command `gloss` as a separate process, in a pipe or on a terminal. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect } from '@jest/globals'
import { INHERITED, programFile } from './process.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Folders of nobody's settings, and of what the command keeps of changes. */
const NOBODYS_FOLDERS = {
  XDG_CONFIG_HOME: join(tmpdir(), 'gloss-nobody'),
  XDG_STATE_HOME: join(tmpdir(), 'gloss-nobodys-state'),
}

/** A PATH with the command, with which hints call it `gloss`. */
const WITH_GLOSS = [join(ROOT, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter)

/** The result of a command. On a terminal, `stdout` contains both streams in their order. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The input, in a pipe or typed; null if the caller of `started` writes it. */
  readonly input?: string | Buffer | null
  /** The output after which the input is typed; without it the input is there from the start. */
  readonly typedAfter?: string
  /** The width of a terminal to run it on, in columns. */
  readonly columns?: number
  /** The folder to run it in. */
  readonly cwd?: string
  /** Receives the process, for example to kill it. */
  readonly started?: (child: ReturnType<typeof spawn>) => void
}

/** A folder without profiles and other files. */
export function emptyHome(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-home-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Makes such a folder before each test of the calling file, and removes it afterwards. */
export function useEmptyHome(): { readonly folder: string } {
  let home: ReturnType<typeof emptyHome> | undefined
  beforeEach(() => {
    home = emptyHome()
  })
  afterEach(() => home?.remove())
  return {
    get folder() {
      if (home === undefined) throw new Error('no test is running')
      return home.folder
    },
  }
}

/** Runs `gloss` with these arguments and only these settings; without HOME it has no profile. */
export async function gloss(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const program = [process.execPath, join(ROOT, programFile('command/gloss')), ...args]
  const { env = {}, input = '', columns, cwd = ROOT } = options
  const [file = '', ...rest] = columns === undefined ? program : onTerminal(program, columns)
  const child = spawn(file, rest, {
    cwd,
    env: { ...INHERITED, PATH: WITH_GLOSS, ...NOBODYS_FOLDERS, TERM: 'xterm', ...env },
  })
  options.started?.(child)
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (part: string) => (texts[name] += part))
  }
  child.stdin.on('error', () => undefined)
  const { typedAfter } = options
  if (input === null) {
    // The caller of `started` writes the input.
  } else if (typedAfter === undefined) child.stdin.end(input)
  else {
    child.stdout.on('data', function type() {
      if (!texts.stdout.includes(typedAfter)) return
      child.stdout.off('data', type)
      child.stdin.write(input)
    })
  }
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  return { status, ...texts }
}

/** The command that runs the program on a terminal of its own, with script(1). */
function onTerminal(program: readonly string[], columns: number): string[] {
  const line = program.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  return ['script', '-qefc', `stty cols ${String(columns)} rows 50; exec ${line}`, '/dev/null']
}

/**
 * Compares a text with a file of `test/command/golden`; `UPDATE_GOLDEN=1` writes the file. A `\r\n` from a terminal
 * counts as `\n`.
 */
export function expectGolden(name: string, text: string): void {
  const file = join(ROOT, 'test/command/golden', name)
  const plain = text.replaceAll('\r\n', '\n')
  if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(file, plain)
  expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(plain)
}
