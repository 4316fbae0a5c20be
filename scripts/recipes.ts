/**
 * Checks the recipes of deploy/, and those that `gloss init` writes with other settings, by the programs made for that
 * (`npm run test:recipes`): haproxy, nginx, systemd-analyze, and validators of Kubernetes and Compose from PyPI.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { nodeAt } from './pack/node-at.ts'
import { ROOT } from './pack/root.ts'
import { installProxies } from './proxies.ts'
import { argumentsOf } from './usage.ts'

const VALIDATORS = ['kubernetes-validate==1.37.0', 'compose-spec==0.2.1', 'pydantic==2.14.4']
/** Settings other than those of the delivered files. */
const SETTINGS = {
  PORT: '9001',
  ADMIN_PORT: '9101',
  BASE_URL: 'https://books.example.org',
  TRUST_PROXY: 'loopback,10.0.0.2,192.0.2.0/24,2001:db8::1',
}

/** Reads a Compose file as JSON from its input: no unknown words, and networks, volumes and secrets that are declared. */
const COMPOSE = `
import sys
from compose_spec import ComposeSpecification, PyCompose
text = sys.stdin.read()
ComposeSpecification.model_validate_json(text)
file = PyCompose.from_json(text)
file.validate_networks()
file.validate_volumes()
file.validate_secrets()
print("valid, with the services", *sorted(file.service_names()))
`

/** A check of one file: the program and its arguments, and what it reads. */
interface Check {
  readonly program: string
  readonly args: readonly string[]
  readonly input?: string
}

const folder = mkdtempSync(join(tmpdir(), 'gloss-recipes-'))
const python = join(ROOT, 'var', 'recipes', 'bin', 'python')

/** A copy of a file in which the command of a unit is one of this machine, as systemd-analyze wants it. */
function unit(file: string): string {
  const copy = join(folder, basename(file))
  writeFileSync(copy, readFileSync(file, 'utf8').replaceAll('/usr/bin/node', process.execPath))
  return copy
}

/** The HAProxy file with the changes that compose.yaml makes in its container. */
function composed(compose: string): string {
  const { services } = parse(readFileSync(compose, 'utf8'), { merge: true }) as {
    services: { haproxy: { command: readonly string[] } }
  }
  const edits = Array.from(
    String(services.haproxy.command[2]).matchAll(/-e '([^']+)'/g),
    ([, edit = '']) => edit,
  )
  const file = join(compose, '..', 'haproxy.cfg')
  const args = [...edits.flatMap((edit) => ['-e', edit]), file]
  const copy = join(folder, 'composed.cfg')
  writeFileSync(copy, spawnSync('sed', args, { encoding: 'utf8' }).stdout)
  return copy
}

const haproxy = (file: string): Check => ({ program: 'haproxy', args: ['-c', '-f', file] })

/** The check of a file by its name. */
function checksOf(file: string): Check[] {
  switch (basename(file)) {
    case 'haproxy.cfg':
    case 'haproxy-galera.cfg':
      return [haproxy(file)]
    case 'nginx.conf':
      return [{ program: 'nginx', args: ['-t', '-p', folder, '-c', file] }]
    case 'compose.yaml': {
      const input = JSON.stringify(parse(readFileSync(file, 'utf8'), { merge: true }))
      return [{ program: python, args: ['-c', COMPOSE], input }, haproxy(composed(file))]
    }
    case 'kubernetes.yaml':
      return [{ program: join(python, '..', 'kubernetes-validate'), args: ['--strict', file] }]
    case 'gloss.service':
    case 'gloss-backup.service':
    case 'gloss-backup.timer': {
      // A timer is checked with the service that it starts.
      const service = file.replace('.timer', '.service')
      const units = [...new Set([service, file])].map(unit)
      return [{ program: 'systemd-analyze', args: ['verify', '--recursive-errors=one', ...units] }]
    }
    default:
      throw new Error(`no check of ${file}`)
  }
}

const DELIVERED = [
  ...['haproxy.cfg', 'haproxy-galera.cfg', 'nginx.conf', 'compose.yaml', 'kubernetes.yaml'],
  ...['gloss.service', 'gloss-backup.service', 'gloss-backup.timer'],
]
const WRITTEN = {
  systemd: ['gloss.service', 'gloss-backup.service', 'gloss-backup.timer'],
  compose: ['compose.yaml', 'haproxy.cfg'],
  kubernetes: ['kubernetes.yaml'],
  nginx: ['nginx.conf'],
  haproxy: ['haproxy.cfg'],
}

/** Writes each recipe by `gloss init` into a folder of its own; returns the files. */
function writtenFiles(): string[] {
  return Object.entries(WRITTEN).flatMap(([recipe, names]) => {
    const cwd = join(folder, recipe)
    mkdirSync(cwd)
    const args = [join(ROOT, 'command', 'gloss.ts'), 'init', '--quiet', `--${recipe}`]
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NODE_OPTIONS: nodeAt('/usr/bin/node'), ...SETTINGS },
    })
    if (status !== 0) throw new Error(`gloss init --${recipe} failed: ${stderr}`)
    return names.map((name) => join(cwd, name))
  })
}

/** Installs the validators into var/recipes, unless they are there; without Python their files are not checked. */
function installValidators(): void {
  if (existsSync(join(python, '..', 'kubernetes-validate'))) return
  spawnSync('python3', ['-m', 'venv', join(python, '..', '..')], { stdio: 'inherit' })
  spawnSync(python, ['-m', 'pip', 'install', '--quiet', ...VALIDATORS], { stdio: 'inherit' })
}

const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` }

/** Runs a check and prints what the program says. Returns false if it fails, undefined if it is not there. */
function passes(file: string, { program, args, input }: Check): boolean | undefined {
  const { status, error, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8', input })
  const what = `${basename(program)} on ${file.replace(`${ROOT}/`, '').replace(folder, 'gloss init')}`
  if (error !== undefined) {
    console.log(`NOT RUN ${what}: ${error.message}`)
    return undefined
  }
  console.log(`${status === 0 ? 'PASS' : 'FAIL'} ${what}`)
  for (const line of `${stdout}${stderr}`.trim().split('\n')) if (line !== '') console.log(`     ${line}`)
  return status === 0
}

argumentsOf({
  name: 'npm run test:recipes',
  does: `Checks the files of deploy/, and those that gloss init writes, by haproxy, nginx, systemd-analyze and validators of
Kubernetes and Compose, which it installs if they are missing (Debian, as root; Python with venv). Says which it has not run.`,
})
try {
  installProxies()
  installValidators()
  const files = [...DELIVERED.map((name) => join(ROOT, 'deploy', name)), ...writtenFiles()]
  const results = files.flatMap((file) => checksOf(file).map((check) => passes(file, check)))
  const number = (wanted: boolean | undefined): number => results.filter((one) => one === wanted).length
  console.log(
    `${String(number(true))} passed, ${String(number(false))} failed, ${String(number(undefined))} not run`,
  )
  process.exitCode = number(false) > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true })
}
