/**
 * Runs the hostile tests behind HAProxy and behind nginx, with the delivered configurations, and sends requests through two
 * and three of them (`npm run test:proxies`).
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { tryChains } from './proxies/chains.ts'
import { argumentsOf } from './usage.ts'

export const PROXIES = ['haproxy', 'nginx']
const root = dirname(import.meta.dirname)
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` }

const isInstalled = (program: string): boolean =>
  spawnSync(program, ['-v'], { env, stdio: 'ignore' }).status === 0

/** Installs missing proxies with apt; returns those that are still missing. */
export function installProxies(): string[] {
  const missing = PROXIES.filter((program) => !isInstalled(program))
  if (missing.length === 0) return []
  const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'inherit' } as const
  spawnSync('apt-get', ['update'], options)
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', ...missing], options)
  return missing.filter((program) => !isInstalled(program))
}

function run(proxy: string): boolean {
  console.error(`\nBehind ${proxy}:`)
  const args = [join(root, 'scripts', 'test.ts'), '--selectProjects', 'sqlite', '--', 'test/hostile']
  return (
    spawnSync(process.execPath, args, { cwd: root, env: { ...env, TEST_PROXY: proxy }, stdio: 'inherit' })
      .status === 0
  )
}

if (import.meta.main) {
  argumentsOf({
    name: 'npm run test:proxies',
    does: `Sends requests through two and three proxies, and runs the hostile tests behind HAProxy and behind nginx, which it
installs by apt if they are missing (Debian, as root).`,
  })
  const missing = installProxies()
  if (missing.length > 0) console.error(`Not installed, and not to be had by apt here: ${missing.join(', ')}`)
  const right = missing.length === 0 && (await tryChains())
  process.exitCode = right && PROXIES.map(run).every(Boolean) ? 0 : 1
}
