/**
 * The contract as it is published, with less in it than in the bundle that the service runs on: generators make code of each
 * answer of each operation, and know nothing of what only this service reads.
 */

/** A part of an OpenAPI document. */
export type Node = Readonly<Record<string, unknown>>

/** Operations by method, by path, among what else a path has. */
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

interface Operation {
  readonly tags?: readonly string[]
  readonly responses?: Node
  readonly 'x-error-classes'?: Node
}

/** The parts of a contract that are read here. */
interface Contract {
  readonly tags?: readonly { readonly name: string }[]
  readonly paths: Paths
  readonly components: Readonly<Record<string, Node>>
}

/** The only extension that is published: the classes of errors by status. */
const CLASSES = 'x-error-classes'

/** The name of the answer that stands for those of all operations. */
const COMMON = 'CommonError'

/**
 * The published form of a contract: the answers that operations share are one, `default`, and extensions and the components
 * that nothing refers to any more are gone.
 */
export function publish(contract: object): object {
  return withoutUnused(withDefault(withoutExtensions(contract) as Contract))
}

/**
 * A published contract without what is no use to an application: HEAD, and the documents that the service serves about
 * itself.
 */
export function apiOf(published: object): object {
  const contract = published as Contract
  const paths = eachOperation(contract.paths, (operation, method) =>
    method === 'head' || operation.tags?.includes('documents') === true ? undefined : operation,
  )
  const left = Object.entries(paths).filter(([, item]) => operationsOf({ item }).length > 0)
  const used = new Set(operationsOf(paths).flatMap(({ tags = [] }) => tags))
  return withoutUnused({
    ...contract,
    tags: contract.tags?.filter(({ name }) => used.has(name)) ?? [],
    paths: Object.fromEntries(left),
  })
}

/** The document without the components, except ways to sign in, that none of its other parts leads to. */
export function withoutUnused<T extends { readonly components: Readonly<Record<string, Node>> }>(
  document: T,
): T {
  const used = new Set<string>()
  const visit = (part: unknown): void => {
    if (typeof part === 'string' && part.startsWith('#/components/') && !used.has(part)) {
      used.add(part)
      visit(referred(part, document))
    } else if (isNode(part)) Object.values(part).forEach(visit)
  }
  visit({ ...document, components: undefined })
  const isUsed = (kind: string, name: string): boolean =>
    kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`)
  const components = Object.entries(document.components).map(
    ([kind, parts]) => [kind, without(parts, ([name]) => !isUsed(kind, name))] as const,
  )
  return { ...document, components: Object.fromEntries(components) }
}

/** Extensions are in lower case, unlike headers; examples may hold anything. */
function withoutExtensions(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutExtensions)
  if (!isNode(part)) return part
  const kept = Object.entries(part).filter(([key]) => !key.startsWith('x-') || key === CLASSES)
  return Object.fromEntries(
    kept.map(([key, held]) => [key, EXAMPLES.includes(key) ? held : withoutExtensions(held)]),
  )
}

const EXAMPLES = ['example', 'examples']

/** An answer of an operation with what tells whether another gives the same. */
interface Given {
  readonly status: string
  readonly response: unknown
  readonly classes: unknown
  readonly text: string
}

/** The answers to errors of an operation. */
const errorsOf = ({ responses = {}, [CLASSES]: classes = {} }: Operation): Given[] =>
  Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, response]) => {
      const given = { status, response, classes: classes[status] }
      return { ...given, text: JSON.stringify(given) }
    })

/**
 * The contract with `default` in place of the errors that most operations give alike under a status that all of them have.
 * Whatever an operation gives otherwise stays with it.
 */
function withDefault(contract: Contract): Contract {
  const shared = sharedErrors(operationsOf(contract.paths).filter(({ responses }) => responses !== undefined))
  if (shared.length < 2) return contract
  const texts = shared.map(({ text }) => text)
  const paths = eachOperation(contract.paths, (operation) => {
    const said = errorsOf(operation).filter(({ text }) => texts.includes(text))
    const isSaid = ([status]: [string, unknown]): boolean => said.some((one) => one.status === status)
    return {
      ...operation,
      responses: {
        ...without(operation.responses, isSaid),
        default: { $ref: `#/components/responses/${COMMON}` },
      },
      ...(operation[CLASSES] && { [CLASSES]: without(operation[CLASSES], isSaid) }),
    }
  })
  const { components } = contract
  const responses = { ...components['responses'], [COMMON]: commonError(shared, components) }
  return { ...contract, paths, components: { ...components, responses } }
}

/** By status that all operations have, the error that more than half of them give. */
function sharedErrors(operations: readonly Operation[]): Given[] {
  const all = operations.map(errorsOf)
  const counts = Map.groupBy(all.flat(), ({ text }) => text)
  const usual = [...counts.values()].filter((alike) => alike.length > operations.length / 2)
  return usual
    .flatMap(([given]) => given ?? [])
    .filter(({ status }) => all.every((errors) => errors.some((one) => one.status === status)))
    .sort((one, other) => Number(one.status) - Number(other.status))
}

/** One answer in place of several: what each of them means, its classes, and the headers that some or all of them have. */
function commonError(shared: readonly Given[], components: Contract['components']): Node {
  const each = shared.map(({ status, response, classes }) => ({
    status,
    classes,
    ...(resolved(response, components) as { description: string; headers?: Node }),
  }))
  const headers = Object.entries(Object.assign({}, ...each.map((one) => one.headers)) as Node).map(
    ([name, header]) => {
      const inAll = each.every((one) => name in (one.headers ?? {}))
      // Each answer has its own example.
      const described = without(resolved(header, components), ([key]) => key === 'example')
      return [name, { ...described, required: inAll && described['required'] === true }] as const
    },
  )
  const meanings = each.map(({ status, description }) => `- ${status}: ${description}`)
  return {
    description: `What any request may be answered with:\n\n${meanings.join('\n')}`,
    headers: Object.fromEntries(headers),
    [CLASSES]: Object.fromEntries(each.map(({ status, classes }) => [status, classes])),
  }
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

const operationsOf = (paths: Paths): Operation[] =>
  Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([key, operation]) => (METHODS.includes(key) ? [operation] : [])),
  )

/** The paths with each operation as `change` returns it, or without it. */
const eachOperation = (
  paths: Paths,
  change: (operation: Operation, method: string) => Operation | undefined,
): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).flatMap(([key, part]) => {
          const changed = METHODS.includes(key) ? change(part, key) : part
          return changed === undefined ? [] : [[key, changed] as const]
        }),
      ),
    ]),
  )

/** What a reference of a document leads to. */
export const referred = ($ref: string, document: object): unknown =>
  $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Node)[key], document)

/** The target of a reference, with what stands beside it in the place of its own. */
function resolved(part: unknown, components: Contract['components']): Node {
  const { $ref, ...own } = part as Node
  return typeof $ref === 'string' ? { ...(referred($ref, { components }) as Node), ...own } : own
}

/** A node without some of its entries. */
export const without = (node: Node = {}, drop: (entry: [string, unknown]) => boolean): Node =>
  Object.fromEntries(Object.entries(node).filter((entry) => !drop(entry)))

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
