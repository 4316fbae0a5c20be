/**
 * Merges conditions on one tag into one: a row that has been read answers all of them. The new clause matches the same
 * objects. It exceeds the limit whenever the original does, and perhaps in other cases: then the original has to run.
 */
import { alternativesOf, chainOf, combination, type Clause, type Operands } from './clauses.ts'
import { onKeys, onTerms, type RowCondition } from './conditions.ts'
import { inAtLeast, otherKeys, type KeySet } from './key-sets.ts'
import { MAX_OBJECTS } from './plan.ts'

/** A clause with fewer conditions, or the clause itself if none of them can be merged. */
export function inOnePass<V>(clause: Clause<V>): Clause<V> {
  if (clause.kind === 'or') return unionInOnePass(clause)
  return clause.kind === 'and' || clause.kind === 'except' ? chainInOnePass(clause) : clause
}

type OnKeys<V> = RowCondition<V> & { readonly asked: { readonly keys: KeySet } }
type OnTerms<V> = RowCondition<V> & { readonly asked: { readonly terms: readonly Buffer[] } }

const asksKeys = <V>(clause: Clause<V>): clause is OnKeys<V> =>
  clause.kind === 'rows' && 'keys' in clause.asked
const asksTerms = <V>(clause: Clause<V>): clause is OnTerms<V> =>
  clause.kind === 'rows' && 'terms' in clause.asked

const keysIn = <V>(conditions: readonly OnKeys<V>[]): KeySet[] => conditions.map(({ asked }) => asked.keys)

/** The common fields of several conditions on a tag, and their text. */
const together = <V>(conditions: readonly RowCondition<V>[], word: string) => {
  const [{ tag, bound }] = conditions as readonly [RowCondition<V>, ...RowCondition<V>[]]
  return { tag, bound, text: conditions.map(({ text }) => text).join(` ${word} `) }
}

function unionInOnePass<V>(clause: Clause<V>): Clause<V> {
  const before = alternativesOf(clause)
  const [first, ...rest] = united(before.map((alternative) => inOnePass(alternative)))
  if (first === undefined || isSame(before, [first, ...rest])) return clause
  return rest.reduce<Clause<V>>((left, right) => combination('or', left, right), first)
}

/** Merges alternatives, or operands that must not match, that are on the same tag. */
const united = <V>(clauses: readonly Clause<V>[]): Clause<V>[] => {
  const keys = grouped(clauses.filter(asksKeys), (some) =>
    onKeys(together(some, 'or'), inAtLeast(1, keysIn(some))),
  )
  const terms = grouped(clauses.filter(asksTerms), (some) =>
    onTerms(together(some, 'or'), distinct(some.flatMap(({ asked }) => asked.terms))),
  )
  return replaced(clauses, new Map<Clause<V>, RowCondition<V>>([...keys, ...terms]))
}

/** Each term once: a repeated term would be another row of an object. */
const distinct = (terms: readonly Buffer[]): Buffer[] => [
  ...new Map(terms.map((term) => [term.toString('latin1'), term])).values(),
]

function chainInOnePass<V>(clause: Clause<V>): Clause<V> {
  const chain = chainOf(clause)
  const all = chain.all.map((operand) => inOnePass(operand))
  const none = chain.none.map((operand) => inOnePass(operand))
  const [first, ...rest] = narrowed({ all, none: united(none) })
  if (
    first === undefined ||
    isSame(
      [...chain.all, ...chain.none],
      [first, ...rest].map(([, one]) => one),
    )
  ) {
    return clause
  }
  return rest.reduce<Clause<V>>((left, [kind, right]) => combination(kind, left, right), first[1])
}

type Step<V> = readonly [kind: 'and' | 'except', clause: Clause<V>]

/**
 * The operands of a chain. Operands on a tag with few values are merged: none of them can exceed the limit, and only in this
 * case may an operand be left out.
 */
function narrowed<V>({ all, none }: Operands<V>): Step<V>[] {
  const excluded = new Set<Clause<V>>()
  const merge = (some: readonly OnKeys<V>[]): RowCondition<V> => {
    const without = none.filter((clause) => asksKeys(clause) && clause.tag.id === some[0]?.tag.id)
    for (const clause of without) excluded.add(clause)
    const sets = [...keysIn(some), ...keysIn(without.filter(asksKeys)).map(otherKeys)]
    const text = [together(some, 'and').text, ...without.map((clause) => clause.text)].join(' except ')
    return onKeys({ ...together(some, 'and'), text }, inAtLeast(sets.length, sets))
  }
  const few = all.filter(asksKeys).filter(({ bound }) => bound <= MAX_OBJECTS)
  const excludes = (some: readonly OnKeys<V>[]): boolean =>
    none.some((clause) => asksKeys(clause) && clause.tag.id === some[0]?.tag.id)
  const required = replaced(all, grouped(few, merge, excludes))
  return [
    ...required.map((clause): Step<V> => ['and', clause]),
    ...none.filter((clause) => !excluded.has(clause)).map((clause): Step<V> => ['except', clause]),
  ]
}

/** Merges the conditions of each tag that has several, or for which `evenOne` holds; maps each of them to the result. */
function grouped<C extends OnTag, One>(
  conditions: readonly C[],
  merge: (some: readonly C[]) => One,
  evenOne: (some: readonly C[]) => boolean = () => false,
): Map<C, One> {
  const merged = new Map<C, One>()
  for (const some of Map.groupBy(conditions, ({ tag }) => tag.id).values()) {
    if (some.length < 2 && !evenOne(some)) continue
    const one = merge(some)
    for (const condition of some) merged.set(condition, one)
  }
  return merged
}

interface OnTag {
  readonly tag: { readonly id: number }
}

/** The clauses, with each merged clause in the place of the first of its parts. */
const replaced = <V>(
  clauses: readonly Clause<V>[],
  by: ReadonlyMap<Clause<V>, RowCondition<V>>,
): Clause<V>[] => [...new Set(clauses.map((clause) => by.get(clause) ?? clause))]

const isSame = <V>(before: readonly Clause<V>[], after: readonly Clause<V>[]): boolean =>
  before.length === after.length && before.every((clause, i) => clause === after[i])
