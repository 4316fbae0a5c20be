/** The gate for changes of the contract (`npm run contract:changes`), and its releases (`npm run contract:release`). */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { publish } from '../src/documents/published.ts'
import { compare } from './contract/compare.ts'
import type { Contract } from './contract/document.ts'
import { changesPage, faultsOf, lineOf, type Breaks, type Released } from './contract/gate.ts'
import { keptIn } from './contract/versions.ts'
import { ROOT } from './digest.ts'
import { argumentsOf, flag } from './usage.ts'

/** The files of a checkout. */
const filesOf = (root: string) => ({
  contract: join(root, 'generated/openapi.yaml'),
  versions: join(root, 'openapi/versions'),
  breaks: join(root, 'openapi/breaks.yaml'),
  changes: join(root, 'openapi/CHANGES.md'),
})

function readAll(root: string): { current: Contract; released: Released } {
  const { contract, versions, breaks } = filesOf(root)
  const current = publish(parse(readFileSync(contract, 'utf8')) as object) as Contract
  return {
    current,
    released: { kept: keptIn(versions), breaks: (parse(readFileSync(breaks, 'utf8')) ?? {}) as Breaks },
  }
}

/** Why the contract of a checkout may not be released as it is. Empty if it may. */
export function check(root: string): string[] {
  const { current, released } = readAll(root)
  const isCurrent = readFileSync(filesOf(root).changes, 'utf8') === changesPage(released)
  return [
    ...faultsOf(current, released),
    ...(isCurrent ? [] : ['openapi/CHANGES.md is not what npm run contract:release writes']),
  ]
}

/** Keeps the contract of a checkout as a released version, and writes the list of changes. Throws if it may not be released. */
export function release(root: string): string {
  const { current, released } = readAll(root)
  const faults = faultsOf(current, released)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const { versions, changes } = filesOf(root)
  const file = join(versions, `${current.info.version}.yaml`)
  mkdirSync(versions, { recursive: true })
  if (!existsSync(file)) writeFileSync(file, stringify(current))
  writeFileSync(changes, changesPage({ ...released, kept: keptIn(versions) }))
  return file
}

/** Prints what changed since the last version, and what is wrong with that. */
function show(root: string): void {
  const { current, released } = readAll(root)
  const last = released.kept.at(-1)
  const changes = last === undefined ? [] : compare(last, current)
  console.log(
    `From ${last?.info.version ?? 'nothing'} to ${current.info.version}: ${changes.length === 1 ? '1 change' : `${changes.length} changes`}`,
  )
  for (const change of changes) console.log(`- ${change.kind}: ${lineOf(change)}`)
  const faults = check(root)
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}

if (import.meta.main) {
  const { release: isRelease } = argumentsOf({
    name: 'npm run contract:changes --',
    does: 'Prints how the contract differs from its last version; fails if a break is not named, or the version does not admit it.',
    options: {
      release: flag(
        'keeps the contract as the released version that it names, and writes openapi/CHANGES.md',
      ),
    },
  })
  if (isRelease) console.log(`kept ${release(ROOT)}`)
  else show(ROOT)
}
