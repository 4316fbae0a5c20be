/** Builds the console into `console/built`, unless that folder already contains a build of the same files. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, ROOT } from './digest.ts'

/** The sources of the console: its own files, and those that it shares with the service, the command and the client. */
const SOURCES = [
  'console/*.*',
  'console/src/**/*.*',
  '{src,common}/**/*.ts',
  'packages/client/*.ts',
  'generated/*',
  'package-lock.json',
]
/** The script writes this file last, because Vite first empties the folder. */
const ACCOUNT = join(ROOT, 'console', 'built', 'sources.sha256')

/** Throws if Vite fails. */
export function buildConsole(): void {
  const sources = digestOf(SOURCES)
  if (existsSync(ACCOUNT) && readFileSync(ACCOUNT, 'utf8') === sources) return
  console.error('Building the console ...')
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status } = spawnSync(process.execPath, [vite, 'build', 'console'], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error('the console was not built')
  writeFileSync(ACCOUNT, sources)
}
