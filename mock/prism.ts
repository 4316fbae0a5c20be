/** Prism as a library, which selects or generates the examples of the contract. */
import { createInstance, getHttpOperationsFromSpec, type IHttpOperationConfig } from '@stoplight/prism-http'

/** An answer that Prism selected or generated. */
export interface Example {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Returns an example of an operation. Rejects if Prism has none. */
export type Prism = (operationId: string, wanted: IHttpOperationConfig) => Promise<Example>

type Instance = ReturnType<typeof createInstance>

/** Reads a contract, which Prism dereferences in place. */
export async function openPrism(contract: object): Promise<Prism> {
  const all = await getHttpOperationsFromSpec(contract)
  const operations = new Map(all.map((one) => [one.iid, one]))
  const prism = createInstance(OPTIONS, { logger: SILENT })
  return async (operationId, mock) => {
    const operation = operations.get(operationId)
    if (operation === undefined) throw new Error(`Prism does not know the operation ${operationId}`)
    // The code of the service has found the operation and checked the request, so any path of the operation will do.
    const path = operation.path.replaceAll(/\{[^{}]+\}/g, 'x')
    const input = { method: operation.method, url: { path } } as Parameters<Instance['request']>[0]
    const result = await prism.request(input, [operation], { ...OPTIONS, mock })()
    if (result._tag === 'Left') throw result.left
    const { statusCode, headers = {}, body } = result.right.output
    const named = Object.entries(headers).map(([name, value]): [string, string] => [
      name.toLowerCase(),
      value,
    ])
    return { status: statusCode, headers: Object.fromEntries(named), body }
  }
}

const OPTIONS = {
  isProxy: false,
  mock: { dynamic: false },
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
} as const

const ignore = (): void => undefined

/** The mock has its own log. */
const SILENT = {
  ...Object.fromEntries(
    ['success', 'trace', 'debug', 'info', 'warn', 'error'].map((level) => [level, ignore]),
  ),
  child: () => SILENT,
} as unknown as Parameters<typeof createInstance>[1]['logger']
