/**
 * Makes all packages, installs each into an empty folder, and tests it there, without access to this checkout except its
 * Node (`npm run test:packages`). The clients run the common scenario against the installed service.
 */
import { cpSync, globSync, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faults } from '../clients/scenario.ts'
import { pack } from './pack.ts'
import { tryInstallPage } from './pack/install-page.ts'
import { manifest, ROOT } from './pack/root.ts'
import { installClient } from './pack/try-client.ts'
import { tryContract } from './pack/try-contract.ts'
import { tryPublishing, tryWheel } from './pack/try-publishing.ts'
import { compile, emptyFolder, insist, removeFolders, run, serve, stopAll } from './pack/sandbox.ts'
import { argumentsOf } from './usage.ts'

const PASSWORD = 'only for this run'
/** The most octets of the installed service on disk. */
const MOST_BYTES = 60_000_000
/** The object of most examples. */
const DUNE = '019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4'
const MYPY = 'mypy==2.4.1'
const NPM_INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
/** The names of the packages that are programs. */
const NAMES = { gloss: 'gloss', mock: '@gloss/mock' }

let failed = 0

/** Runs one test and prints whether it passed. */
async function check(what: string, attempt: () => Promise<void>): Promise<void> {
  try {
    await attempt()
    console.log(`PASS ${what}`)
  } catch (error) {
    failed += 1
    console.log(`FAIL ${what}\n${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The size of a folder on a disk with blocks of 4 KiB. */
const bytesOnDisk = (folder: string): number =>
  globSync('**', { cwd: folder })
    .map((file) => lstatSync(join(folder, file)))
    .reduce((sum, { size }) => sum + Math.ceil(size / 4096) * 4096, 0)

/** Installs a program that includes all its dependencies, without access to a registry. */
async function installProgram(name: 'gloss' | 'mock', file: string): Promise<string> {
  const folder = emptyFolder(name)
  await run('npm', [...NPM_INSTALL, '--offline', file], folder)
  const beside = readdirSync(join(folder, 'node_modules')).filter((entry) => !entry.startsWith('.'))
  const [scope] = NAMES[name].split('/')
  insist(beside.join() === scope, `npm installed ${beside.join(', ')}`)
  return folder
}

async function trySize(folder: string): Promise<void> {
  const bytes = bytesOnDisk(join(folder, 'node_modules'))
  console.log(`     ${(bytes / 1e6).toFixed(1)} MB are installed`)
  insist(bytes <= MOST_BYTES, `which is more than ${String(MOST_BYTES / 1e6)} MB`)
}

async function tryCommand(folder: string): Promise<void> {
  const version = (await run('npx', ['gloss', '--version'], folder)).trim()
  insist(version === manifest.version, `it says that it is ${version}`)
  insist((await run('npx', ['gloss', '--help'], folder)).includes('serve'), 'the help does not name serve')
  const database = { DATABASE_URL: 'sqlite:migrated.db' }
  await run('npx', ['gloss', 'migrate'], folder, database)
  const status = await run('npx', ['gloss', 'migrate', '--status'], folder, database)
  insist(/\tdone\n$/.test(status), `migrate --status says ${status}`)
  const examined = await run('npx', ['gloss', 'doctor'], folder, database)
  // The command ends with a failure if a check does. How many there are depends on the database and the settings.
  insist(/^schema\tok\t/m.test(examined), `the doctor says ${examined}`)
  const refused = await run('npx', ['gloss', 'nonsense'], folder).catch(String)
  insist(refused.includes('ended with 2'), `a wrong command is answered with ${refused}`)
}

/** Requests pages, whose files must be in the package, and a user. */
async function tryPages(url: string, credentials: string): Promise<void> {
  const headers = { authorization: `Basic ${btoa(credentials)}` }
  const pages = ['/docs', '/docs/try', '/docs/style.css', '/openapi.json', '/users/alice']
  const consoles = await (await fetch(`${url}/console/`)).text()
  const loaded = Array.from(consoles.matchAll(/"\.\/(assets\/[^"]+)"/g), ([, file = '']) => file)
  insist(loaded.length > 0, `the console is ${consoles}`)
  for (const page of [...pages, ...[...loaded, 'assets/licenses.md'].map((file) => `/console/${file}`)]) {
    const { status } = await fetch(url + page, { headers })
    insist(status === 200, `${page} is answered with ${String(status)}`)
  }
}

/** Installs the client for TypeScript, and compiles and runs the scenario and the application of its README with it. */
async function tryTypescript(file: string, url: string): Promise<void> {
  const client = await installClient(file, url)
  await trySteps(url, 'typescript', client.runScenario)
  await client.runApplication()
}

/** Installs the client for Python, first without any other package, checks its types, and runs the scenario with it. */
async function tryPython(file: string, url: string): Promise<void> {
  const folder = emptyFolder('client-python')
  await run('python3', ['-m', 'venv', 'venv'], folder)
  const python = join(folder, 'venv', 'bin', 'python')
  await run(python, ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', file], folder)
  cpSync(join(ROOT, 'clients/gloss-client/scenario.py'), join(folder, 'scenario.py'))
  await trySteps(url, 'python', (settings) => run(python, ['scenario.py'], folder, settings))
  await run(python, ['-m', 'pip', 'install', '--quiet', MYPY, `${file}[async]`], folder)
  await tryWheel(python, file, folder)
  await run(python, ['-m', 'mypy', '--strict', '-p', 'gloss_client'], folder)
  await run(python, ['-m', 'mypy', '--strict', 'scenario.py'], folder)
  const asked = `
import asyncio
from gloss_client.aio import AsyncClient
async def seen() -> None:
    async with AsyncClient("${url}", "service", "${PASSWORD}") as client:
        print((await client.get_user("service"))["name"])
asyncio.run(seen())`
  const seen = await run(python, ['-c', asked], folder)
  insist(seen !== '', 'the asynchronous client reads no user')
}

async function trySteps(
  url: string,
  user: string,
  program: (settings: Readonly<Record<string, string>>) => Promise<string>,
): Promise<void> {
  const printed = await program({ GLOSS_URL: url, GLOSS_ADMIN_PASSWORD: PASSWORD, GLOSS_USER: user })
  const found = await faults(url, PASSWORD, user, printed)
  insist(found.length === 0, found.join('\n'))
}

async function tryMock(args: readonly string[], cwd: string): Promise<void> {
  const mock = await serve([...args, '--port', '0'], cwd, {})
  try {
    const answer = await (await fetch(`${mock.url}/about/book%3ADune`)).text()
    insist(answer.includes(DUNE), `the object of the examples is answered with ${answer}`)
  } finally {
    await mock.stop()
  }
}

/** Starts a mock by the module of its package, whose types a program is compiled with. */
async function tryStartMock(folder: string): Promise<void> {
  const program = `import { startMock, type Faults } from '@gloss/mock'
const mock = await startMock({ stateful: true })
const faults: Faults = { code: 503, times: 1 }
await mock.faults(faults)
const first = await fetch(mock.url + '/about/book:Dune')
const second = await fetch(mock.url + '/about/book:Dune?__code=200')
const requests = await mock.requests()
console.log(first.status, second.status, requests.map(({ operationId }) => operationId).join())
await mock.close()
`
  writeFileSync(join(folder, 'program.mts'), program)
  await compile(['program.mts'], folder)
  const printed = await run(process.execPath, ['program.mts'], folder)
  insist(printed === '503 200 getObjectByAbout,getObjectByAbout\n', `the program prints ${printed}`)
}

/** Tests the shortest way to start the product, with only the package in an empty folder. */
async function tryInit(folder: string): Promise<void> {
  const settings = { PORT: '0', DATABASE_URL: 'sqlite:first.db', GLOSS_PASSWORD: PASSWORD }
  const service = await serve(['gloss', 'init', '--yes'], folder, settings)
  try {
    const as = ['--url', service.url, '--as', 'service']
    const users = await run('npx', ['gloss', 'user', 'list', ...as], folder, { GLOSS_PASSWORD: PASSWORD })
    insist(users.includes('service\tsuperuser'), `the users are ${users}`)
  } finally {
    await service.stop()
    rmSync(join(folder, '.env'))
  }
}

async function tryAll(files: Readonly<Record<string, string>>): Promise<void> {
  const fileOf = (name: string): string => files[name] ?? ''
  const published = emptyFolder('published')
  for (const name of ['client', 'contract', 'mock']) {
    await check(`${name} as it would be published`, () => tryPublishing(fileOf(name), published))
  }
  await check('the contract', () => tryContract(fileOf('contract')))
  const gloss = await installProgram('gloss', fileOf('gloss'))
  await check('the installed service is small', () => trySize(gloss))
  await check('the command says what it is and what it can do', () => tryCommand(gloss))
  await check('a service is set up in an empty folder', () => tryInit(gloss))
  await check('the page on installing', () => tryInstallPage(emptyFolder('installed'), fileOf('gloss')))
  const service = await serve(['gloss', 'serve'], gloss, { PORT: '0', ADMIN_PASSWORD: PASSWORD })
  try {
    await check('the client for TypeScript', () => tryTypescript(fileOf('client'), service.url))
    await check('the client for Python', () => tryPython(fileOf('client-python'), service.url))
    const alice = { username: 'alice', password: PASSWORD }
    const headers = {
      authorization: `Basic ${btoa(`service:${PASSWORD}`)}`,
      'content-type': 'application/json',
    }
    await fetch(`${service.url}/users`, { method: 'POST', headers, body: JSON.stringify(alice) })
    await check('the pages of the service', () => tryPages(service.url, `alice:${PASSWORD}`))
  } finally {
    await service.stop()
  }
  const mock = await installProgram('mock', fileOf('mock'))
  await check('the installed mock is small', () => trySize(mock))
  await check('the mock of examples', () => tryMock(['gloss-mock'], mock))
  await check('the stateful mock', () => tryMock(['gloss-mock', '--stateful'], mock))
  await check('the mock in a test', () => tryStartMock(mock))
}

argumentsOf({
  name: 'npm run test:packages',
  does: 'Makes all packages, installs each into an empty folder, and tries it out there (needs Python with venv).',
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    failed += 1
    stopAll()
  })
}
try {
  await tryAll(pack())
} catch (error) {
  failed += 1
  console.error(error instanceof Error ? error.message : error)
} finally {
  removeFolders()
}
process.exitCode = failed > 0 ? 1 : 0
