/** Runs the service as a separate process. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const { PATH, NODE_COMPILE_CACHE } = process.env
/** The environment of processes in tests; it contains no settings. */
export const INHERITED = { PATH, NODE_COMPILE_CACHE }

/**
 * The file of a program, by its name without extension: the compiled file, which starts faster, if `TEST_COMPILED` says
 * that it exists, or else the source.
 */
export const programFile = (name: string): string =>
  process.env['TEST_COMPILED'] === undefined ? `${name}.ts` : `dist/${name}.js`

/** The command that runs a program, by its name without extension. */
export const nodeCommand = (name: string, ...args: readonly string[]): [string, ...string[]] => [
  process.execPath,
  programFile(name),
  ...args,
]

/** A process of the service. */
export interface ServiceProcess {
  readonly process: ChildProcess
  /** Returns the output so far. */
  readonly printed: () => string
  /** Resolves to the exit code when the process ends; null after a signal. */
  readonly end: Promise<number | null>
}

/** An entry of the log. */
export type LogEntry = Readonly<Record<string, unknown>>

/** Waits until the log has `count` entries with this `msg`, and returns all of them so far. */
export async function logged(
  { process: child, printed, end }: ServiceProcess,
  msg: string,
  count: number,
): Promise<LogEntry[]> {
  const found = (): LogEntry[] => entriesIn(printed()).filter((entry) => entry['msg'] === msg)
  while (found().length < count && child.exitCode === null) {
    await Promise.race([once(child.stderr ?? child, 'data'), end])
  }
  return found()
}

/** The last line may be incomplete. */
const entriesIn = (printed: string): LogEntry[] =>
  printed
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogEntry)

/** Starts the service, or another command, with only these settings. */
export function runProcess(
  env: Readonly<Record<string, string>>,
  [file, ...args]: readonly [string, ...string[]] = nodeCommand('src/main'),
): ServiceProcess {
  const child = spawn(file, args, { cwd: ROOT, env: { ...INHERITED, PORT: '0', ...env } })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()))
  const end = once(child, 'close').then(([code]) => code as number | null)
  return { process: child, printed: () => text, end }
}

/** Waits until the service prints that it listens, and returns the port; NaN if it ends first. */
export async function listening({ process: child, printed, end }: ServiceProcess): Promise<number> {
  const port = (): string | undefined => /listens on \S+:(\d+)[^]*Sign in/.exec(printed())?.[1]
  while (port() === undefined && child.exitCode === null && child.signalCode === null) {
    await Promise.race([once(child.stdout ?? child, 'data'), end])
  }
  return Number(port())
}
