/** The applications of a mock, which it creates anew when the contract has changed. */
import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'
import { documentsOnDemand } from '../src/documents/on-demand.ts'
import { readContract, readContractText, readKeptContract } from '../src/http/contract/contract.ts'
import type { Log } from '../src/observing/log.ts'
import { once } from '../src/scheduling/once.ts'
import type { Config } from '../src/settings/config.ts'
import { examplesOf } from './examples.ts'
import { createFront } from './front.ts'
import { prefersExample } from './preferences.ts'
import { firstLine, type Application } from './server.ts'
import type { Stores } from './stores.ts'
import { openPrism } from './prism.ts'
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
  readonly close: () => Promise<void>
}

/** Creates the application, and watches the contract. */
export async function createReloadable(setting: Setting): Promise<Reloadable> {
  let world: Promise<World> | undefined
  const create = (isFirst: boolean): Promise<Application> =>
    createApplication(setting, () => (world ??= openWorld()), isFirst)
  let current = await create(true)
  const unwatch = watchContract(async () => {
    current = await create(false)
  }, setting.print)
  return {
    application: (req, res, preference) => current(req, res, preference),
    close: async () => {
      unwatch()
      await (await world)?.close()
    },
  }
}

/** Creates the application for the present contract: the service, or examples if a request prefers one. */
async function createApplication(
  { config, log, stores, stateful }: Setting,
  world: () => Promise<World>,
  isFirst: boolean,
): Promise<Application> {
  const contract = readContract()
  const read = (): object => structuredClone(contract)
  const documents = documentsOnDemand(() => ({ current: read(), kept: readKeptContract }))
  const prism = once(() => openPrism(read()))
  const front = once(async () => {
    const findExample = examplesOf(contract, prism)
    return createFront(config, { documents, log, world: await world(), findExample })
  })
  // Prism takes seconds to load, and most tests of a stateful mock do without. After an edit it has to read the contract.
  if (!stateful || !isFirst) await prism()
  if (!stateful) return front()
  const service = await createApp(config, stores.current, log, { documents })
  return async (req, res, preference) => {
    if (prefersExample(preference)) await (await front())(req, res, preference)
    else service(req, res)
  }
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
      // A file that is being written is empty at first, and changes once more.
      if (text === seen || text === '') return
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
