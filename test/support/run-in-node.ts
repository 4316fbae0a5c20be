/**
 * Jest's test runner, except that Node, not jest, loads the modules of a test file.
 *
 * Jest gives every test file new modules in a realm of its own, so it would read, link and compile the service and all
 * its packages again for each of two hundred files. With this runner, each of jest's processes loads the service and its
 * packages once. It loads the modules of tests once per project, because they depend on the database of the project, and
 * the test file itself for each run.
 */
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { provideGlobals, type JestGlobals } from './jest-globals.ts'
import { variableOf, type ServerOfProject } from './server-of-project.ts'

/** The part of a project's configuration that this runner uses. */
interface Project {
  readonly displayName: { readonly name: string }
  readonly globals: object
}

/** The part of jest's realm for the test file that this runner uses: its console collects the output for the report. */
interface Realm {
  readonly global: { readonly console: Console }
  readonly moduleMocker: JestGlobals['jest']
}

/** The function that jest calls for each test file. */
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
/**
 * Modules that all projects share. Jest loads this runner once per project, and a second copy would also mark modules.
 */
const SHARED = [GLOBALS, import.meta.url]

/** The suffix of the URLs of test modules, different for each project. */
let mark = ''
let runs = 0

registerHooks({
  resolve(specifier, context, next) {
    const { url, ...rest } = next(specifier === '@jest/globals' ? GLOBALS : specifier, context)
    const isOfProject = url.startsWith(TESTS) && !SHARED.includes(url) && !url.includes('?')
    return { ...rest, url: isOfProject ? url + mark : url }
  },
})

/** Runs a test file in the realm of the process. Its results have the form of jest's own runner. */
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
      // These tell a runtime with a realm of its own whether code of a test runs; this one has none.
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

/** Jest-circus keeps the tests of a file in module state, so each file needs a new copy. */
function newCircus(): Circus {
  Reflect.deleteProperty(require.cache, CIRCUS)
  return require(CIRCUS) as Circus
}

const ignore = (): void => undefined

export default run
