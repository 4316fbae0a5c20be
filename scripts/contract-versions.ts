/** The versions of the contract that are kept in `openapi/versions`, each as it was published. */
import { basename } from 'node:path'
import { filesOf } from './digest.ts'

/** The numbers of the kept versions, the earliest first. */
const keptVersions = (): string[] =>
  filesOf(['openapi/versions/*.yaml'])
    .map((file) => basename(file, '.yaml'))
    .sort(compareVersions)

/** Which of two version numbers is the earlier, as `sort` asks: a release comes after its candidates (`1.0.0-rc.1`). */
export function compareVersions(one: string, other: string): number {
  const [release = '', candidate] = one.split(/-(.*)/)
  const [otherRelease = '', otherCandidate] = other.split(/-(.*)/)
  const order = compare(release, otherRelease)
  if (order !== 0) return order
  if (candidate === undefined || otherCandidate === undefined)
    return Number(candidate === undefined) - Number(otherCandidate === undefined)
  return compare(candidate, otherCandidate)
}

const { compare } = new Intl.Collator('en', { numeric: true })

/** The parts of a bundled contract that are read here. */
interface Contract {
  readonly info: { readonly version: string }
  readonly components: { readonly parameters: { readonly ContractVersion: { readonly schema: object } } }
}

/** Lists the versions in the argument of a bundle that selects one, with the current one as its example. */
export function addVersions({ info: { version }, components: { parameters } }: Contract): void {
  const versions = [...new Set([...keptVersions(), version])].sort(compareVersions)
  const schema = { ...parameters.ContractVersion.schema, enum: versions }
  Object.assign(parameters.ContractVersion, { schema, example: version })
}
