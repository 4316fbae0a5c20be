/** A headless browser for tests of pages: the installed Chromium, else one installed by apt. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const CHOICES = `Any one of these will do:
  - Chromium or Chrome installed on this machine (Debian: apt-get install chromium)
  - root on a Debian-like system, where Chromium is installed automatically`

/** Starts a browser with further options of its command line. Throws if none is installed and none can be. */
export function startChromium(options: readonly string[] = []): Promise<Browser> {
  const executablePath = findProgram() ?? installed()
  // The sandbox needs rights that root in a container lacks; the pages are our own.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args: [...sandbox, ...options] })
}

function findProgram(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

function installed(): string {
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const command of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...command], { env, stdio: ['ignore', 2, 2] })
    }
  }
  const program = findProgram()
  if (program === undefined) throw new Error(`There is no browser for the tests of pages. ${CHOICES}`)
  return program
}
