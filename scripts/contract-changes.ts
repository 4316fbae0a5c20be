/** Fails if the contract breaks a promise of the last released one (`npm run contract:changes`). */
import { readFileSync } from 'node:fs'
import { apiCompare, type Diff } from 'api-smart-diff'
import { parse } from 'yaml'
import { argumentsOf } from './usage.ts'

/** The changes between two contracts in YAML that may break an application of the first one, in words. */
export function breakingChanges(released: string, current: string): string[] {
  const [before, after] = [released, current].map((text) => parse(text) as Contract) as [Contract, Contract]
  const { diffs } = apiCompare(comparable(before), comparable(after))
  const breaking = diffs
    .filter(breaks)
    .map((diff) => `${placeOf(diff)}: ${diff.description ?? changeIn(diff)}`)
  return [...breaking, ...lostNames(before, after), ...lostWaysIn(before, after)]
}

const placeOf = ({ path, action, before }: Diff): string =>
  [...(path[0] === 'paths' ? path.slice(1) : path), ...(action === 'rename' ? [String(before)] : [])].join(
    ' ',
  )

const changeIn = ({ action, before, after }: Diff): string =>
  `${action} ${JSON.stringify(before)} → ${JSON.stringify(after)}`

/** The parts of a contract that this script compares. */
interface Contract {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
  >
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly security?: readonly object[]
}

type Judge = (diff: Diff) => boolean | undefined

/** Corrections of the comparison; the first verdict counts, and the last judge is the comparison's own. */
const JUDGES: readonly Judge[] = [
  // The comparison covers shared components at each use, except the ways to sign in.
  ({ path, type }) =>
    path[0] === 'paths' ? undefined : path[1] === 'securitySchemes' && type === 'breaking',
  // Generated clients name functions, modules and arguments after these.
  ({ path, action }) =>
    path.at(-1) === 'operationId' || (path.at(-2) === 'tags' && action !== 'add') || undefined,
  ({ path, action }) => (path.at(-1) === 'paths' && action === 'rename') || undefined,
  ({ path, action }) =>
    (path.at(-3) === 'parameters' && path.at(-1) === 'name' && action === 'replace') || undefined,
  // By default, a request repeats an argument with several values.
  ({ path, before, after }) => (path.at(-1) === 'explode' ? (before ?? true) !== (after ?? true) : undefined),
  ({ path, before, after }) =>
    isAnswer(path) && path.at(-3) === 'headers' && path.at(-1) === 'required'
      ? before === true && after !== true
      : undefined,
  ({ path, action }) => (path.at(-2) === 'properties' && action === 'remove') || undefined,
  (diff) => (diff.path.at(-1) === VALUES ? widensOrNarrows(diff) : undefined),
  ({ path, action, before, after }) =>
    path.at(-1) === 'type' && action === 'replace'
      ? isAnswer(path)
        ? !holds(typesOf(before), typesOf(after))
        : !holds(typesOf(after), typesOf(before))
      : undefined,
  ({ path, after }) => (path.at(-1) === 'allowEmptyValue' ? after !== true : undefined),
  // The answer promises more than before.
  ({ path, after }) =>
    isAnswer(path) && path.at(-1) === 'additionalProperties' && after === false ? false : undefined,
  // The comparison does not know this keyword. Extensions restrict nothing.
  ({ path, type }) =>
    type === 'unclassified' ? !path.some((key) => String(key).startsWith('x-')) : undefined,
]

function breaks(diff: Diff): boolean {
  for (const judge of JUDGES) {
    const verdict = judge(diff)
    if (verdict !== undefined) return verdict
  }
  return diff.type === 'breaking'
}

const isAnswer = (path: Diff['path']): boolean => path.includes('responses')

/** Returns whether a request may contain less than before, or an answer more. A missing list allows everything. */
function widensOrNarrows({ path, before, after }: Diff): boolean {
  const narrow: unknown = isAnswer(path) ? after : before
  const wide: unknown = isAnswer(path) ? before : after
  if (wide === undefined) return false
  return narrow === undefined || !holds(valuesOf(wide), valuesOf(narrow))
}

const valuesOf = (values: unknown): unknown[] => JSON.parse(String(values)) as unknown[]

const holds = (all: readonly unknown[], some: readonly unknown[]): boolean =>
  some.every((one) => all.includes(one))

const typesOf = (type: unknown): unknown[] => [type, type === 'number' ? 'integer' : []].flat()

/** The name under which the comparison sees an `enum`. */
const VALUES = 'x-values'

/** The components that give generated types their names. */
const NAMED_TYPES = ['schemas', 'responses', 'requestBodies', 'parameters']

/** A contract in a form that the comparison reads correctly, without texts for people. */
function comparable(contract: Contract): object {
  const text = JSON.stringify(contract, (key, value: unknown) => {
    if (typeof value === 'string') return TEXTS.includes(key) ? undefined : value
    // A separate function compares which credentials an operation accepts.
    if (['example', 'examples', 'security'].includes(key)) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { enum: values, schema, ...others } = value as Raw
    return {
      ...others,
      // The comparison sees the list as one value.
      ...(Array.isArray(values) && { [VALUES]: JSON.stringify(values) }),
      ...(schema !== undefined && { schema: schemaOf(schema, contract) }),
    }
  })
  // The comparison counts the range of all media types twice; with another name it does not.
  return JSON.parse(text.replaceAll('"*/*":', '"any/any":')) as object
}

const TEXTS = ['description', 'summary', 'example']

interface Raw {
  readonly enum?: unknown
  readonly schema?: { readonly $ref?: string }
}

/** Resolves a schema, because the comparison does not follow references in headers. */
const schemaOf = (schema: { readonly $ref?: string }, { components }: Contract): unknown =>
  schema.$ref === undefined ? schema : components?.['schemas']?.[schema.$ref.split('/').at(-1) ?? '']

/** The names of types that the new contract lacks. */
const lostNames = (before: Contract, after: Contract): string[] =>
  NAMED_TYPES.flatMap((kind) =>
    Object.keys(before.components?.[kind] ?? {})
      .filter((name) => !(name in (after.components?.[kind] ?? {})))
      .map((name) => `components ${kind} ${name}: removed or renamed`),
  )

/** Ways to authenticate that an operation no longer accepts, in any order. */
function lostWaysIn(before: Contract, after: Contract): string[] {
  const waysIn = (contract: Contract, path: string, method: string): string[] =>
    (contract.paths[path]?.[method]?.security ?? contract.security ?? [{}]).map((way) => JSON.stringify(way))
  return Object.entries(before.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => after.paths[path]?.[method] !== undefined)
      .filter((method) => !holds(waysIn(after, path, method), waysIn(before, path, method)))
      .map((method) => `${path} ${method} security: a way to authenticate is gone`),
  )
}

/**
 * Returns whether a version number announces a break of the released contract: the major version, or before 1.0 the minor
 * version.
 */
export function admitsBreaking(released: string, current: string): boolean {
  const [major = 0, minor = 0] = released.split('.').map(Number)
  const [newMajor = 0, newMinor = 0] = current.split('.').map(Number)
  return newMajor > major || (major === 0 && newMajor === 0 && newMinor > minor)
}

if (import.meta.main) {
  argumentsOf({
    name: 'npm run contract:changes',
    does: 'Prints what of the contract breaks what the one last released promised; fails if the version does not admit it.',
  })
  const [released = '', current = ''] = ['openapi/released.yaml', 'generated/openapi.yaml'].map((file) =>
    readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'),
  )
  const [before = '', after = ''] = [released, current].map(
    (contract) => (parse(contract) as { info: { version: string } }).info.version,
  )
  const changes = breakingChanges(released, current)
  console.log(`From ${before} to ${after}: ${changes.length} breaking changes`)
  for (const change of changes) console.log(`- ${change}`)
  if (changes.length > 0 && !admitsBreaking(before, after)) {
    console.error(
      'A contract that breaks applications needs a new major version, before 1.0 a new minor one.',
    )
    process.exitCode = 1
  }
}
