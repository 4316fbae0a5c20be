/** Starts the service, and runs the commands of clients and generators. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

export const ROOT = dirname(import.meta.dirname)
export const PASSWORD = 'only for this run'

/** What a command printed, and its exit status: null if it was killed. */
export interface Ran {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

const PATH = [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter)

/** Starts the service on a temporary database. */
export async function startService(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-clients-'))
  const child = spawn(process.execPath, [join(ROOT, 'src', 'main.ts')], {
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'gloss.db')}`,
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part
      const address = /listens on (\S+)\s/.exec(printed)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('close', () => {
      reject(new Error('The service did not start.'))
    })
  })
  const stop = async (): Promise<void> => {
    child.kill()
    await once(child, 'close')
    rmSync(folder, { recursive: true })
  }
  return { url, stop }
}

/** Runs a shell command without blocking, so that this process notices connections that the service closes meanwhile. */
export async function run(
  command: string,
  cwd: string,
  more: Readonly<Record<string, string>>,
): Promise<Ran> {
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: { ...process.env, ROOT, PATH, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, output, errors }
}
