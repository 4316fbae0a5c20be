/** Compares two contracts. What several operations share is told once, with the operations that it is about. */
import { breaks, breaksIf, code, isNew, under, type Change } from './change.ts'
import {
  canonical,
  nodeOf,
  operationsOf,
  resolve,
  type Contract,
  type Node,
  type Operation,
} from './document.ts'
import { answerChanges, headerChanges } from './answers.ts'
import { argumentChanges, argumentName, bodyChanges, operationChanges } from './operations.ts'
import { schemaChanges } from './schemas.ts'
import { usesOf, type Uses } from './uses.ts'

/** A change of a contract, told once. */
export interface Told extends Change {
  /** The operations that a changed component is part of, such as `GET /search`. */
  readonly usedIn?: readonly string[]
}

/** All changes that a program can notice, or a person who reads the contract for deprecations. */
export function compare(before: Contract, after: Contract): Told[] {
  const operations = operationsOf(before)
  return [
    ...byOperation(operations, before, after),
    ...ofComponents(before, after),
    ...ofSchemes(before, after),
  ]
}

/** A path with its arguments' names left out. */
const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

/** The version of an operation in a later contract, perhaps with renamed arguments in its path. */
const laterOf = ({ label, method, path }: Operation, later: readonly Operation[]): Operation | undefined =>
  later.find((one) => one.label === label) ??
  later.find((one) => one.method === method && shapeOf(one.path) === shapeOf(path))

/** Changes of operations, with one entry for those that have the same change. */
function byOperation(operations: readonly Operation[], before: Contract, after: Contract): Told[] {
  const groups = new Map<string, { change: Change; labels: string[] }>()
  const tell = (label: string, change: Change): void => {
    const key = `${change.kind} ${change.text}`
    const group = groups.get(key) ?? { change, labels: [] }
    group.labels.push(label)
    groups.set(key, group)
  }
  const later = operationsOf(after)
  for (const operation of operations) {
    const now = laterOf(operation, later)
    if (now === undefined) tell(operation.label, breaks('no longer there'))
    else {
      if (now.path !== operation.path) tell(operation.label, breaks(`path ${code([now.path])}`))
      for (const change of operationChanges(operation, now, { before, after })) tell(operation.label, change)
    }
  }
  const known = new Set(operations.map((one) => laterOf(one, later)?.label))
  for (const { label, node } of later) if (!known.has(label)) tell(label, isNew('new operation', node))
  const all = withoutHeads(operations.map(({ label }) => label)).length
  return [...groups.values()].map(({ change, labels }) => ({
    ...change,
    text: `${placeOf(withoutHeads(labels), all)}: ${change.text}`,
  }))
}

/** HEAD goes with GET. */
const withoutHeads = (labels: readonly string[]): string[] =>
  labels.filter((label) => !label.startsWith('HEAD ') || !labels.includes(label.replace('HEAD', 'GET')))

const placeOf = (labels: readonly string[], all: number): string =>
  labels.length === all && all > 1 ? 'every operation' : code(labels)

/** The kinds of components, with their words for people, and whether generated types are named after them. */
const KINDS = {
  schemas: { word: 'schema', named: true },
  parameters: { word: '', named: true },
  requestBodies: { word: 'body', named: true },
  responses: { word: 'answer', named: true },
  headers: { word: 'header', named: false },
} as const

type Kind = keyof typeof KINDS

function* ofComponents(before: Contract, after: Contract): Generator<Told> {
  const uses = usesOf(before)
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const [was, is] = [nodeOf(before.components?.[kind]), nodeOf(after.components?.[kind])]
    for (const [name, old] of Object.entries(was)) {
      const now = is[name]
      const label = KINDS[kind].word === '' ? argumentLabel(old, name) : `${KINDS[kind].word} ${code([name])}`
      if (now !== undefined) {
        const used = uses.get(`#/components/${kind}/${name}`)
        if (used === undefined) continue
        const changes = componentChanges(kind, [old, now], { before, after, used })
        for (const change of under(label, changes))
          yield { ...change, usedIn: withoutHeads([...used.operations]) }
      } else if (KINDS[kind].named) yield breaks(`${label}: ${goneOf(old, was, is)}`)
    }
  }
}

/** Two components may have the same name and place of an argument. */
const argumentLabel = (part: unknown, name: string): string =>
  `${argumentName(nodeOf(part))} (${code([name])})`

/** What became of a component that has gone. */
function goneOf(old: unknown, was: Node, is: Node): string {
  const [now] = Object.keys(is).filter((name) => !(name in was) && canonical(is[name]) === canonical(old))
  return now === undefined ? 'no longer there' : `renamed ${code([now])}`
}

interface Context {
  readonly before: Contract
  readonly after: Contract
  readonly used: Uses
}

function componentChanges(
  kind: Kind,
  [old, now]: [unknown, unknown],
  { before, after, used }: Context,
): Iterable<Change> {
  const pair = { before, after }
  const { directions } = used
  const [was, is] = [resolve(old, before), resolve(now, after)]
  switch (kind) {
    case 'schemas': {
      const [request, answer] = [directions.has('request'), directions.has('answer')]
      return schemaChanges(old, now, { ...pair, request, answer, open: directions.has('open') })
    }
    case 'parameters':
      return argumentChanges(was, is, pair)
    case 'requestBodies':
      return bodyChanges(was, is, pair)
    case 'responses':
      return answerChanges(was, is, pair)
    case 'headers':
      return headerChanges(was, is, pair)
  }
}

/** Ways to sign in. `operationChanges` tells where one is added or gone. */
function* ofSchemes(before: Contract, after: Contract): Generator<Told> {
  const [was, is] = [before, after].map((one) => nodeOf(one.components?.['securitySchemes'])) as [Node, Node]
  for (const [name, scheme] of Object.entries(was)) {
    const changed = name in is && canonical(scheme) !== canonical(is[name])
    yield* changed ? [breaksIf(true, `way to sign in ${code([name])}: changed`)] : []
  }
}
