/** Connects a subcommand to a service, as a user or anonymously. */
import { readFileSync } from 'node:fs'
import { createClient, type Client } from '../../packages/client/index.ts'
import { misuse } from '../../common/failure.ts'
import { ask, warn } from '../terminal/terminal.ts'
import { asCurl } from '../../common/connection/curl.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { findProfile, type Profile } from './profiles.ts'

/** The options that select a service and a user; every subcommand that calls a service has them. */
export interface ConnectionOptions {
  readonly url?: string
  readonly as?: string
  readonly profile?: string
  readonly passwordFile?: string
  /** The seconds that the service may send nothing, as text. */
  readonly timeout?: string
  readonly verbose?: true
}

/** A service, as one user. */
export interface Connection {
  /** Its methods throw a `ServiceError` if the service refuses the request, and a `Failure` if it gets no answer. */
  readonly client: Client
  /** The same service without credentials. */
  readonly anonymous: Client
  readonly url: string
  /** Undefined for anonymous requests. */
  readonly user: string | undefined
}

const LOCAL = 'http://127.0.0.1:8080'

/**
 * Connects to the service in the options, or else in GLOSS_URL, or else in the profile, or else on this machine. The user
 * comes from the same places in the same order. The password comes from `--password-file`, GLOSS_PASSWORD or the profile,
 * or else from `passwordOf`, which asks for it; requests are anonymous if `passwordOf` returns none. Throws a `Failure`
 * if it cannot read a file or profile that the options name.
 */
export async function connect(
  options: ConnectionOptions,
  passwordOf: (user: string) => Promise<string | undefined> = askPassword,
): Promise<Connection> {
  const { url, user, password } = await whereAndWho(options, passwordOf)
  const anonymous = clientOf({ url }, options)
  if (user === undefined || password === undefined)
    return { client: anonymous, anonymous, url, user: undefined }
  return { client: clientOf({ url, user, password }, options), anonymous, url, user }
}

/** A client as one user. Its methods throw a `Failure` if the service gives no answer, and log requests if asked to. */
export function clientOf({ url, user, password }: Profile, { verbose, timeout }: ConnectionOptions): Client {
  const client = createClient(url, {
    username: user,
    password,
    fetch: boundedFetch(url, readSeconds(firstOf(timeout, process.env['GLOSS_TIMEOUT']) ?? TIMEOUT)),
    // The command bounds the silence of a service, not the time of long work; and it waits only where it says so.
    timeout: false,
    retry: false,
  })
  client.use({
    async onRequest({ request }) {
      if (verbose) warn(await asCurl(request, user))
      return undefined
    },
  })
  return client
}

/** The default of `--timeout`. */
const TIMEOUT = '30'

/** The most seconds of `--timeout`: a day. */
const LONGEST = 86_400

/** Reads the value of `--timeout` or GLOSS_TIMEOUT. Throws a `Failure` for an invalid one. */
function readSeconds(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : NaN
  if (seconds >= 1 && seconds <= LONGEST) return seconds
  throw misuse(
    `'${text}' is no timeout`,
    `--timeout and GLOSS_TIMEOUT are whole numbers of seconds from 1 to ${LONGEST}`,
  )
}

async function whereAndWho(
  options: ConnectionOptions,
  passwordOf: (user: string) => Promise<string | undefined>,
): Promise<Profile> {
  const { GLOSS_USER } = process.env
  const profile = findProfile(options.profile)
  const url = urlOf(options, profile)
  // The command does not send the user and password of one service to another service.
  const known = profile?.url === url ? profile : undefined
  const user = firstOf(options.as, GLOSS_USER, known?.user)
  if (user === undefined) return { url }
  const password =
    givenPassword(options.passwordFile) ?? keptPassword(known, user) ?? (await passwordOf(user))
  return password === undefined ? { url } : { url, user, password }
}

/** The service of the options, of GLOSS_URL, of the profile, or of this machine. */
export const urlOf = (options: ConnectionOptions, profile = findProfile(options.profile)): string =>
  serviceUrl(firstOf(options.url, process.env['GLOSS_URL'], profile?.url) ?? LOCAL)

/** The password that the profile stores for this user. */
const keptPassword = (profile: Profile | undefined, user: string): string | undefined =>
  profile?.user === user ? profile.password : undefined

/** The first text that is neither undefined nor empty. */
const firstOf = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && text !== '')

/** The password from a file or a variable. A password in an argument would be visible to every user of the machine. */
export function givenPassword(
  file: string | undefined,
  variable: 'GLOSS_PASSWORD' | 'GLOSS_NEW_PASSWORD' = 'GLOSS_PASSWORD',
): string | undefined {
  if (file === undefined) return process.env[variable] || undefined
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw misuse(`the password cannot be read: ${(error as Error).message}`, 'name another file')
  }
}

/** Asks the person at the terminal for the password of a user. */
export const askPassword = (user: string, whose = 'Password of'): Promise<string> =>
  ask(`${whose} ${user}: `, {
    hidden: true,
    instead: 'set GLOSS_PASSWORD, or name a file by --password-file',
  })

/**
 * Normalises the address of a service: without a slash at its end. Throws a `Failure` if the text is not such an address.
 */
export function serviceUrl(text: string): string {
  if (URL.canParse(text)) {
    const { protocol, username, password, search, hash } = new URL(text)
    if (username !== '' || password !== '') {
      throw misuse('the URL must not hold a user or a password', 'name the user by --as')
    }
    if (/^https?:$/.test(protocol) && search === '' && hash === '') return text.replace(/(?<!\/)\/+$/, '')
  }
  throw misuse(`'${text}' is no address of a service`, `it looks like ${LOCAL}`)
}
