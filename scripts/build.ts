/**
 * Compiles the service, the mock and the command `gloss` into `dist/`, and builds the console (`npm run build`), unless
 * `dist/` already contains a build of the same files.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { buildConsole } from './build-console.ts'
import { digestOf, filesOf, ROOT as root } from './digest.ts'
import { argumentsOf } from './usage.ts'

/** The sources of `dist/`; the lock file determines the compiler. */
const SOURCES = [
  '{src,common,command,mock,packages/client}/**/*.*',
  'generated/*',
  'openapi/versions/*.yaml',
  'tsconfig.json',
  'package-lock.json',
  'scripts/build.ts',
  'console/built/sources.sha256',
]
const CONTRACT = 'generated/openapi.yaml'
/** The contract, and what was published of earlier ones: the service reads them as JSON, because it parses that fastest. */
const AS_JSON = [CONTRACT, 'openapi/versions/*.yaml']
/** Files that the compiled code needs and that are copied without compilation. */
const COPIED = [
  CONTRACT,
  'src/documents/page/*.css',
  'src/documents/page/*.svg',
  'console/built/*.html',
  'console/built/assets/*',
]
/** The digest of the sources. The script writes it last, so an interrupted build has none. */
const ACCOUNT = join(root, 'dist', 'sources.sha256')

/**
 * With this file `npx gloss` also works here: npm links the commands of packages, but not those of the project itself.
 */
const COMMAND = `#!/bin/sh
# On the Node of the project, which may be later than that of the system. docs/sizing.md says why memory is set.
folder=$(dirname "$(readlink -f "$0")")
export MALLOC_MMAP_THRESHOLD_="\${MALLOC_MMAP_THRESHOLD_-4194304}"
exec "$folder/node" "$folder/../../dist/command/gloss.js" "$@"
`

function writeCommand(): void {
  const file = join(root, 'node_modules', '.bin', 'gloss')
  if (existsSync(file) && readFileSync(file, 'utf8') === COMMAND) return
  rmSync(file, { force: true })
  writeFileSync(file, COMMAND, { mode: 0o755 })
}

function writeAsJson(file: string): void {
  const target = join(root, 'dist', file.replace(/\.yaml$/, '.json'))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, JSON.stringify(parse(readFileSync(join(root, file), 'utf8'))))
}

argumentsOf({
  name: 'npm run build',
  does: 'Compiles the service, the mock and the command gloss into dist, and builds the console, unless that was done before.',
})
buildConsole()
const sources = digestOf(SOURCES)
if (!existsSync(ACCOUNT) || readFileSync(ACCOUNT, 'utf8') !== sources) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  console.error('Compiling the service and the command ...')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  // `npm run check` checks the types; that takes longer than the rest of the build.
  const { status } = spawnSync(process.execPath, [compiler, '--noCheck'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  for (const file of filesOf(COPIED)) cpSync(join(root, file), join(root, 'dist', file))
  for (const file of filesOf(AS_JSON)) writeAsJson(file)
  writeFileSync(ACCOUNT, sources)
}
writeCommand()
