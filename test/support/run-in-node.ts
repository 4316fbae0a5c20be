/**
 * Jest's test runner, except that Node loads the modules of a test file rather than jest.
 *
 * Jest gives every test file new modules, in a realm of its own: the service with all its packages was read, linked and
 * compiled again for each of two hundred files. Here the service and its packages are loaded once in each of jest's
 * processes. The modules of tests are loaded once for each project, since they ask which database they run on, and the
 * test file itself each time that it runs.
 */
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { provideGlobals, type JestGlobals } from './jest-globals.ts'
import { variableOf, type ServerOfProject } from './server-of-project.ts'

/** What is used of a project of jest's configuration. */
interface Project {
  readonly displayName: { readonly name: string }
  readonly globals: object
}

/** What is used of the realm that jest has made for the test file: its console keeps what the report shows. */
interface Realm {
  readonly global: { readonly console: Console }
  readonly moduleMocker: JestGlobals['jest']
}

/** What jest calls for each test file. */
type Runner = (
  ...given: [
    globalConfig: object,
    project: Project,
    realm: Realm,
    runtime: unknown,
    path: string,
    send: unknown,
  ]
) => Promise<object>

/** The part of jest-circus that jest itself loads into each realm. */
interface Circus {
  initialize(means: object): Promise<unknown>
  runAndTransformResultsToJestFormat(means: object): Promise<object>
}

const require = createRequire(import.meta.url)
const CIRCUS = join(dirname(require.resolve('jest-circus/package.json')), 'build', 'jestAdapterInit.js')
const TESTS = new URL('../', import.meta.url).href
const GLOBALS = new URL('jest-globals.ts', import.meta.url).href
/** What all projects share: jest loads its runner for each of them, and a second one would mark modules, too. */
const SHARED = [GLOBALS, import.meta.url]

/** What distinguishes the URLs of the modules of tests, by project. */
let mark = ''
let runs = 0

registerHooks({
  resolve(specifier, context, next) {
    const { url, ...rest } = next(specifier === '@jest/globals' ? GLOBALS : specifier, context)
    const isOfProject = url.startsWith(TESTS) && !SHARED.includes(url) && !url.includes('?')
    return { ...rest, url: isOfProject ? url + mark : url }
  },
})

/** Runs a test file, in the process's own realm. Its results are those of jest's own runner. */
const run: Runner = async (...[globalConfig, config, environment, , testPath, sendMessageToJest]) => {
  const means = { config, environment, globalConfig, sendMessageToJest, testPath }
  const { moduleMocker: jest } = environment
  const { console } = globalThis
  const circus = newCircus()
  const { name } = config.displayName
  mark = `?${name}`
  runs += 1
  const { url, engine } = JSON.parse(process.env[variableOf(name)] ?? '{}') as Partial<ServerOfProject>
  if (url !== undefined) process.env['TEST_DATABASE_URL'] = url
  Object.assign(globalThis, config.globals, { engine, console: environment.global.console })
  try {
    await circus.initialize({
      ...means,
      localRequire: require,
      parentProcess: process,
      // It is told whether code of a test runs, which matters only to one that has a realm.
      runtime: { enterTestCode: ignore, leaveTestCode: ignore },
      setGlobalsForRuntime: (globals: Omit<JestGlobals, 'jest'>) => {
        provideGlobals({ ...globals, jest })
      },
    })
    await import(`${pathToFileURL(testPath).href}${mark}&${String(runs)}`)
    return await circus.runAndTransformResultsToJestFormat(means)
  } finally {
    jest.restoreAllMocks()
    globalThis.console = console
  }
}

/** Jest-circus keeps the tests of a file in its module, so each file needs a new one. */
function newCircus(): Circus {
  Reflect.deleteProperty(require.cache, CIRCUS)
  return require(CIRCUS) as Circus
}

const ignore = (): void => undefined

export default run
