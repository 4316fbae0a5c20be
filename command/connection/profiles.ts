/** Stores the profiles of `gloss login` (a service and its user) in a file that only its owner can read. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, misuse, STATUS } from '../../common/failure.ts'

/** A service and one of its users. */
export interface Profile {
  readonly url: string
  /** Without a user, requests are anonymous. */
  readonly user?: string
  readonly password?: string
}

interface Kept {
  /** The profile that the command uses if the command line names none. */
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

/** The name of the first profile, unless the user gives another one. */
export const DEFAULT_PROFILE = 'default'

/** The path of the file, as the XDG Base Directory Specification defines it. */
export const profilesFile = (): string =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'gloss', 'profiles.json')

/** All profiles; none if there is no file. Throws a `Failure` if it cannot read the file. */
export function readProfiles(): Kept {
  const file = profilesFile()
  if (!existsSync(file)) return { profiles: {} }
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isKept(kept)) return kept
    throw new TypeError('it does not hold profiles')
  } catch (error) {
    throw misuse(`'${file}' cannot be read: ${(error as Error).message}`, 'mend it, or delete it and log in')
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function isKept(value: unknown): value is Kept {
  if (!isObject(value) || !isObject(value['profiles'])) return false
  return Object.values(value['profiles']).every((one) => isObject(one) && typeof one['url'] === 'string')
}

/**
 * The profile of this name, or the current one; undefined if there are no profiles. Throws a `Failure` for an unknown
 * name.
 */
export function findProfile(name?: string): Profile | undefined {
  const { current, profiles } = readProfiles()
  if (name === undefined) return current === undefined ? undefined : profiles[current]
  if (Object.hasOwn(profiles, name)) return profiles[name]
  const names = Object.keys(profiles)
  throw misuse(
    `there is no profile '${name}'`,
    names.length === 0 ? `make it with gloss login --profile ${name}` : `there are ${names.join(', ')}`,
  )
}

/** Stores a profile, and makes it the current one. */
export function keepProfile(name: string, profile: Profile): void {
  const { profiles } = readProfiles()
  write({ current: name, profiles: { ...profiles, [name]: profile } })
}

/** Deletes a profile. Returns whether it existed. */
export function forgetProfile(name: string): boolean {
  const { current, profiles } = readProfiles()
  const { [name]: forgotten, ...others } = profiles
  const [next] = current === name ? Object.keys(others) : [current]
  write({ ...(next === undefined ? {} : { current: next }), profiles: others })
  return forgotten !== undefined
}

/**
 * Replaces the file atomically, so that no reader sees half of it and other users cannot read it. Throws a `Failure` if
 * it cannot write the file.
 */
function write(kept: Kept): void {
  const file = profilesFile()
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.part`, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 })
    // `writeFileSync` applies its mode only to a new file.
    chmodSync(`${file}.part`, 0o600)
    renameSync(`${file}.part`, file)
  } catch (error) {
    throw new Failure(
      `'${file}' cannot be written: ${(error as Error).message}`,
      'make its folder writable, or choose another one with XDG_CONFIG_HOME',
      STATUS.failed,
      { cause: error },
    )
  }
}
