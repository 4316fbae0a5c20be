/** Runs a service on a store of its own, in a temporary folder, for pages of the console. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listening, runProcess } from '../../test/support/process.ts'
import { buildConsole } from '../build-console.ts'
import { ROOT } from '../digest.ts'

/** The password of all its users. */
export const PASSWORD = 'only for this run'

/** A running service. */
export interface Temporary {
  readonly url: string
  /** A temporary folder for the files of the caller. */
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** Starts a service on an empty store. Throws if it does not start. */
export async function startEmpty(): Promise<Temporary> {
  buildConsole()
  const folder = mkdtempSync(join(tmpdir(), 'gloss-console-'))
  const service = runProcess({
    DATABASE_URL: `sqlite:${join(folder, 'gloss.db')}`,
    ADMIN_PASSWORD: PASSWORD,
    LOG_LEVEL: 'error',
  })
  const stop = async (): Promise<void> => {
    service.process.kill('SIGTERM')
    await service.end
    rmSync(folder, { recursive: true, force: true })
  }
  const port = await listening(service)
  if (!Number.isNaN(port)) return { url: `http://127.0.0.1:${String(port)}`, folder, stop }
  await stop()
  throw new Error(`the service does not start:\n${service.printed()}`)
}

/** Loads the demo. Throws if it fails. */
export async function loadDemo(url: string): Promise<void> {
  const child = spawn(process.execPath, ['demo/main.ts', '--url', url], {
    cwd: ROOT,
    env: { ...process.env, ADMIN_PASSWORD: PASSWORD, DEMO_PASSWORD: PASSWORD },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the demo was not loaded')
}
