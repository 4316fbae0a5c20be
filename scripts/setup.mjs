/**
 * Installs the packages of package-lock.json into node_modules if necessary. It is plain JavaScript for any Node from 18
 * on, and needs no package.
 *
 * It prints nothing and is fast if all packages are installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const windows = process.platform === 'win32'

const manifest = readJson(join(root, 'package.json'))
const locked = readJson(join(root, 'package-lock.json')).packages

/** `npm run` puts node_modules/.bin first, but npm must not run on the Node that it is about to replace. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => folder !== join(modules, '.bin'))
  .join(delimiter)

if (!isLockCurrent()) fail('package-lock.json does not fit package.json. Run npm install and commit both.')
if (!isInstalled()) await installPackages()
if (!runsPinnedNode()) await installNode()

function isLockCurrent() {
  const wishes = ({ dependencies, devDependencies, optionalDependencies }) =>
    JSON.stringify([dependencies, devDependencies, optionalDependencies])
  return wishes(manifest) === wishes(locked[''])
}

/** Compares the lock file with npm's record in node_modules. */
function isInstalled() {
  const account = join(modules, '.package-lock.json')
  if (!existsSync(account)) return false
  const present = readJson(account).packages
  // Optional packages may be for other machines.
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

/**
 * `npm ci` installs exactly the versions in the lock file, or fails. `npm install` would add newer ones. npm prints nothing
 * for minutes where its output is no terminal.
 */
async function installPackages() {
  console.error('Installing dependencies ...')
  const began = Date.now()
  const telling = setInterval(() => {
    console.error(`Installing dependencies ... (${Math.round((Date.now() - began) / 1000)} s)`)
  }, 10_000)
  await npm(root, ['ci', '--ignore-scripts', '--include=dev', '--loglevel=error'], 'inherit')
  clearInterval(telling)
}

/** Only the pinned Node needs its install script, which downloads the binary for this machine. */
async function installNode() {
  console.error(`Installing Node ${manifest.devDependencies.node} ...`)
  await npm(join(modules, 'node'), ['run', 'preinstall'], 'pipe')
  await npm(root, ['rebuild', 'node', '--ignore-scripts'], 'pipe')
  if (!runsPinnedNode()) fail(`node_modules/.bin/node does not run as Node ${manifest.devDependencies.node}.`)
}

/** Runs npm. Ends the set-up with npm's output if npm fails. */
function npm(folder, args, stdio) {
  const run = spawn('npm', args, {
    cwd: folder,
    env: { ...process.env, PATH: path },
    shell: windows,
    stdio: ['ignore', stdio, stdio],
  })
  let output = ''
  for (const stream of [run.stdout, run.stderr]) stream?.on('data', (part) => (output += part))
  return new Promise((resolve) => {
    run.on('error', ({ message }) =>
      fail(`npm cannot be started (${message}). It comes with Node: https://nodejs.org`),
    )
    run.on('close', (status) => {
      if (status === 0) return resolve()
      process.stderr.write(output)
      fail(
        `npm ${args.join(' ')} failed; its own message stands above. Is the package registry within reach?`,
      )
    })
  })
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function fail(message) {
  console.error(`Set-up failed: ${message}`)
  process.exit(1)
}
