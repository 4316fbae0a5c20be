/** Decides whether a contract may follow the released ones, and writes what changed. */
import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import { compareVersions } from '../contract-versions.ts'
import { KINDS, type Change } from './change.ts'
import { compare, type Told } from './compare.ts'
import type { Contract } from './document.ts'
import { admitsBreaking, isPreRelease, releaseOf } from './versions.ts'

/** The breaks that people have named, with their reasons, by the version that makes them. */
export type Breaks = Readonly<Record<string, readonly { readonly what: string; readonly why: string }[]>>

/** What the gate decides from. */
export interface Released {
  /** From the first version to the last. */
  readonly kept: readonly Contract[]
  readonly breaks: Breaks
}

const RAISE = 'raise info.version in openapi/spec.yaml and the version in package.json and package-lock.json'

/** Says in words why a published contract may not follow the released ones. Empty if it may. */
export function faultsOf(current: Contract, { kept, breaks }: Released): string[] {
  const { version } = current.info
  const last = kept.at(-1)
  const same = kept.find(({ info }) => info.version === version)
  if (same !== undefined && !isDeepStrictEqual(same, current))
    return [`version ${version} has been released and does not change, not even in its texts: ${RAISE}`]
  if (last !== undefined && compareVersions(version, last.info.version) < 0)
    return [`version ${version} comes before ${last.info.version}, which has been released: ${RAISE}`]
  const versions = same === undefined ? [...kept, current] : kept
  const unknown = Object.keys(breaks).filter((name) => !versions.some(({ info }) => info.version === name))
  return [
    ...unknown.map((name) => `openapi/breaks.yaml names version ${name}, which there is not`),
    ...versions.flatMap((contract, index) => unlisted(versions[index - 1], contract, breaks)),
    ...(same === undefined ? [...notAdmitted(current, kept), ...undated(current, kept)] : []),
  ]
}

/** Differences between the breaks of a version and those that are listed. */
function unlisted(before: Contract | undefined, contract: Contract, breaks: Breaks): string[] {
  const { version } = contract.info
  const listed = (breaks[version] ?? []).map(({ what }) => what)
  const found = before === undefined ? [] : breaksBetween(before, contract)
  return [
    ...found
      .filter((what) => !listed.includes(what))
      .map((what) => `a break that is not named in openapi/breaks.yaml:\n${entryOf(version, what)}`),
    ...listed
      .filter((what) => !found.includes(what))
      .map((what) => `openapi/breaks.yaml names a break of ${version} that there is not: ${what}`),
  ]
}

const entryOf = (version: string, what: string): string =>
  stringify({ [version]: [{ what, why: 'the reason' }] }, { lineWidth: 0 })

const breaksBetween = (before: Contract, after: Contract): string[] =>
  compare(before, after)
    .filter(({ kind }) => kind === 'breaks')
    .map(({ text }) => text)

/** Breaks of the last version, or of the last one that is no pre-release, that the version number does not announce. */
function notAdmitted(current: Contract, kept: readonly Contract[]): string[] {
  const { version } = current.info
  const references = new Set([kept.at(-1), kept.findLast(({ info }) => !isPreRelease(info.version))])
  return [...references].flatMap((before) => {
    if (before === undefined || admitsBreaking(before.info.version, version)) return []
    const breaking = breaksBetween(before, current)
    if (breaking.length === 0) return []
    const lines = breaking.map((what) => `\n- ${what}`).join('')
    return [
      `version ${version} may not break ${before.info.version}; that needs a new major version:${lines}`,
    ]
  })
}

/** What came after the first release and does not say since when: `New in 1.1.0.` in its description. */
function undated(current: Contract, kept: readonly Contract[]): string[] {
  const first = kept.find(({ info }) => !isPreRelease(info.version))
  const last = kept.at(-1)
  if (first === undefined || last === undefined) return []
  const latest = additions(last, current).map(({ text }) => text)
  return additions(first, current).flatMap(({ text, added }) => {
    const [, since] = /\bNew in (\d+\.\d+\.\d+)\./.exec(String(added?.['description'])) ?? []
    const release = releaseOf(current.info.version)
    const right = latest.includes(text)
      ? since === release
      : since !== undefined &&
        compareVersions(since, first.info.version) > 0 &&
        compareVersions(since, release) <= 0
    return right ? [] : [`the description does not say 'New in ${release}.': ${text}`]
  })
}

const additions = (before: Contract, after: Contract): Change[] =>
  compare(before, after).filter(({ added, text }) => added !== undefined && !text.startsWith('`HEAD '))

const HEADINGS = { breaks: 'Breaks', deprecated: 'Deprecated', new: 'New', other: 'Changed' } as const

/** The text of openapi/CHANGES.md: what changed from version to version, the last one first. */
export function changesPage({ kept, breaks }: Released): string {
  const sections = kept.map((contract, index) => {
    const { version } = contract.info
    const before = kept[index - 1]
    const body =
      before === undefined ? 'The first version.' : sectionOf(compare(before, contract), breaks[version])
    return `## ${version}\n\n${body}\n`
  })
  const none = kept.length === 0 ? ['No version has been released.\n'] : []
  return ['# Changes of the contract\n', ...none, ...sections.toReversed()].join('\n')
}

function sectionOf(changes: readonly Told[], reasons: Breaks[string] = []): string {
  if (changes.length === 0) return 'Only texts and examples changed.'
  const parts = KINDS.map((kind) => ({ kind, lines: changes.filter((change) => change.kind === kind) }))
  return parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ kind, lines }) => {
      const items = lines.map((change) => `- ${lineOf(change)}${reasonOf(change, reasons)}`)
      return `### ${HEADINGS[kind]}\n\n${items.join('\n')}`
    })
    .join('\n\n')
}

/** How many operations are named. */
const NAMED = 4

/** A change in a line, with the operations that it is about. */
export function lineOf({ text, usedIn = [] }: Told): string {
  if (usedIn.length === 0) return text
  const named = usedIn.map((label) => `\`${label}\``).join(', ')
  return `${text} (in ${usedIn.length > NAMED ? `${usedIn.length} operations` : named})`
}

function reasonOf({ kind, text }: Told, reasons: readonly { what: string; why: string }[]): string {
  const why = kind === 'breaks' ? reasons.find(({ what }) => what === text)?.why : undefined
  return why === undefined ? '' : `. ${why}`
}
