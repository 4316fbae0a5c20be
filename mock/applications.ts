/** The applications of a mock, which it creates anew when the contract has changed. */
import { watch } from 'node:fs'
import type { RequestListener } from 'node:http'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'
import { documentsOnDemand } from '../src/documents/on-demand.ts'
import { readContract, readContractText } from '../src/http/contract/contract.ts'
import type { Log } from '../src/observing/log.ts'
import type { Config } from '../src/settings/config.ts'
import { examplesOf } from './examples.ts'
import { createFront } from './front.ts'
import { prefersExample } from './preferences.ts'
import { firstLine, type Application } from './server.ts'
import type { Stores } from './stores.ts'
import { openWorld, type World } from './world.ts'

/** The parts of the applications. */
export interface Setting {
  readonly config: Config
  readonly log: Log
  readonly stores: Stores
  readonly stateful: boolean
  readonly print: (line: string) => void
}

/** An application that can be created anew. */
export interface Reloadable {
  readonly application: Application
  /** Resolves when the application can answer with examples. */
  readonly prepare: () => Promise<unknown>
  readonly close: () => Promise<void>
}

/** The applications of one state of the contract. */
interface Applications {
  readonly service: RequestListener | undefined
  /** Creates the application that answers with examples, at the first call. */
  readonly examples: () => Promise<Application>
}

/** Creates the application, and watches the contract. */
export async function createReloadable(setting: Setting): Promise<Reloadable> {
  let world: Promise<World> | undefined
  const create = (): Promise<Applications> => createApplications(setting, () => (world ??= openWorld()))
  let current = await create()
  const unwatch = watchContract(async () => {
    current = await create()
  }, setting.print)
  return {
    application: async (req, res, preference) => {
      const { service, examples } = current
      if (service !== undefined && !prefersExample(preference)) service(req, res)
      else await (await examples())(req, res, preference)
    },
    prepare: () => current.examples(),
    close: async () => {
      unwatch()
      await (await world)?.close()
    },
  }
}

/** Creates the service, or the examples in a mock that keeps no data. The other one is created when it is needed. */
async function createApplications(
  { config, log, stores, stateful }: Setting,
  world: () => Promise<World>,
): Promise<Applications> {
  const [text, contract] = [readContractText(), readContract()]
  const read = (): object => structuredClone(contract)
  const documents = documentsOnDemand({ readText: () => text, read })
  const create = async (): Promise<Application> =>
    createFront(config, { documents, log, world: await world(), findExample: await examplesOf(read()) })
  let front: Promise<Application> | undefined
  const examples = (): Promise<Application> => {
    // Prism takes seconds to load, and most tests of a stateful mock do without.
    front ??= create()
    front.catch(() => {
      front = undefined
    })
    return front
  }
  if (stateful) return { service: await createApp(config, stores.current, log, { documents }), examples }
  await examples()
  return { service: undefined, examples }
}

const CONTRACT = fileURLToPath(new URL('../generated/openapi.yaml', import.meta.url))

/** Editors and generators write a file in several steps. */
const WRITING_MS = 200

/**
 * Reloads when the contract changes; if that fails, it prints the reason. Only in a checkout: nobody edits an installed
 * package. Returns a function that ends this.
 */
function watchContract(reload: () => Promise<void>, print: (line: string) => void): () => void {
  if (!import.meta.url.endsWith('.ts')) return () => undefined
  let seen = readContractText()
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const look = async (): Promise<void> => {
    try {
      const text = readContractText()
      if (text === seen) return
      seen = text
      await reload()
      print('The contract changed: reloaded.')
    } catch (error) {
      print(`The contract changed and cannot be read; the mock keeps the former one: ${firstLine(error)}`)
    }
  }
  const watcher = watch(dirname(CONTRACT), (_, name) => {
    if (name !== basename(CONTRACT)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(look)
    }, WRITING_MS)
  })
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
