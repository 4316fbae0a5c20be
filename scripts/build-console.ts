/** Builds the console into `console/built`, unless it was built from the same files before. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, ROOT } from './digest.ts'

/** What it is made from: its own files, and what it shares with the service, the command and the client. */
const SOURCES = [
  'console/*.*',
  'console/src/**/*.*',
  '{src,shared}/**/*.ts',
  'packages/client/*.ts',
  'generated/*',
  'package-lock.json',
]
/** Written last, as Vite empties the folder first. */
const ACCOUNT = join(ROOT, 'console', 'built', 'sources.sha256')

/** Throws if Vite refuses. */
export function buildConsole(): void {
  const sources = digestOf(SOURCES)
  if (existsSync(ACCOUNT) && readFileSync(ACCOUNT, 'utf8') === sources) return
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status } = spawnSync(process.execPath, [vite, 'build', 'console'], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error('the console was not built')
  writeFileSync(ACCOUNT, sources)
}
