/** Fails where the contract breaks what the one last released promised (`npm run contract:changes`). */
import { readFileSync } from 'node:fs'
import { apiCompare, type Diff } from 'api-smart-diff'
import { parse } from 'yaml'
import { argumentsOf } from './usage.ts'

/** The changes between two contracts, in YAML, that an application of the first may not survive, in words. */
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

/** The parts of a contract that are compared here. */
interface Contract {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
  >
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly security?: readonly object[]
}

type Judge = (diff: Diff) => boolean | undefined

/** Where the comparison misjudges or does not look; the first verdict counts, and the comparison's own is the last. */
const JUDGES: readonly Judge[] = [
  // What is shared is compared wherever it is used; only how to sign in is not.
  ({ path, type }) =>
    path[0] === 'paths' ? undefined : path[1] === 'securitySchemes' && type === 'breaking',
  // Generated clients name functions, their modules, and their arguments after these.
  ({ path, action }) =>
    path.at(-1) === 'operationId' || (path.at(-2) === 'tags' && action !== 'add') || undefined,
  ({ path, action }) => (path.at(-1) === 'paths' && action === 'rename') || undefined,
  ({ path, action }) =>
    (path.at(-3) === 'parameters' && path.at(-1) === 'name' && action === 'replace') || undefined,
  // Unless it says otherwise, an argument with several values is given several times.
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
  // An answer that promises more.
  ({ path, after }) =>
    isAnswer(path) && path.at(-1) === 'additionalProperties' && after === false ? false : undefined,
  // A keyword that the comparison does not know; extensions restrict nothing.
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

/** Whether what a request may say shrinks, or what an answer may say grows. No list is a list of everything. */
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

/** The name that the comparison gets to know an `enum` by. */
const VALUES = 'x-values'

/** The components that generators name types after. */
const NAMED_TYPES = ['schemas', 'responses', 'requestBodies', 'parameters']

/** A contract as the comparison reads it rightly, without what only people read. */
function comparable(contract: Contract): object {
  const text = JSON.stringify(contract, (key, value: unknown) => {
    if (typeof value === 'string') return TEXTS.includes(key) ? undefined : value
    // Who may call an operation is compared below.
    if (['example', 'examples', 'security'].includes(key)) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { enum: values, schema, ...others } = value as Raw
    return {
      ...others,
      // Compared as a whole.
      ...(Array.isArray(values) && { [VALUES]: JSON.stringify(values) }),
      ...(schema !== undefined && { schema: schemaOf(schema, contract) }),
    }
  })
  // It takes one range of all media types for two; under another name it does not.
  return JSON.parse(text.replaceAll('"*/*":', '"any/any":')) as object
}

const TEXTS = ['description', 'summary', 'example']

interface Raw {
  readonly enum?: unknown
  readonly schema?: { readonly $ref?: string }
}

/** A schema itself: in headers, references are not followed. */
const schemaOf = (schema: { readonly $ref?: string }, { components }: Contract): unknown =>
  schema.$ref === undefined ? schema : components?.['schemas']?.[schema.$ref.split('/').at(-1) ?? '']

/** Types whose names are gone. */
const lostNames = (before: Contract, after: Contract): string[] =>
  NAMED_TYPES.flatMap((kind) =>
    Object.keys(before.components?.[kind] ?? {})
      .filter((name) => !(name in (after.components?.[kind] ?? {})))
      .map((name) => `components ${kind} ${name}: removed or renamed`),
  )

/** Ways to authenticate that an operation no longer admits, in whatever order it lists them. */
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

/** Whether a version admits to breaking what the released one promised: by the major, before 1.0 by the minor. */
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
