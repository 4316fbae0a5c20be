/** Compares answers: statuses, headers, contents and classes of errors. */
import { breaks, breaksIf, code, deprecation, isNew, other, under, type Changes } from './change.ts'
import { canonical, listOf, nodeOf, resolve, type Contract, type Node } from './document.ts'
import { isSame, KNOWN_OF_ARGUMENTS, media, sending, unknown, type Pair } from './parts.ts'
import { schemaChanges } from './schemas.ts'

/** The answers of an operation by status, and by `default` for those that it has classes of errors for. */
function answersOf(node: Node, contract: Contract): Map<string, unknown> {
  const { default: rest, ...responses } = nodeOf(node['responses'])
  const covered = Object.keys(nodeOf(resolve(rest, contract)['x-error-classes']))
  const byDefault = covered
    .filter((status) => !(status in responses))
    .map((status) => [status, rest] as const)
  return new Map([...Object.entries(responses), ...byDefault])
}

export function* answers(old: Node, now: Node, pair: Pair): Changes {
  const [was, is] = [answersOf(old, pair.before), answersOf(now, pair.after)]
  for (const [status, part] of was) {
    const found = is.get(status)
    if (found === undefined) yield breaks(`no answer ${status} any more`)
    else if (!isSame(part, found)) {
      const changes = answerChanges(resolve(part, pair.before), resolve(found, pair.after), pair)
      yield* under(`answer ${status}`, changes)
    }
  }
  for (const status of is.keys()) {
    // An application treats an error that it does not know by its hundred.
    if (!was.has(status)) yield breaksIf(!/^[45]|^304$/.test(status), `new answer ${status}`, 'new')
  }
}

/** Yields what changed of an answer. */
export function* answerChanges(old: Node, now: Node, pair: Pair): Changes {
  const where = { ...pair, request: false, answer: true }
  const [was, is] = [nodeOf(old['headers']), nodeOf(now['headers'])]
  for (const [name, part] of Object.entries(was)) {
    const found = is[name]
    if (found === undefined) yield breaks(`no header ${code([name])} any more`)
    else if (!isSame(part, found)) {
      const changes = headerChanges(resolve(part, pair.before), resolve(found, pair.after), pair)
      yield* under(`header ${code([name])}`, changes)
    }
  }
  for (const name of Object.keys(is)) if (!(name in was)) yield isNew(`new header ${code([name])}`)
  yield* media(old['content'], now['content'], where)
  yield* unknown(old, now, ['headers', 'content', 'links'])
}

/** Yields what changed of a header of an answer. */
export function* headerChanges(old: Node, now: Node, pair: Pair): Changes {
  yield* deprecation(old, now)
  if (old['required'] === true && now['required'] !== true) yield breaks('may be absent')
  if (old['required'] !== true && now['required'] === true) yield other('always there')
  if (canonical(sending(old)) !== canonical(sending(now))) yield breaks('its values are sent in another way')
  yield* schemaChanges(old['schema'], now['schema'], { ...pair, request: false, answer: true })
  yield* unknown(old, now, KNOWN_OF_ARGUMENTS)
}

/** The statuses of each class of errors that an operation may have, with those of `default`. */
function statusesOf(node: Node, contract: Contract): Map<string, string[]> {
  const { default: rest } = nodeOf(node['responses'])
  const found = new Map<string, string[]>()
  for (const classes of [node['x-error-classes'], resolve(rest, contract)['x-error-classes']]) {
    for (const [status, names] of Object.entries(nodeOf(classes))) {
      for (const name of listOf(names) as string[]) {
        const known = found.get(name) ?? []
        if (!known.includes(status)) found.set(name, [...known, status])
      }
    }
  }
  return found
}

export function* errorClasses(old: Node, now: Node, pair: Pair): Changes {
  const [was, is] = [statusesOf(old, pair.before), statusesOf(now, pair.after)]
  for (const [name, statuses] of was) {
    const found = is.get(name)
    const lost = statuses.filter((status) => found?.includes(status) !== true)
    if (found === undefined) yield breaks(`no error ${code([name])} (${statuses.join(', ')}) any more`)
    else if (lost.length > 0)
      yield breaks(`error ${code([name])} with status ${found.join(', ')}, was ${statuses.join(', ')}`)
  }
  for (const [name, statuses] of is) {
    const known = was.get(name)
    const gained = statuses.filter((status) => known?.includes(status) !== true)
    if (known === undefined) yield isNew(`new error ${code([name])} (${statuses.join(', ')})`)
    else if (gained.length > 0 && known.every((status) => statuses.includes(status)))
      yield isNew(`error ${code([name])} also with status ${gained.join(', ')}`)
  }
}
