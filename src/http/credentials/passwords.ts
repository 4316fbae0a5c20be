/** Passwords as argon2id hashes in the PHC string format, which includes the parameters of each hash. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'

/** What a hash costs. */
interface Cost {
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

/** A stored hash: its cost, its salt, and the result. */
interface StoredHash {
  readonly cost: Cost
  readonly salt: Buffer
  readonly tag: Buffer
}

/** The cost of new hashes: OWASP's first choice for one lane, which takes one core 25 ms. */
const COST: Cost = { memoryKib: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

/** A hash that costs more is refused: otherwise, somebody could stop the service by writing one into the database. */
const MAX_COST: Cost = { memoryKib: 256 * 1024, passes: 16, parallelism: 16 }
/** The minimum that argon2 itself requires (RFC 9106, 3.1). */
const MIN_MEMORY_KIB_PER_LANE = 8
const MIN_SALT_BYTES = 8
const MIN_TAG_BYTES = 16
const MAX_BYTES = 64

/** How many are derived at once: each takes a processor and 19 MiB, and one processor is left to everything else. */
const AT_ONCE = Math.max(1, availableParallelism() - 1)

/** The argon2id hash of a password, with a new salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await derive(password, COST, salt, TAG_BYTES)
  const { memoryKib, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/** Whether a hash was made with other parameters than new ones are. */
export function isOutdated(passwordHash: string): boolean {
  const stored = readHash(passwordHash)
  if (stored === undefined) return true
  const { cost, salt, tag } = stored
  return (
    cost.memoryKib !== COST.memoryKib ||
    cost.passes !== COST.passes ||
    cost.parallelism !== COST.parallelism ||
    salt.length !== SALT_BYTES ||
    tag.length !== TAG_BYTES
  )
}

/** Whether a password matches a hash, whatever the parameters of the hash. */
export async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const stored = readHash(passwordHash)
  if (stored === undefined) {
    // An unreadable hash costs as much work as others, so that timing does not give it away.
    await derive(password, COST, randomBytes(SALT_BYTES), TAG_BYTES)
    return false
  }
  const actual = await derive(password, stored.cost, stored.salt, stored.tag.length)
  return timingSafeEqual(stored.tag, actual)
}

const HASH =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,8}),t=([1-9]\d{0,8}),p=([1-9]\d{0,8})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** The parts of a hash; undefined if it is not an argon2id hash, or costs more than `MAX_COST`. */
function readHash(passwordHash: string): StoredHash | undefined {
  const [, memory, passes, lanes, salt = '', tag = ''] = HASH.exec(passwordHash) ?? []
  const cost = { memoryKib: Number(memory), passes: Number(passes), parallelism: Number(lanes) }
  const stored = { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
  return isAffordable(cost) &&
    isBetween(stored.salt.length, MIN_SALT_BYTES, MAX_BYTES) &&
    isBetween(stored.tag.length, MIN_TAG_BYTES, MAX_BYTES)
    ? stored
    : undefined
}

const isAffordable = ({ memoryKib, passes, parallelism }: Cost): boolean =>
  isBetween(parallelism, 1, MAX_COST.parallelism) &&
  isBetween(passes, 1, MAX_COST.passes) &&
  isBetween(memoryKib, MIN_MEMORY_KIB_PER_LANE * parallelism, MAX_COST.memoryKib)

const isBetween = (number: number, least: number, most: number): boolean => number >= least && number <= most

let underWay = 0
/** Those that wait for a place, who has waited longest first. */
const waiting: (() => void)[] = []

async function derive(password: string, cost: Cost, salt: Buffer, tagLength: number): Promise<Buffer> {
  if (underWay < AT_ONCE) underWay += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await deriveNow(password, cost, salt, tagLength)
  } finally {
    const next = waiting.shift()
    // Whoever is next gets the place itself.
    if (next === undefined) underWay -= 1
    else next()
  }
}

function deriveNow(password: string, cost: Cost, salt: Buffer, tagLength: number): Promise<Buffer> {
  const parameters = {
    message: Buffer.from(password),
    nonce: salt,
    parallelism: cost.parallelism,
    tagLength,
    memory: cost.memoryKib,
    passes: cost.passes,
  }
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '')
