/** What a change of one keyword of a schema means for those who send it and those who read it. */
import { breaksIf, code, isNew, other, breaks, type Change, type Changes, type Where } from './change.ts'
import { listOf, nodeOf, resolve, type Node } from './document.ts'

/** Values of a keyword, and the schemas that it stands in; undefined where it is missing. */
interface Values {
  readonly before: unknown
  readonly after: unknown
  readonly schema: Node
}

type Rule = (values: Values, where: Where) => Iterable<Change>

/** Yields how a keyword changed. A keyword without a rule may mean anything, so its change breaks. */
export function keywordChanges(key: string, values: Values, where: Where): Iterable<Change> {
  const rule = RULES[key]
  if (rule !== undefined) return rule(values, where)
  return [breaksIf(where.request || where.answer, `\`${key}\` changed`)]
}

const ANY = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

/** The types that a keyword admits, of which `number` includes `integer`. */
const typesOf = (type: unknown): unknown[] =>
  type === undefined ? ANY : listOf(type).flatMap((one) => (one === 'number' ? ['number', 'integer'] : [one]))

function* typeChange({ before, after }: Values, { request, answer }: Where): Changes {
  const [was, is] = [typesOf(before), typesOf(after)]
  const lost = was.filter((one) => !is.includes(one))
  const gained = is.filter((one) => !was.includes(one))
  const does = (request && lost.length > 0) || (answer && gained.length > 0)
  const changed = [...lost, ...gained]
  if (changed.length === 0) return
  if (changed.length > 1 || changed[0] !== 'null') {
    yield breaksIf(does, `type ${code(listOf(after ?? 'any'))}, was ${code(listOf(before ?? 'any'))}`)
  } else yield breaksIf(does, lost.length > 0 ? 'never null any more' : 'may be null')
}

function* enumChange({ before, after }: Values, { request, answer, open }: Where): Changes {
  if (before === undefined) return yield breaksIf(request, `only ${code(listOf(after))}`)
  if (after === undefined) return yield breaksIf(answer, `may be other than ${code(listOf(before))}`, 'new')
  const lost = listOf(before).filter((one) => !listOf(after).includes(one))
  const gained = listOf(after).filter((one) => !listOf(before).includes(one))
  if (lost.length > 0) yield breaksIf(request || open === true, `no value ${code(lost)} any more`)
  if (gained.length > 0) yield breaksIf(answer, `new value ${code(gained)}`, 'new')
}

/** The ranges of formats of numbers; the others have no bounds that JSON numbers pass. */
const RANGES: Readonly<Record<string, number | undefined>> = { int32: 2 ** 31, int64: 2 ** 63 }

/** Whether a format admits all that the schema admits otherwise. */
function isWithin(format: string, { minimum, maximum }: Node): boolean {
  const { [format]: bound } = RANGES
  if (bound === undefined) return format === 'float' || format === 'double'
  return typeof minimum === 'number' && minimum >= -bound && typeof maximum === 'number' && maximum < bound
}

function* formatChange({ before, after, schema }: Values, where: Where): Changes {
  const [was, is] = [before, after] as [string | undefined, string | undefined]
  if (is === undefined) return yield other(`no format ${code([was])} any more`)
  const restricts = where.request && !isWithin(is, schema)
  if (was === undefined) return yield breaksIf(restricts, `format ${code([is])}`)
  const [old, now] = [RANGES[was], RANGES[is]]
  const does =
    old === undefined || now === undefined
      ? where.request || where.answer
      : (restricts && now < old) || (where.answer && now > old)
  yield breaksIf(does, `format ${code([is])}, was ${code([was])}`)
}

/** A rule for a bound, which is tightened if `isTighter`. Looser bounds break nothing. */
const bound =
  (words: string, isTighter: (before: number, after: number) => boolean): Rule =>
  ({ before, after }, { request }) => {
    const tighter = after !== undefined && (before === undefined || isTighter(Number(before), Number(after)))
    const was = before === undefined ? '' : `, was ${JSON.stringify(before)}`
    const is = after === undefined ? 'no bound' : JSON.stringify(after)
    return [breaksIf(request && tighter, `${words}: ${is}${was}`)]
  }

const most = (words: string): Rule => bound(words, (before, after) => after < before)
const least = (words: string): Rule => bound(words, (before, after) => after > before)

function* patternChange({ before, after }: Values, { request }: Where): Changes {
  // Whether another pattern admits more cannot be told.
  if (after === undefined) yield other('no pattern any more')
  else yield breaksIf(request, before === undefined ? `pattern ${code([after])}` : 'another pattern')
}

function* defaultChange({ before, after }: Values, { request }: Where): Changes {
  if (before === undefined) yield other(`by default ${code([after])}`)
  else if (after === undefined) yield breaksIf(request, `no default ${code([before])} any more`)
  else yield breaksIf(request, `by default ${code([after])}, was ${code([before])}`)
}

function* uniqueChange({ after }: Values, { request, answer }: Where): Changes {
  if (after === true) yield breaksIf(request, 'no value twice')
  else yield breaksIf(answer, 'may have a value twice')
}

function* deprecatedChange({ after }: Values): Changes {
  if (after === true) yield { kind: 'deprecated', text: 'deprecated' }
}

function* additionalChange({ before, after }: Values, { request, answer }: Where): Changes {
  if (after === false) yield breaksIf(request, 'no other fields than those named')
  else if (before === false) yield isNew('may have other fields')
  else yield breaksIf(request || answer, 'other fields have another schema')
}

const RULES: Readonly<Record<string, Rule | undefined>> = {
  type: typeChange,
  enum: enumChange,
  format: formatChange,
  pattern: patternChange,
  default: defaultChange,
  uniqueItems: uniqueChange,
  deprecated: deprecatedChange,
  additionalProperties: additionalChange,
  maxLength: most('longest'),
  minLength: least('shortest'),
  maximum: most('at most'),
  exclusiveMaximum: most('less than'),
  minimum: least('at least'),
  exclusiveMinimum: least('more than'),
  maxItems: most('most items'),
  minItems: least('fewest items'),
  maxProperties: most('most fields'),
  minProperties: least('fewest fields'),
}

/** Yields which fields of an object are there, and which may be absent. */
export function* fieldNames(before: Node, after: Node, where: Where): Changes {
  const { request, answer, after: contract } = where
  const [was, is] = [nodeOf(before['properties']), nodeOf(after['properties'])]
  const needs = listOf(after['required'])
  const lost = Object.keys(was).filter((name) => !(name in is))
  for (const name of lost) yield breaksIf(request || answer, `no field ${code([name])} any more`)
  for (const [name, part] of Object.entries(is)) {
    if (name in was) yield* certainty(name, [before, after], where)
    else if (request && needs.includes(name)) yield breaks(`new field ${code([name])}, which is required`)
    else yield isNew(`new field ${code([name])}`, resolve(part, contract))
  }
}

/** Yields whether a field became required, or may now be absent. */
function* certainty(name: string, [before, after]: [Node, Node], where: Where): Changes {
  const requires = listOf(after['required']).includes(name)
  if (listOf(before['required']).includes(name) === requires) return
  const words = requires ? (where.request ? 'required' : 'always there') : 'may be absent'
  yield breaksIf(requires ? where.request : where.answer, `field ${code([name])}: ${words}`)
}
