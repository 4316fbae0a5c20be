/** The service that a subcommand talks to, and as whom. */
import { readFileSync } from 'node:fs'
import { createClient, type Client } from '../../packages/client/index.ts'
import { Failure, misuse } from '../../shared/failure.ts'
import { ask, warn } from '../terminal/terminal.ts'
import { asCurl } from '../../shared/connection/curl.ts'
import { findProfile, type Profile } from './profiles.ts'

/** Which service, and as whom: the options of every subcommand that talks to one. */
export interface ConnectionOptions {
  readonly url?: string
  readonly as?: string
  readonly profile?: string
  readonly passwordFile?: string
  readonly verbose?: true
}

/** A service, as one user. */
export interface Connection {
  /** Its methods throw a `ServiceError` for what the service refuses, and a `Failure` if nobody answers. */
  readonly client: Client
  /** The same service for whoever has not signed in. */
  readonly anonymous: Client
  readonly url: string
  /** Undefined if requests are anonymous. */
  readonly user: string | undefined
}

const LOCAL = 'http://127.0.0.1:8080'

/**
 * Connects to the service that the options name, else GLOSS_URL, else the profile, else one on this machine. The user is
 * found in the same order. The password comes from `--password-file`, GLOSS_PASSWORD, the profile, or else `passwordOf`,
 * which asks for it; if that knows none, requests are anonymous. Throws a `Failure` if it cannot be found.
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

function clientOf({ url, user, password }: Profile, { verbose }: ConnectionOptions): Client {
  const client = createClient(url, user, password)
  client.use({
    async onRequest({ request }) {
      if (verbose) warn(await asCurl(request, user))
      return undefined
    },
    onError({ error }) {
      return unreachable(url, error)
    },
  })
  return client
}

async function whereAndWho(
  options: ConnectionOptions,
  passwordOf: (user: string) => Promise<string | undefined>,
): Promise<Profile> {
  const { GLOSS_URL, GLOSS_USER } = process.env
  const profile = findProfile(options.profile)
  const url = serviceUrl(firstOf(options.url, GLOSS_URL, profile?.url) ?? LOCAL)
  // What is known of one service is not sent to another one.
  const known = profile?.url === url ? profile : undefined
  const user = firstOf(options.as, GLOSS_USER, known?.user)
  if (user === undefined) return { url }
  const password =
    givenPassword(options.passwordFile) ?? keptPassword(known, user) ?? (await passwordOf(user))
  return password === undefined ? { url } : { url, user, password }
}

/** The password that a profile has for this user. */
const keptPassword = (profile: Profile | undefined, user: string): string | undefined =>
  profile?.user === user ? profile.password : undefined

/** The first text that is there and not empty. */
const firstOf = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && text !== '')

/** The password that a file or a variable says; arguments would show it to everybody on the machine. */
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

/** Asks for the password of a user. */
export const askPassword = (user: string, whose = 'Password of'): Promise<string> =>
  ask(`${whose} ${user}: `, {
    hidden: true,
    instead: 'set GLOSS_PASSWORD, or name a file by --password-file',
  })

/** The address of a service as it is kept and compared: without a slash at its end. Throws a `Failure` for no such. */
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

/** Somebody is there: what came is too long, broken off or no HTTP, or did not come in time. */
const ANSWERED = /^(?:UND_ERR_(?!CONNECT_TIMEOUT)|HPE_)/

/** What to say when there was no answer, or none that can be read. */
function unreachable(url: string, error: unknown): Failure {
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
  const code = cause?.code ?? (error as Error).message
  if (ANSWERED.test(code)) {
    return new Failure(
      `the answer of ${url} cannot be read (${code})`,
      'try it again, and tell whoever runs the service if it stays so',
      1,
      { cause: error },
    )
  }
  return new Failure(
    `nobody answers at ${url} (${code})`,
    'start the service with gloss serve, or name another one by --url or GLOSS_URL',
    1,
    { cause: error },
  )
}
