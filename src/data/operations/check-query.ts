/** Checks a query: its parts, the fault of each condition, and how many objects match each part. */
import { ServiceError } from '../../model/errors.ts'
import {
  conditionsOf,
  ID_PATH,
  outlineOf,
  sourceText,
  type Combination,
  type Comparator,
  type IdCondition,
  type Operand,
  type Outlined,
  type Query,
  type TagCondition,
} from '../../query/ast.ts'
import { primitiveOf } from '../../model/tag-value.ts'
import { findReadableTags, tagAt } from '../permissions/permissions.ts'
import type { PermittedTags } from '../permissions/rights.ts'
import { idClause, type IdClause } from '../search/clauses.ts'
import { conditionOf, type Condition } from '../search/conditions.ts'
import { Counter, type Counted, type Matches } from '../search/counting.ts'
import { VALUE } from '../store/costs.ts'
import type { Store } from '../store/store.ts'
import type { Caller, ReadTx } from '../store/views.ts'

interface Part {
  /** UTF-16 offsets in the text; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

/** A condition on the values of a tag. */
interface Asked {
  readonly operator: 'has' | 'matches' | 'contains' | Comparator
  readonly path: string
  /** The canonical JSON of the operand. */
  readonly operand: string | undefined
}

/** A condition; or a combination of two nodes, by their places in the list. */
export type CheckedNode = Part & { readonly counted: Counted | undefined } & (
    | ({ readonly kind: 'condition'; readonly error: ServiceError | undefined } & Asked)
    | {
        readonly kind: 'combination'
        readonly operator: Combination['kind']
        readonly left: number
        readonly right: number
        readonly error?: undefined
      }
  )

/** Returns why queries may not have a condition, or undefined. */
type Illegality = (condition: TagCondition | IdCondition, query: Query) => ServiceError | undefined

/** The inputs of a check. */
interface Checking {
  readonly query: Query
  /** The limit up to which the objects of each part are counted. */
  readonly upTo: number
  readonly illegalityOf: Illegality
}

/**
 * The nodes of a query, as `outlineOf` lists them. Throws `QueryTooCostly` if counting takes too long; the fault of a
 * condition is in its node.
 */
export async function checkQuery(
  { store, caller, signal }: { store: Store; caller: Caller; signal: AbortSignal },
  checking: Checking,
): Promise<CheckedNode[]> {
  const { query } = checking
  const paths = [...new Set(conditionsOf(query.root).flatMap((one) => (one.kind === 'id' ? [] : [one.path])))]
  return store.look(caller, signal, async (tx) => {
    const readable = await findReadableTags(tx, paths)
    for (const condition of conditionsOf(query.root))
      if (condition.kind !== 'id') tx.spend(VALUE * (readable.tags.get(condition.path)?.valueBound ?? 0))
    return checked(tx, checking, readable)
  })
}

interface Readable<V> {
  readonly tags: PermittedTags<'tag-values.read', V>
  readonly refused: ReadonlyMap<string, ServiceError>
}

async function checked<V>(
  tx: ReadTx<V>,
  { query, upTo, illegalityOf }: Checking,
  { tags, refused }: Readable<V>,
): Promise<CheckedNode[]> {
  const outline = outlineOf(query.root)
  const clauses = outline.map(({ node }) => {
    if ('left' in node) return undefined
    const error = illegalityOf(node, query) ?? (node.kind === 'id' ? undefined : refused.get(node.path))
    return error ?? clauseOr(node, query, tags)
  })
  const counts = await tx.inTime(query.text, () => countsOf(new Counter(tx, upTo), outline, clauses))
  return outline.map((outlined, at) => {
    const { start, end } = outlined.node
    const part = { start, end, counted: counts[at] }
    if ('left' in outlined) {
      const { left, right, node } = outlined
      return { kind: 'combination', operator: node.kind, left, right, ...part }
    }
    const clause = clauses[at]
    const error = clause instanceof ServiceError ? clause : undefined
    return { kind: 'condition', ...askedBy(outlined.node, query), error, ...part }
  })
}

/** The condition of a node, or the error if its tag does not allow it. */
function clauseOr<V>(
  node: TagCondition | IdCondition,
  query: Query,
  tags: PermittedTags<'tag-values.read', V>,
): IdClause | Condition<V> | ServiceError {
  if (node.kind === 'id') return idClause(node, query)
  try {
    return conditionOf(node, tagAt(tags, node.path), sourceText(node, query))
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** Counts each condition in the order of the text, and each combination as soon as both operands are counted. */
async function countsOf<V>(
  counter: Counter<V>,
  outline: readonly Outlined[],
  clauses: readonly (IdClause | Condition<V> | ServiceError | undefined)[],
): Promise<(Counted | undefined)[]> {
  const counts: (Counted | undefined)[] = []
  // The operands of combinations that are not counted yet: keeping more would fill the memory.
  const waiting = new Map<number, Matches<V>>()
  const open: number[] = []
  const note = (at: number, matches: Matches<V> | undefined): void => {
    counts[at] = matches?.counted
    if (matches !== undefined) waiting.set(at, matches)
  }
  for (const [at, clause] of clauses.entries()) {
    if (clause === undefined) {
      open.push(at)
      continue
    }
    note(at, clause instanceof ServiceError ? undefined : await counter.condition(clause))
    let done = at
    for (let last = combinationAt(outline, open.at(-1)); last?.right === done;) {
      done = open.pop() as number
      const [left, right] = [waiting.get(last.left), waiting.get(last.right)]
      waiting.delete(last.left)
      waiting.delete(last.right)
      note(done, left && right && (await counter.combination(last.node.kind, left, right)))
      last = combinationAt(outline, open.at(-1))
    }
  }
  return outline.map((_, at) => counts[at])
}

function combinationAt(
  outline: readonly Outlined[],
  at = -1,
): Extract<Outlined, { left: number }> | undefined {
  const outlined = outline[at]
  return outlined !== undefined && 'left' in outlined ? outlined : undefined
}

function askedBy(node: TagCondition | IdCondition, query: Query): Asked {
  switch (node.kind) {
    case 'id':
      return { operator: '=', path: ID_PATH, operand: JSON.stringify(node.id) }
    case 'has':
      return { operator: 'has', path: node.path, operand: undefined }
    case 'compare':
      return { operator: node.op, path: node.path, operand: jsonOf(node.operand, query) }
    default:
      return { operator: node.kind, path: node.path, operand: JSON.stringify(node.text) }
  }
}

/** The canonical JSON of an operand. */
function jsonOf(operand: Operand, query: Query): string {
  if (operand.type === 'null') return 'null'
  if (operand.type === 'int') return String(operand.value)
  return primitiveOf(operand.value, operand.type === 'float' ? sourceText(operand, query) : undefined).json
}
