/** HTTP Basic: who a request runs as (S 5). Verified credentials are remembered, bound to the stored hash. */
import { argon2, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import type { Account } from '../data/things/users.ts'
import type { Caller } from '../data/store/views.ts'
import { SignInThrottle } from './throttle.ts'

const MEMORY_KIB = 19_456
const PASSES = 2
const TAG_BYTES = 32
const SALT_BYTES = 16

function derive(password: string, salt: Buffer): Promise<Buffer> {
  const parameters = {
    message: Buffer.from(password),
    nonce: salt,
    parallelism: 1,
    tagLength: TAG_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  }
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

const PREFIX = `$argon2id$v=19$m=${String(MEMORY_KIB)},t=${String(PASSES)},p=1$`
const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** The argon2id hash of a password with a fresh salt, in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return `${PREFIX}${unpadded(salt)}$${unpadded(await derive(password, salt))}`
}

async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const [salt = '', expected = ''] = passwordHash.slice(PREFIX.length).split('$')
  const actual = await derive(password, Buffer.from(salt, 'base64'))
  const wanted = Buffer.from(expected, 'base64')
  return passwordHash.startsWith(PREFIX) && wanted.length === actual.length && timingSafeEqual(wanted, actual)
}

const REMEMBERED = 10_000

/** Finds out who a request runs as, from its `Authorization` header and the address that it comes from. */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Caller>

/** Makes an `Authenticate`. It throws `WrongCredentials` and `TooManyRequests`. */
export function createAuthenticator(options: {
  readonly findAccount: (username: string) => Promise<Account | undefined>
  readonly anonymous: Caller
}): Authenticate {
  const throttle = new SignInThrottle()
  // A digest instead of a hash for credentials that were right before: microseconds instead of 25 ms. It covers the
  // stored hash, so a changed password is out of use at once, whichever process changed it. It never leaves the process.
  const secret = randomBytes(32).toString('hex')
  const verified = new Set<string>()
  const underWay = new Map<string, Promise<boolean>>()
  const digestOf = (username: string, password: string, passwordHash: string): string =>
    hash('sha256', JSON.stringify([secret, username, password, passwordHash]), 'base64')
  const nobodysHash = hashPassword(randomBytes(16).toString('hex'))

  const remember = (digest: string): void => {
    if (verified.size >= REMEMBERED) verified.clear()
    verified.add(digest)
  }
  const verify = async (digest: string, password: string, passwordHash: string, admitted: () => void) => {
    const right = await verifyPassword(password, passwordHash)
    if (right) {
      admitted()
      remember(digest)
    }
    return right
  }

  return async (authorization, address) => {
    if (authorization === undefined) return options.anonymous
    const { username, password } = readCredentials(authorization)
    const account = await options.findAccount(username)
    const name = account?.caller.username ?? username.toLowerCase()
    // As much work for a user who does not exist as for one who does, so that the time tells nobody who does.
    const passwordHash = account?.passwordHash ?? (await nobodysHash)
    const digest = digestOf(name, password, passwordHash)
    if (account !== undefined && verified.has(digest)) return account.caller
    // Somebody who begins with many requests at once signs in once, not many times.
    const known = underWay.get(digest)
    const attempt = known ?? verify(digest, password, passwordHash, throttle.admit(address, name))
    if (known === undefined) {
      underWay.set(digest, attempt)
      void attempt.catch(() => false).then(() => underWay.delete(digest))
    }
    const right = await attempt
    if (account === undefined || !right) throw new ServiceError('WrongCredentials')
    return account.caller
  }
}

/** The user name and password of an `Authorization` header (RFC 7617). Throws `WrongCredentials`. */
function readCredentials(authorization: string): { username: string; password: string } {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) throw new ServiceError('WrongCredentials')
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) throw new ServiceError('WrongCredentials')
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
