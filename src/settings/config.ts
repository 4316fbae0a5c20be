/** The configuration: environment variables and files of secrets, checked once at the start, as one frozen value. */
import { misspeltSettings } from '../model/misspelt.ts'
import { QUERY_LIMITS, type QueryLimits } from '../query/lexer.ts'
import { baseUrlFaults, databaseFaults, nameFaults, proxyFaults } from './faults.ts'
import { readersOf, type Environment, type ReadInteger, type Setting } from './settings.ts'

export interface Config {
  /** TCP port to listen on, 0 to 65535; 0 lets the system choose. */
  readonly port: number
  /** How many processes share the port, 1 to 128. */
  readonly workers: number
  /** Address to listen on. */
  readonly host: string
  /** TCP port of the admin server, 0 to 65535; undefined for no admin server. */
  readonly adminPort: number | undefined
  /** Address of the admin server. */
  readonly adminHost: string
  /** Host names that the admin server accepts, besides the machine's own. */
  readonly adminNames: readonly string[]
  /** How long a stopping service still accepts connections, in milliseconds. */
  readonly drainWaitMs: number
  /** How long the running requests may take after that, in milliseconds. */
  readonly drainMs: number
  /** `sqlite:<file>`, or `mysql:` with one or several hosts (src/data/database/mysql/mysql-address.ts). */
  readonly databaseUrl: string
  /** The file that has the database URL, if one has it. */
  readonly databaseUrlFile: string | undefined
  /** What a start does where there is no store. */
  readonly newStore: NewStore
  /** How long to wait at the start for a database server that cannot be reached, in milliseconds. */
  readonly startupWaitMs: number
  /** Password of the superuser `service`, used only at the first start. */
  readonly adminPassword: string | undefined
  /** Why the file with that password cannot be read, which is a fault at the first start only. */
  readonly adminPasswordFault: string | undefined
  /** The least length of a new password, in characters. */
  readonly minPasswordLength: number
  /** The start of absolute URLs, without a trailing slash; undefined if each request determines it. */
  readonly baseUrl: string | undefined
  /** The realm of HTTP authentication. */
  readonly serviceName: string
  /** Proxies whose `X-Forwarded-*` headers are trusted: addresses, networks or the names of Express's `trust proxy`. */
  readonly trustProxy: readonly string[]
  /** Maximum length of a request body, in octets. */
  readonly maxBodyBytes: number
  /** Maximum length of a body that the service reads as JSON, structured or a primitive value, in octets. */
  readonly maxJsonBytes: number
  /** How many octets the values of one PUT `/values` may have in all. */
  readonly maxWriteBytes: number
  /** Maximum length of a request target, in octets. */
  readonly maxUrlBytes: number
  /** Maximum total size of the request headers, in octets. */
  readonly maxHeaderBytes: number
  /** Maximum nesting of arrays and objects in a JSON body. */
  readonly maxJsonDepth: number
  /** Limits of the query language. */
  readonly queryLimits: QueryLimits
  /** How many connections a process keeps open. */
  readonly maxConnections: number
  /** How long a client may take for the headers and for a whole request, in milliseconds. */
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  /** How long a client may send nothing between two requests, or read nothing of an answer, in milliseconds. */
  readonly idleTimeoutMs: number
  /** How long the queries of one request may run, in milliseconds. */
  readonly queryTimeoutMs: number
  /** The shortest time of a query that is logged as slow, in milliseconds. */
  readonly slowQueryMs: number
  /** The lowest level that is logged. */
  readonly logLevel: LogLevel
  /** The file of the log; undefined for standard error. */
  readonly logFile: string | undefined
  /** Whether to send spans to an OpenTelemetry collector. */
  readonly tracing: boolean
  /** Origins of web pages whose requests may carry ambient credentials. */
  readonly credentialOrigins: readonly string[]
  /** Which requests may use JSONP. */
  readonly jsonp: JsonpMode
}

/** Every request; events that an operator may want to look into; faults of the service. */
export type LogLevel = (typeof LOG_LEVELS)[number]

const LOG_LEVELS = ['info', 'warn', 'error'] as const

/** Make a store, or refuse to start. */
export type NewStore = (typeof NEW_STORES)[number]

const NEW_STORES = ['make', 'refuse'] as const

/** JSONP for all requests, only for reads, or for none. */
export type JsonpMode = (typeof JSONP_MODES)[number]

const JSONP_MODES = ['on', 'read', 'off'] as const

const MIB = 1024 * 1024
const HOUR_MS = 3_600_000
// The largest body must fit into one packet to MySQL and into one V8 string.
const MOST_BODY_BYTES = 256 * MIB
const MOST_WRITE_BYTES = 1024 * 1024 * MIB

/** The result of reading an environment. */
export interface Examined {
  /** A faulty setting has its default. */
  readonly config: Config
  /** Each setting, in the order of reading. */
  readonly settings: readonly Setting[]
  /** The faults of settings. */
  readonly faults: readonly string[]
  /** Variables whose names are nearly those of settings. */
  readonly misspelt: readonly string[]
}

/** Reads the environment and the files that it names. Throws a single error that lists all faults. */
export function readConfig(env: Environment): Config {
  const { config, faults, misspelt } = examineConfig(env)
  const wrong = [...faults, ...misspelt]
  if (wrong.length > 0)
    throw new Error(`The configuration is not valid:\n${wrong.map((fault) => `  ${fault}`).join('\n')}`)
  return config
}

/** Reads the environment and the files that it names; does not throw for faults. */
export function examineConfig(env: Environment): Examined {
  const { text, list, integer, word, secret, faults, settings } = readersOf(env)
  const ofAdminPassword: string[] = []
  const config: Config = {
    port: integer('PORT', 8080, 0, 65_535),
    workers: integer('WORKERS', 1, 1, 128),
    host: text('HOST', '127.0.0.1'),
    adminPort: text('ADMIN_PORT', '') === '' ? undefined : integer('ADMIN_PORT', 0, 0, 65_535),
    adminHost: text('ADMIN_HOST', '127.0.0.1'),
    adminNames: list('ADMIN_NAMES'),
    drainWaitMs: integer('DRAIN_WAIT_MS', 0, 0, HOUR_MS),
    drainMs: integer('DRAIN_MS', 10_000, 0, HOUR_MS),
    databaseUrl: secret('DATABASE_URL', 'sqlite:./var/gloss.db'),
    databaseUrlFile: env['DATABASE_URL_FILE'] || undefined,
    newStore: word('NEW_STORE', NEW_STORES),
    startupWaitMs: integer('STARTUP_WAIT_MS', 10_000, 0, HOUR_MS),
    adminPassword: secret('ADMIN_PASSWORD', '', ofAdminPassword) || undefined,
    adminPasswordFault: ofAdminPassword[0],
    minPasswordLength: integer('MIN_PASSWORD_LENGTH', 8, 1, 128),
    baseUrl: text('BASE_URL', '').replace(/(?<!\/)\/+$/, '') || undefined,
    serviceName: text('SERVICE_NAME', 'Gloss'),
    trustProxy: list('TRUST_PROXY'),
    ...bodyLimitsOf(integer),
    maxUrlBytes: integer('MAX_URL_BYTES', 64 * 1024, 256, MIB),
    maxHeaderBytes: integer('MAX_HEADER_BYTES', 80 * 1024, 1024, MIB),
    maxJsonDepth: integer('MAX_JSON_DEPTH', 100, 5, 1000),
    maxWriteBytes: integer('MAX_WRITE_BYTES', 1024 * MIB, 1, MOST_WRITE_BYTES),
    queryLimits: queryLimitsOf(integer),
    maxConnections: integer('MAX_CONNECTIONS', 10_000, 1, 1_000_000),
    headersTimeoutMs: integer('HEADERS_TIMEOUT_MS', 30_000, 100, HOUR_MS),
    requestTimeoutMs: integer('REQUEST_TIMEOUT_MS', 300_000, 100, HOUR_MS),
    // Longer than load balancers usually keep idle connections, so that they use none that the service is closing.
    idleTimeoutMs: integer('IDLE_TIMEOUT_MS', 75_000, 100, HOUR_MS),
    queryTimeoutMs: integer('QUERY_TIMEOUT_MS', 60_000, 1, HOUR_MS),
    slowQueryMs: integer('SLOW_QUERY_MS', 1000, 0, HOUR_MS),
    logLevel: word('LOG_LEVEL', LOG_LEVELS),
    logFile: text('LOG_FILE', '') || undefined,
    tracing: text('OTEL_EXPORTER_OTLP_ENDPOINT', '') !== '',
    credentialOrigins: list('CORS_CREDENTIAL_ORIGINS'),
    jsonp: word('JSONP', JSONP_MODES),
  }
  return {
    config: Object.freeze(config),
    settings: [...settings.values()],
    faults: [...faults, ...faultsOf(config)],
    misspelt: misspeltSettings(env, new Set(settings.keys())),
  }
}

/** The faults of settings that were read. */
const faultsOf = (config: Config): readonly string[] => [
  ...adminFaults(config),
  ...bodyFaults(config),
  ...databaseFaults(config.databaseUrl),
  ...passwordFaults(config),
  ...baseUrlFaults(config.baseUrl),
  ...nameFaults(config.serviceName),
  ...proxyFaults(config.trustProxy),
]

function bodyLimitsOf(integer: ReadInteger): Pick<Config, 'maxBodyBytes' | 'maxJsonBytes'> {
  const maxBodyBytes = integer('MAX_BODY_BYTES', 16 * MIB, 1, MOST_BODY_BYTES)
  const maxJsonBytes = integer('MAX_JSON_BYTES', Math.min(2 * MIB, maxBodyBytes), 1, MOST_BODY_BYTES)
  return { maxBodyBytes, maxJsonBytes }
}

const queryLimitsOf = (integer: ReadInteger): QueryLimits => ({
  bytes: integer('MAX_QUERY_BYTES', QUERY_LIMITS.bytes, 16, MIB),
  operators: integer('MAX_QUERY_OPERATORS', QUERY_LIMITS.operators, 1, 10_000),
  nesting: integer('MAX_QUERY_NESTING', QUERY_LIMITS.nesting, 1, 1000),
})

/** The admin server must not be reachable on the public address. */
function adminFaults({ port, host, adminPort, adminHost }: Config): string[] {
  const meet = host === adminHost || [host, adminHost].some((one) => ['0.0.0.0', '::'].includes(one))
  return adminPort === port && adminPort !== 0 && meet
    ? [`ADMIN_PORT must not be PORT (${port}) on the same address`]
    : []
}

function bodyFaults({ maxBodyBytes, maxJsonBytes }: Config): string[] {
  return maxJsonBytes > maxBodyBytes
    ? [`MAX_JSON_BYTES (${maxJsonBytes}) must not be more than MAX_BODY_BYTES (${maxBodyBytes})`]
    : []
}

function passwordFaults({ adminPassword, minPasswordLength }: Config): string[] {
  return adminPassword === undefined || [...adminPassword].length >= minPasswordLength
    ? []
    : [`ADMIN_PASSWORD must have at least ${minPasswordLength} characters (MIN_PASSWORD_LENGTH)`]
}
