/** The released versions of the contract, and which version may break what. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import type { Contract } from './document.ts'

/** A version number in parts; `pre` are those of a pre-release, such as `rc` and `1`. */
function partsOf(version: string): { numbers: number[]; pre: string[] } {
  const [release = '', ...rest] = version.split('-')
  return { numbers: release.split('.').map(Number), pre: rest.join('-').split('.').filter(Boolean) }
}

export const isPreRelease = (version: string): boolean => partsOf(version).pre.length > 0

/** The version without the name of its pre-release: `1.1.0` of `1.1.0-rc.2`. */
export const releaseOf = (version: string): string => version.replace(/-.*/, '')

/** The order of versions by Semantic Versioning: below 0 if `one` comes first. */
export function order(one: string, another: string): number {
  const [a, b] = [partsOf(one), partsOf(another)]
  const byNumber = a.numbers
    .map((number, index) => number - (b.numbers[index] ?? 0))
    .find((sign) => sign !== 0)
  if (byNumber !== undefined) return byNumber
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length
  return a.pre.join('.').localeCompare(b.pre.join('.'), 'en', { numeric: true })
}

/**
 * Returns whether a version may break what an earlier one promised: a new major version, before 1.0 a new minor one. A
 * pre-release promises nothing to the versions of the same number.
 */
export function admitsBreaking(earlier: string, version: string): boolean {
  const [major = 0, minor = 0] = partsOf(earlier).numbers
  const [newMajor = 0, newMinor = 0] = partsOf(version).numbers
  if (isPreRelease(earlier) && releaseOf(earlier) === releaseOf(version)) return true
  return newMajor > major || (major === 0 && newMajor === 0 && newMinor > minor)
}

/** The contracts in a folder, from the first version to the last. Each file is named after its version. */
export const keptIn = (folder: string): Contract[] =>
  globSync('*.yaml', { cwd: folder })
    .map((file) => {
      const contract = parse(readFileSync(join(folder, file), 'utf8')) as Contract
      if (basename(file, '.yaml') !== contract.info.version)
        throw new Error(`${file} is the contract of version ${contract.info.version}`)
      return contract
    })
    .sort((one, other) => order(one.info.version, other.info.version))
