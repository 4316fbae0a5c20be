/** Finds programs that tests need in addition to Node, or installs them with apt. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The path of a program, by any of its names. As root on a Debian-like system, it installs a missing program. Throws if
 * there is still none; `choices` names the remedies.
 */
export function installedProgram(names: readonly string[], debianPackage: string, choices: string): string {
  const found = findProgram(names) ?? (install(debianPackage), findProgram(names))
  if (found === undefined) throw new Error(`There is no ${debianPackage} for the tests. ${choices}`)
  return found
}

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

function install(debianPackage: string): void {
  if (process.getuid?.() !== 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const command of [['update'], ['install', '--yes', '--no-install-recommends', debianPackage]]) {
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...command], { env, stdio: ['ignore', 2, 2] })
  }
}
