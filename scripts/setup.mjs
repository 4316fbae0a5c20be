/**
 * Brings node_modules in line with package-lock.json: plain JavaScript for any Node from 18 on, with nothing installed.
 *
 * Silent and quick when there is nothing to do.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const windows = process.platform === 'win32'

const manifest = readJson(join(root, 'package.json'))
const locked = readJson(join(root, 'package-lock.json')).packages

/** `npm run` puts node_modules/.bin first; npm must not run on the very Node that it is about to replace. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => folder !== join(modules, '.bin'))
  .join(delimiter)

if (!isLockCurrent()) fail('package-lock.json does not fit package.json. Run npm install and commit both.')
if (!isInstalled()) installPackages()
if (!runsPinnedNode()) installNode()

function isLockCurrent() {
  const wishes = ({ dependencies, devDependencies, optionalDependencies }) =>
    JSON.stringify([dependencies, devDependencies, optionalDependencies])
  return wishes(manifest) === wishes(locked[''])
}

/** Compares the lock file with the account that npm keeps in node_modules. */
function isInstalled() {
  const account = join(modules, '.package-lock.json')
  if (!existsSync(account)) return false
  const present = readJson(account).packages
  // Optional packages may be meant for other machines.
  return Object.entries(locked).every(
    ([name, { version, integrity, optional }]) =>
      name === '' ||
      (optional && !present[name]) ||
      (present[name]?.version === version && present[name]?.integrity === integrity),
  )
}

function runsPinnedNode() {
  const { stdout } = spawnSync(join(modules, '.bin', 'node'), ['--version'], {
    encoding: 'utf8',
    shell: windows,
  })
  return stdout?.trim() === `v${manifest.devDependencies.node}`
}

/** `npm ci` installs what the lock file says and nothing else, or fails. `npm install` fills gaps with what is newest. */
function installPackages() {
  console.error('Installing dependencies ...')
  npm(root, ['ci', '--ignore-scripts', '--include=dev', '--loglevel=error'], 'inherit')
}

/** Of all packages only the pinned Node needs its install step, which fetches the binary for this machine. */
function installNode() {
  npm(join(modules, 'node'), ['run', 'preinstall'], 'pipe')
  npm(root, ['rebuild', 'node', '--ignore-scripts'], 'pipe')
  if (!runsPinnedNode()) fail(`node_modules/.bin/node does not run as Node ${manifest.devDependencies.node}.`)
}

function npm(folder, args, stdio) {
  const { status, error, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    env: { ...process.env, PATH: path },
    shell: windows,
    stdio: ['ignore', stdio, stdio],
  })
  if (error) fail(`npm cannot be started (${error.message}). It comes with Node: https://nodejs.org`)
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
    fail(`npm ${args.join(' ')} failed; its own message stands above. Is the package registry within reach?`)
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function fail(message) {
  console.error(`Set-up failed: ${message}`)
  process.exit(1)
}
