/** Fails where the contract breaks what the one last released promised (`npm run contract:changes`). */
import { readFileSync } from 'node:fs'
import { apiCompare, type Diff } from 'api-smart-diff'
import { parse } from 'yaml'

/** The changes between two contracts, in YAML, that an application of the first may not survive, in words. */
export function breakingChanges(released: string, current: string): string[] {
  const { diffs } = apiCompare(comparable(released), comparable(current))
  // What is shared is compared wherever it is used.
  const breaking = diffs.filter((diff) => diff.path[0] === 'paths' && breaks(diff))
  return breaking.map(
    ({ action, path, description }) => `${path.slice(1).join(' ')}: ${description ?? action}`,
  )
}

/** What the comparison says, but for what it takes too lightly, or does not tell apart in bodies and answers. */
function breaks({ type, action, path, before, after }: Diff): boolean {
  const what = path.at(-1)
  // Clients that are generated have functions of these names.
  if (what === 'operationId') return true
  if (path.at(-2) === 'properties' && action === 'remove') return true
  if (what === 'type' && action === 'replace') {
    const [from, to] = [typesOf(before), typesOf(after)]
    return path.includes('responses')
      ? !to.every((one) => from.includes(one))
      : !from.every((one) => to.includes(one))
  }
  return type === 'breaking'
}

const typesOf = (type: unknown): unknown[] => [type, type === 'number' ? 'integer' : []].flat()

/** The comparison takes one range of all media types for two; under another name it does not. */
const comparable = (contract: string): object =>
  JSON.parse(JSON.stringify(parse(contract)).replaceAll('"*/*":', '"any/any":')) as object

/** Whether a version admits to breaking what the released one promised: by the major, before 1.0 by the minor. */
export function admitsBreaking(released: string, current: string): boolean {
  const [major = 0, minor = 0] = released.split('.').map(Number)
  const [newMajor = 0, newMinor = 0] = current.split('.').map(Number)
  return newMajor > major || (major === 0 && newMajor === 0 && newMinor > minor)
}

if (import.meta.main) {
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
