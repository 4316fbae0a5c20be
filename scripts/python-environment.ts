/** Environments of Python with packages of the index, in var. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = dirname(import.meta.dirname)

/**
 * The folder of programs of the environment var/`name`, with exactly the packages in a file of pip's; makes it anew if they
 * have changed, which needs the Python package index. Throws with pip's message if that fails.
 */
export function pythonEnvironment(name: string, requirements: string): string {
  const environment = join(ROOT, 'var', name)
  const programs = join(environment, 'bin')
  const installed = join(environment, 'requirements.txt')
  const wanted = readFileSync(requirements, 'utf8')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== wanted) {
    rmSync(environment, { recursive: true, force: true })
    ensure('python3', ['-m', 'venv', environment], 'Python 3.11 or later with venv is needed.')
    const pip = ['install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]
    ensure(join(programs, 'pip'), pip, 'Is the Python package index within reach?')
    writeFileSync(installed, wanted)
  }
  return programs
}

function ensure(program: string, args: readonly string[], advice: string): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return
  const output = error?.message ?? `${stdout}${stderr}`
  throw new Error(`${program} ${args.join(' ')} failed. ${advice}\n${output}`)
}
