/** The resources by which tests control a mock. They are not part of the contract. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, unsupportedMethod } from '../src/model/errors.ts'
import { sendOptions, setCorsHeaders } from '../src/http/cross-origin.ts'
import type { Config } from '../src/settings/config.ts'
import type { StoreData } from './data.ts'
import { readFaults } from './faults.ts'
import type { MockedStore, Stores } from './stores.ts'

/** A request to a control. */
interface Asked {
  readonly store: MockedStore
  readonly stores: Stores
  readonly args: URLSearchParams
  /** The name in the path. */
  readonly name: string
  readonly json: () => Promise<unknown>
}

/** Performs a request; returns JSON, or nothing. */
type Perform = (asked: Asked) => Promise<unknown>

const NAME = /^[\w.-]{1,64}$/

/** Checks the name of a store or a snapshot. Throws `TBadRequest`. */
export function checkName(what: string, name: string): string {
  if (NAME.test(name)) return name
  throw badRequest(`the name of a ${what} is 1 to 64 of A-Z a-z 0-9 . _ -, not '${name}'`)
}

/** The data of a store, for a snapshot. Throws `TBadRequest` if there are none, and for a faulty name. */
function dataOf({ data }: MockedStore, snapshot: string): StoreData {
  if (data === undefined) throw badRequest('only a stateful mock has snapshots: start it with --stateful')
  checkName('snapshot', snapshot)
  return data
}

/** By path, what each method does. */
const CONTROLS: readonly (readonly [path: RegExp, methods: Readonly<Record<string, Perform>>])[] = [
  [
    /^\/__reset$/,
    {
      POST: ({ stores, store, args }) => {
        const snapshot = args.get('snapshot') ?? undefined
        if (snapshot !== undefined) dataOf(store, snapshot)
        return stores.reset(store, snapshot)
      },
    },
  ],
  [
    /^\/__snapshots\/(?<name>.*)$/,
    {
      PUT: ({ store, name }) => dataOf(store, name).snapshot(name),
    },
  ],
  [
    /^\/__requests$/,
    {
      GET: ({ store: { journal } }) => Promise.resolve({ requests: journal.entries }),
      DELETE: async ({ store: { journal } }) => {
        journal.clear()
      },
    },
  ],
  [
    /^\/__faults$/,
    {
      GET: ({ store: { faults } }) => Promise.resolve(faults.faults),
      PUT: async ({ store: { faults }, json }) => {
        faults.set(readFaults(await json()))
      },
    },
  ],
]

/** What a mock gives to its controls. */
type Mocking = Pick<Asked, 'store' | 'stores'> & { readonly config: Config }

/** Answers a request to a control; returns undefined if the path is none. */
export function control(req: IncomingMessage, res: ServerResponse, mock: Mocking): Promise<void> | undefined {
  const [target = '', ...search] = (req.url ?? '').split('?')
  const args = new URLSearchParams(search.join('?'))
  for (const [path, methods] of CONTROLS) {
    const match = path.exec(target)
    const name = match?.groups?.['name'] ?? ''
    if (match) return answer(res, methods, { ...mock, args, name, json: () => jsonOf(req) })
  }
  return undefined
}

async function answer(
  res: ServerResponse,
  methods: Readonly<Record<string, Perform>>,
  { config, ...asked }: Asked & Pick<Mocking, 'config'>,
): Promise<void> {
  setCorsHeaders(res, config)
  const { method = '' } = res.req
  const known = ['OPTIONS', ...Object.keys(methods)]
  if (method === 'OPTIONS') {
    sendOptions(res, known)
    return
  }
  const perform = methods[method]
  if (perform === undefined) throw unsupportedMethod(known)
  const json = await perform(asked)
  res.setHeader('Cache-Control', 'no-store')
  if (json === undefined) res.writeHead(204).end()
  else res.setHeader('Content-Type', 'application/json').end(JSON.stringify(json))
}

async function jsonOf(req: IncomingMessage): Promise<unknown> {
  const octets = Buffer.concat(await Array.fromAsync(req as AsyncIterable<Buffer>))
  try {
    return JSON.parse(octets.toString())
  } catch (error) {
    throw badRequest((error as Error).message)
  }
}
