/** Runs programs in empty folders, without access to this checkout except its Node. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { ROOT } from './root.ts'

const workplace = mkdtempSync(join(tmpdir(), 'gloss-packages-'))
/** Without the folders of this checkout, except that of the pinned Node: `npm run` puts its own programs first. */
const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT))
const env = { PATH: [dirname(process.execPath), ...path].join(delimiter) }

/** A server, in a process group of its own. */
interface Running {
  readonly url: string
  readonly stop: () => Promise<void>
}

const children = new Set<ChildProcess>()

/** Throws `otherwise` if `holds` is false. */
export function insist(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

/** An empty folder of that name. */
export function emptyFolder(name: string): string {
  const folder = join(workplace, name)
  mkdirSync(folder)
  return folder
}

function start(
  program: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>>,
): ChildProcess {
  const own = { ...process.env, ...env, ...more }
  const child = spawn(program, args, { cwd, env: own, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

/** Runs a program to its end; returns its output. Throws the output if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = start(program, args, cwd, more)
  let printed = ''
  let errors = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (printed += part))
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (errors += part))
  const [status] = (await once(child, 'close')) as [number | null]
  insist(status === 0, `${program} ${args.join(' ')} ended with ${String(status)}:\n${printed}${errors}`)
  return printed
}

const COMPILER = [
  ...[join(ROOT, 'node_modules/typescript/bin/tsc'), '--typeRoots', join(ROOT, 'node_modules/@types')],
  ...['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false'],
  ...['--allowImportingTsExtensions', '--resolveJsonModule', '--module', 'nodenext', '--target', 'es2024'],
  ...['--lib', 'es2024,dom,dom.iterable', '--types', 'node'],
]

/** Checks the types of programs in a folder. Throws what the compiler finds. */
export async function compile(programs: readonly string[], folder: string): Promise<void> {
  await run(process.execPath, [...COMPILER, ...programs], folder)
}

/** Starts a server that prints its URL. */
export async function serve(
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>>,
): Promise<Running> {
  const child = start('npx', args, cwd, more)
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => {
        printed += part
        const address = /listens on (\S+)\s/.exec(printed)?.[1]
        if (address !== undefined) resolve(address)
      })
    }
    child.once('close', () => {
      reject(new Error(`npx ${args.join(' ')} does not serve:\n${printed}`))
    })
  })
  return { url, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  // npx does not forward signals; a terminal sends them to the whole group.
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await closed
}

/** Stops all running servers. */
export function stopAll(): void {
  for (const { pid } of children) if (pid !== undefined) process.kill(-pid, 'SIGTERM')
}

/** Deletes all folders. */
export function removeFolders(): void {
  rmSync(workplace, { recursive: true, force: true })
}
