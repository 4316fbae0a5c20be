/** The service as a separate process, run from its source. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A process of the service. */
export interface ServiceProcess {
  readonly process: ChildProcess
  /** Everything printed so far. */
  readonly printed: () => string
  /** Resolves to the exit code when the process ends. */
  readonly end: Promise<number | null>
}

/** Starts the service with only these settings. */
export function runProcess(env: Readonly<Record<string, string>>): ServiceProcess {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()))
  const end = once(child, 'close').then(([code]) => code as number | null)
  return { process: child, printed: () => text, end }
}

/** Waits until the service prints that it listens, and returns the port; NaN if it ends first. */
export async function listening({ process: child, printed, end }: ServiceProcess): Promise<number> {
  const port = (): string | undefined => /listens on \S+:(\d+)[^]*Sign in/.exec(printed())?.[1]
  while (port() === undefined && child.exitCode === null) {
    await Promise.race([once(child.stdout ?? child, 'data'), end])
  }
  return Number(port())
}
