/** The released versions of the contract, and which version may break what. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { compareVersions } from '../contract-versions.ts'
import type { Contract } from './document.ts'

const numbersOf = (version: string): number[] => releaseOf(version).split('.').map(Number)

export const isPreRelease = (version: string): boolean => version.includes('-')

/** The version without the name of its pre-release: `1.1.0` of `1.1.0-rc.2`. */
export const releaseOf = (version: string): string => version.replace(/-.*/, '')

/**
 * Returns whether a version may break what an earlier one promised: a new major version, before 1.0 a new minor one. A
 * pre-release promises nothing to the versions of the same number.
 */
export function admitsBreaking(earlier: string, version: string): boolean {
  const [major = 0, minor = 0] = numbersOf(earlier)
  const [newMajor = 0, newMinor = 0] = numbersOf(version)
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
    .sort((one, other) => compareVersions(one.info.version, other.info.version))
