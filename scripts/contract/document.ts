/** Reads parts of an OpenAPI document. */

/** Any part that is an object. */
export type Node = Readonly<Record<string, unknown>>

/** The parts of a contract that the gate reads. */
export interface Contract {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Node>>
  readonly components?: Readonly<Record<string, Node>>
  readonly security?: readonly Node[]
}

export const isNode = (part: unknown): part is Node =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

/** A part as an object; empty if there is none. */
export const nodeOf = (part: unknown): Node => (isNode(part) ? part : {})

/** The reference that a part is, such as `#/components/schemas/User`. */
export const refOf = (part: unknown): string | undefined =>
  isNode(part) && typeof part['$ref'] === 'string' ? part['$ref'] : undefined

/** The part that a reference leads to, with what stands beside the reference; any other part as it is. */
export function resolve(part: unknown, contract: Contract): Node {
  const ref = refOf(part)
  if (ref === undefined) return nodeOf(part)
  const target = ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => nodeOf(node)[key], contract)
  return { ...resolve(target, contract), ...without(part as Node, ['$ref']) }
}

/** A part without some of its keys. */
export const without = (node: Node, keys: readonly string[]): Node =>
  Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)))

/** The values of a keyword that may be one value or a list of them, or missing. */
export const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value]

/** What people read, and what only examples show. */
const TEXTS = ['description', 'summary', 'title', 'example', 'examples', 'externalDocs', '$comment']

/** Whether a keyword says nothing that a program depends on. Extensions other than the classes of errors do not either. */
export const isText = (key: string): boolean => TEXTS.includes(key) || key.startsWith('x-')

/** A part as text that is equal for parts that programs read alike. */
export const canonical = (part: unknown): string =>
  JSON.stringify(part ?? null, (_, value: unknown) => {
    if (!isNode(value)) return value
    const kept = Object.entries(value).filter(([key]) => !isText(key))
    return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
  })

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** An operation, with what its path adds. */
export interface Operation {
  /** Such as `GET /search`. */
  readonly label: string
  readonly path: string
  readonly method: string
  readonly node: Node
  readonly parameters: readonly unknown[]
}

export const operationsOf = ({ paths }: Contract): Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const node = nodeOf(item[method])
      const parameters = [...listOf(item['parameters']), ...listOf(node['parameters'])]
      return { label: `${method.toUpperCase()} ${path}`, path, method, node, parameters }
    }),
  )
