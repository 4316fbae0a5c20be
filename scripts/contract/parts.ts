/** Compares what arguments, bodies, answers and headers have in common. */
import { breaks, code, isNew, under, type Changes, type Where } from './change.ts'
import { canonical, isText, nodeOf, refOf, type Node } from './document.ts'
import { schemaChanges } from './schemas.ts'

/** The two contracts that parts are compared in. */
export type Pair = Pick<Where, 'before' | 'after'>

/** Whether both are the same component, which is compared where it is defined. */
export const isSame = (one: unknown, another: unknown): boolean =>
  refOf(one) !== undefined && refOf(one) === refOf(another)

export const KNOWN_OF_ARGUMENTS = [
  'name',
  'in',
  'required',
  'schema',
  'style',
  'explode',
  'allowEmptyValue',
  'deprecated',
]

/** How the values of an argument are sent. */
export function sending(node: Node): Node {
  const form = node['in'] === 'query' || node['in'] === 'cookie'
  const { style = form ? 'form' : 'simple', allowReserved = false } = node
  return { style, explode: node['explode'] ?? style === 'form', allowReserved, asMedia: 'content' in node }
}

/** Yields changes of keywords that nothing here compares. */
export function* unknown(old: Node, now: Node, known: readonly string[]): Changes {
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (known.includes(key) || key === '$ref' || key === 'allowReserved' || isText(key)) continue
    if (canonical(old[key]) !== canonical(now[key])) yield breaks(`\`${key}\` changed`)
  }
}

export function* media(before: unknown, after: unknown, where: Where): Changes {
  const [was, is] = [nodeOf(before), nodeOf(after)]
  for (const [type, held] of Object.entries(was)) {
    const found = is[type]
    if (found === undefined) yield breaks(`not as ${code([type])} any more`)
    else yield* under(code([type]), mediaChanges(nodeOf(held), nodeOf(found), where))
  }
  for (const type of Object.keys(is)) if (!(type in was)) yield isNew(`also as ${code([type])}`)
}

function* mediaChanges(old: Node, now: Node, where: Where): Changes {
  yield* schemaChanges(old['schema'], now['schema'], where)
  yield* unknown(old, now, ['schema'])
}
