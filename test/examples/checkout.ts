/** A copy of this checkout, like a fresh clone, in which the commands of documents are run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { INHERITED } from '../support/process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Folders that a clone does not have. If the service is compiled, the copy need not do it again. */
const OWN = [
  '.git',
  'node_modules',
  'var',
  'coverage',
  ...(process.env['TEST_COMPILED'] === undefined ? ['dist'] : []),
]

/** A service that a command started. */
export interface Running {
  readonly url: string
  /** Interrupts it as Ctrl-C does, and returns everything it printed. */
  interrupt: () => Promise<string>
}

export interface Checkout {
  /** Runs a command and returns its output. Throws if it fails, or if curl gets an error status. */
  run: (command: string) => Promise<string>
  /** Starts a command that keeps running, and waits until it prints where the service listens. */
  start: (command: string) => Promise<Running>
  remove: () => Promise<void>
}

/** Ends each answer with a line break, as documents show them. */
const CURL = `curl() {
  local answer
  answer=$(command curl --silent --show-error --fail "$@") || return
  [ -z "$answer" ] || printf '%s\\n' "$answer"
}
`

/** Makes the copy. It shares what is installed, so nothing has to be downloaded again. */
export async function makeCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'gloss-checkout-'))
  await cp(ROOT, folder, { recursive: true, filter: (file) => !OWN.includes(basename(file)) })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const groups = new Set<number>()

  function begin(command: string) {
    const child = spawn('bash', ['-c', CURL + command], {
      cwd: folder,
      // Ctrl-C in a terminal signals a whole process group, so the command gets its own.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...INHERITED, HOME: process.env['HOME'], PORT: '0' },
    })
    const group = child.pid ?? 0
    groups.add(group)
    const printed = { text: '' }
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed.text += text))
    const end = once(child, 'close').then(([code]) => {
      groups.delete(group)
      return code as number | null
    })
    return { child, group, printed, end }
  }

  return {
    run: async (command) => {
      const { printed, end } = begin(command)
      if ((await end) === 0) return printed.text
      throw new Error(`${command} failed:\n${printed.text}`)
    },
    start: async (command) => {
      const { child, group, printed, end } = begin(command)
      const url = (): string | undefined => /Gloss listens on (\S+)/.exec(printed.text)?.[1]
      while (url() === undefined && child.exitCode === null) {
        await Promise.race([once(child.stdout, 'data'), end])
      }
      const interrupt = async (): Promise<string> => {
        process.kill(-group, 'SIGINT')
        await end
        return printed.text
      }
      const found = url()
      if (found === undefined) throw new Error(`${command} failed:\n${printed.text}`)
      return { url: found, interrupt }
    },
    remove: async () => {
      for (const group of groups) process.kill(-group, 'SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
