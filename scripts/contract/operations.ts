/** Compares operations: names, arguments, bodies, answers, classes of errors and ways to sign in. */
import { answers, errorClasses } from './answers.ts'
import { breaks, breaksIf, code, deprecation, isNew, other, under, type Changes } from './change.ts'
import { canonical, listOf, resolve, type Contract, type Node, type Operation } from './document.ts'
import { isSame, KNOWN_OF_ARGUMENTS, media, sending, unknown, type Pair } from './parts.ts'
import { schemaChanges } from './schemas.ts'

/** Yields what changed between two versions of an operation. */
export function* operationChanges(old: Operation, now: Operation, pair: Pair): Changes {
  yield* deprecation(old.node, now.node)
  yield* names(old.node, now.node)
  yield* argumentsChanges(old, now, pair)
  yield* bodyOf(old.node['requestBody'], now.node['requestBody'], pair)
  yield* answers(old.node, now.node, pair)
  yield* errorClasses(old.node, now.node, pair)
  yield* waysIn(old.node, now.node, pair)
}

/** Generated clients name functions and modules after these. */
function* names(old: Node, now: Node): Changes {
  if (old['operationId'] !== now['operationId'])
    yield breaks(
      `\`operationId\` ${code([now['operationId'] ?? ''])}, was ${code([old['operationId'] ?? ''])}`,
    )
  const [was, is] = [listOf(old['tags']), listOf(now['tags'])]
  const lost = was.filter((tag) => !is.includes(tag))
  if (lost.length > 0) yield breaks(`no tag ${code(lost)} any more`)
  // Generators that make a module for each tag take the first one.
  else if (was[0] !== is[0]) yield breaks(`first tag ${code(is.slice(0, 1))}, was ${code(was.slice(0, 1))}`)
}

/** An argument with the reference by which an operation has it. */
interface Argument {
  readonly part: unknown
  readonly node: Node
}

const argumentsOf = ({ parameters }: Operation, contract: Contract): Map<string, Argument> =>
  new Map(
    parameters.map((part) => {
      const node = resolve(part, contract)
      return [argumentName(node), { part, node }]
    }),
  )

/** Such as ``argument `limit` ``. */
export const argumentName = ({ in: place, name }: Node): string =>
  `${place === 'path' ? 'path argument' : place === 'query' ? 'argument' : String(place)} ${code([name])}`

function* argumentsChanges(old: Operation, now: Operation, pair: Pair): Changes {
  const [was, is] = [argumentsOf(old, pair.before), argumentsOf(now, pair.after)]
  // A renamed path names its arguments otherwise.
  const isCompared = ([, { node }]: [string, Argument]): boolean =>
    old.path === now.path || node['in'] !== 'path'
  for (const [name, { part, node }] of [...was].filter(isCompared)) {
    const found = is.get(name)
    if (found === undefined) yield breaks(`no ${name} any more`)
    else if (!isSame(part, found.part)) yield* under(name, argumentChanges(node, found.node, pair))
  }
  for (const [name, { node }] of [...is].filter(isCompared)) {
    if (was.has(name)) continue
    if (node['required'] === true) yield breaks(`new ${name}, which is required`)
    else yield isNew(`new ${name}`, node)
  }
}

/** Yields what changed of an argument. */
export function* argumentChanges(old: Node, now: Node, pair: Pair): Changes {
  const where = { ...pair, request: true, answer: false }
  yield* deprecation(old, now)
  if (argumentName(old) !== argumentName(now)) yield breaks(`now ${argumentName(now)}`)
  yield* requirement(old, now)
  if (canonical(sending(old)) !== canonical(sending(now))) yield breaks('its values are sent in another way')
  const [could, can] = [old['allowEmptyValue'] === true, now['allowEmptyValue'] === true]
  if (could !== can) yield can ? isNew('may be empty') : breaks('may not be empty any more')
  yield* schemaChanges(old['schema'], now['schema'], where)
  yield* media(old['content'], now['content'], where)
  yield* unknown(old, now, [...KNOWN_OF_ARGUMENTS, 'content'])
}

/** Yields whether what is sent became required, or may now be absent. */
function* requirement(old: Node, now: Node): Changes {
  const [did, does] = [old['required'] === true, now['required'] === true]
  if (did !== does) yield does ? breaks('required') : other('may be absent')
}

function* bodyOf(before: unknown, after: unknown, pair: Pair): Changes {
  if (before === undefined && after === undefined) return
  if (after === undefined) return yield breaks('no body any more')
  if (before === undefined) {
    const required = resolve(after, pair.after)['required'] === true
    return yield breaksIf(required, required ? 'a body is required' : 'may have a body', 'new')
  }
  if (isSame(before, after)) return
  yield* under('body', bodyChanges(resolve(before, pair.before), resolve(after, pair.after), pair))
}

/** Yields what changed of a body that is sent. */
export function* bodyChanges(old: Node, now: Node, pair: Pair): Changes {
  yield* requirement(old, now)
  yield* media(old['content'], now['content'], { ...pair, request: true, answer: false })
  yield* unknown(old, now, ['required', 'content'])
}

/** The ways to sign in that an operation accepts, in any order. */
const waysOf = (node: Node, { security }: Contract): string[] =>
  ((node['security'] ?? security ?? [{}]) as Node[]).map((way) => Object.keys(way).sort().join(' and '))

function* waysIn(old: Node, now: Node, { before, after }: Pair): Changes {
  const [was, is] = [waysOf(old, before), waysOf(now, after)]
  for (const way of was)
    if (!is.includes(way))
      yield breaks(way === '' ? 'credentials required' : `not with ${code([way])} any more`)
  for (const way of is)
    if (!was.includes(way)) yield isNew(way === '' ? 'no credentials required' : `also with ${code([way])}`)
}
