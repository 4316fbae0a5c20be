/** Assembles the npm packages, each in a folder that contains only its files. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { apiOf, publish } from '../../src/documents/published.ts'
import { placesOf } from './lock.ts'
import { manifestOf } from './manifest.ts'
import { manifest, ROOT, STAGE } from './root.ts'

type Names = Readonly<Record<string, string>>

const TSC = 'node_modules/typescript/bin/tsc'
const TYPES = 'generated/openapi.d.ts'
const PRISM = '@stoplight/prism-http'

/** The service and the command. */
export function stageService(): string {
  const folder = stageProgram('gloss', manifest.dependencies)
  rmSync(join(folder, 'dist/mock'), { recursive: true })
  // What an operator needs, without the pictures of pages.
  for (const name of globSync(['deploy/*', 'docs/**/*.md'], { cwd: ROOT })) {
    cpSync(join(ROOT, name), join(folder, name))
  }
  return folder
}

/** Both mocks, the parts of the service that they run, and the types of their module. */
export function stageMock(): string {
  const { [PRISM]: version = '' } = manifest.devDependencies
  const folder = stageProgram('mock', { ...manifest.dependencies, [PRISM]: version })
  const types = join(STAGE, 'types')
  run(process.execPath, [TSC, '--noCheck', '--declaration', '--emitDeclarationOnly', '--outDir', types])
  for (const name of ['start', 'types']) {
    cpSync(join(types, `mock/${name}.d.ts`), join(folder, `dist/mock/${name}.d.ts`))
  }
  rmSync(types, { recursive: true })
  return folder
}

function stageProgram(name: string, dependencies: Names): string {
  const folder = emptyFolder(name)
  run(process.execPath, ['scripts/build.ts'])
  for (const file of globSync('dist/*/**/*.*', { cwd: ROOT, exclude: (file) => file.endsWith('.map') })) {
    cpSync(join(ROOT, file), join(folder, file))
  }
  const names = Object.keys(dependencies)
  writeManifest(name, folder, { dependencies, bundleDependencies: names })
  for (const place of placesOf(names)) bundle(place, folder)
  return folder
}

/**
 * What nothing here reads, which is more than half of the packages: sources of binaries, types, documents, tests, files for
 * debuggers and for browsers, and the languages of a generator of names that only Postman's collections use.
 */
const UNREAD = new RegExp(
  [
    'better-sqlite3/(deps|src)\\b',
    '\\.(asm|cc|hh?|map|S|md|[cm]?ts|yml|flow|html|css|png)$|(?<!lodash)\\.min\\.m?js$|/\\.\\w',
    '/(tests?|examples?|coverage|benchmarks?|browser)/',
    'postman-collection/types',
    'postman-collection/node_modules/@faker-js/faker/(dist|lib/locales/(?!en\\b)|locale/(?!en\\b))',
    'fp-ts/es6/|lodash/fp/(?!_|placeholder)|@opentelemetry/api/build/es',
    'json-schema-faker/dist/(bundle|main\\.iife)',
  ].join('|'),
)
const LICENCE = /licen[cs]e/i

/**
 * Copies a package from node_modules, without the packages inside it. Optional packages for other machines are missing.
 */
function bundle(place: string, folder: string): void {
  const from = join(ROOT, place)
  if (!existsSync(from)) return
  const filter = (file: string): boolean =>
    !file.startsWith(join(from, 'node_modules')) &&
    (LICENCE.test(file) || !UNREAD.test(file.slice(ROOT.length).replaceAll('\\', '/')))
  cpSync(from, join(folder, place), { recursive: true, filter })
}

/** The client for Node and browsers, with its types and those of the contract, and with the answers for its handlers. */
export function stageClient(): string {
  const folder = emptyFolder('client')
  run(process.execPath, [TSC, '--project', 'packages/client'])
  writeTypes(join(folder, 'dist', TYPES))
  const answers = run(process.execPath, ['scripts/pack/answers.ts'])
  const from = "from './packages/client/msw.js'"
  writeFileSync(
    join(folder, 'dist/msw.js'),
    `import { handlersFor } ${from}\nexport const { handlers, handler } = handlersFor(${answers})\n`,
  )
  writeFileSync(
    join(folder, 'dist/msw.d.ts'),
    `import type { Handlers } ${from}\nexport declare const handlers: Handlers['handlers']\nexport declare const handler: Handlers['handler']\n`,
  )
  writeManifest('client', folder, {})
  return folder
}

/** Writes the types of the contract without HEAD, documents and repeated errors, which are a third of them. */
function writeTypes(file: string): void {
  const contract = parse(readFileSync(join(ROOT, 'generated/openapi.yaml'), 'utf8')) as object
  const document = join(STAGE, 'client-contract.json')
  // The project's own configuration names another document.
  const configuration = join(STAGE, 'client-redocly.yaml')
  writeFileSync(document, JSON.stringify(apiOf(publish(contract))))
  writeFileSync(configuration, 'telemetry: off\n')
  const cli = ['node_modules/openapi-typescript/bin/cli.js', document, '--redocly', configuration]
  writeFileSync(file, run(process.execPath, cli))
  rmSync(document)
  rmSync(configuration)
}

/** Writes package.json, README and licence. */
export function writeManifest(name: string, folder: string, more: object): void {
  const source = join(ROOT, 'packages', name)
  const own = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as object
  const whole = manifestOf(own, manifest, more)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(whole, undefined, 2)}\n`)
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

/** Creates an empty folder for a package, and removes an existing one. */
export function emptyFolder(name: string): string {
  const folder = join(STAGE, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Packs a folder; returns the file. Throws npm's message if it fails. */
export function packNpm(folder: string): string {
  const args = ['pack', folder, '--pack-destination', STAGE, '--json', '--ignore-scripts', '--loglevel=error']
  const [packed] = JSON.parse(run('npm', args)) as { filename: string }[]
  return join(STAGE, packed?.filename ?? '')
}

/** Runs a program in the project; returns its output. Throws its errors if it fails. */
export function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed:\n${error?.message ?? `${stdout}${stderr}`}`)
  return stdout
}
