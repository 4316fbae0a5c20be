/** The versions of the service that a rehearsal runs: this checkout, another commit, and a next version. */
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../digest.ts'

const execute = promisify(execFile)

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A new folder that is deleted when the process ends. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-rolling-'))
  folders.push(folder)
  return folder
}

/** Builds a folder; throws if that fails. */
export function build(folder: string): void {
  const { status } = spawnSync(process.execPath, [join(folder, 'scripts', 'build.ts')], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${folder} could not be built`)
}

/** Clones a commit, installs its dependencies and builds it; returns the folder. */
export function checkOut(commit: string): string {
  const folder = scratch()
  const commands = [
    ['git', 'clone', '--quiet', ROOT, folder],
    ['git', '-C', folder, 'checkout', '--quiet', commit],
    [process.execPath, join(folder, 'scripts', 'setup.mjs')],
  ] as const
  for (const [program, ...args] of commands) {
    const { status } = spawnSync(program, args, { stdio: 'inherit' })
    if (status !== 0) throw new Error(`${commit} could not be checked out and installed`)
  }
  build(folder)
  return folder
}

/** A made-up migration, and the version that it says. */
const NEXT = '0002-add-marks-0.2.1'

/** The build of this checkout as the next version, which has one migration more; returns the folder. */
export function nextVersion(): string {
  const folder = scratch()
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: '0.2.1' }))
  const migrations = join(folder, 'dist/src/data/store/migrations')
  cpSync(join(ROOT, 'test/support/made-up', `${NEXT}.ts`), join(migrations, `${NEXT}.ts`))
  renameSync(join(migrations, 'index.js'), join(migrations, 'released.js'))
  writeFileSync(
    join(migrations, 'index.js'),
    `import { MIGRATIONS as released } from './released.js'
import * as next from './${NEXT}.ts'
export const MIGRATIONS = { ...released, '${NEXT}': next }
`,
  )
  return folder
}

/** What a command printed, and its exit status. */
interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `gloss` of a build on a database, in an empty folder. */
export async function gloss(build: string, args: readonly string[], databaseUrl: string): Promise<Ended> {
  const options = { cwd: scratch(), env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl } }
  try {
    const program = join(build, 'dist', 'command', 'gloss.js')
    return { status: 0, ...(await execute(process.execPath, [program, ...args], options)) }
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string }
    if (typeof code !== 'number') throw error
    return { status: code, stdout, stderr }
  }
}
