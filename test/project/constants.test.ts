/** The numbers that documents name are those in the code: settings, limits, waits and counts in use. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { examineConfig, readConfig } from '../../src/settings/config.ts'
import { MAX_CONNECTIONS, SCAN_PLACES } from '../../src/data/database/knex-config.ts'
import { MAX_OBJECTS } from '../../src/data/search/plan.ts'
import { readContract } from '../../src/http/contract/contract.ts'
import { DEFAULTED } from '../../src/http/handler.ts'
import { readOperations } from '../../src/http/contract/validation.ts'
import { MAX_PATH_CODE_POINTS, MAX_USERNAME_CODE_POINTS } from '../../src/model/name-lengths.ts'
import { waitsFor } from '../../src/data/database/connection/waits.ts'
import { VerifiedCredentials } from '../../src/http/credentials/credentials.ts'
import { MAX_JSON_VALUES } from '../../src/model/json.ts'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

/** A number that a module keeps to itself. */
function constant(file: string, name: string): number {
  const written = new RegExp(`^(?:export )?const ${name} = ([\\d_* ]+)$`, 'm').exec(read(file))?.[1]
  if (written === undefined) throw new Error(`${file} has no number ${name}`)
  return written
    .replaceAll('_', '')
    .split('*')
    .reduce((product, factor) => product * Number(factor), 1)
}

test('the page on configuration has the default of each setting', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` +\| (.+?) +\|/gm)]
  const documented = new Map(rows.map(([, name = '', value = '']) => [name, value.replaceAll('`', '')]))
  const { settings } = examineConfig({})
  expect(settings.length).toBeGreaterThan(30)
  for (const { name, value } of settings.filter((setting) => setting.value !== ''))
    expect([name, documented.get(name)]).toEqual([name, value])
})

const KIB = 1024
const MIB = 1024 * KIB
const config = readConfig({})
const waits = waitsFor(config.queryTimeoutMs)
const pools = MAX_CONNECTIONS.mysql
const allConnections = pools.lookup + pools.read + pools.scan + pools.write + pools.row

const whole = (value: number): string => {
  expect(Number.isInteger(value)).toBe(true)
  return value.toLocaleString('en')
}
const seconds = (ms: number): string => whole(ms / 1000)
/** As long as its eighth: what a statement has before it is given up. */
const withEighth = (ms: number): number => ms + ms / 8

const THROTTLE = 'src/http/credentials/throttle.ts'
const [both, network, name] = ['BOTH', 'NETWORK', 'NAME'].map((kind) =>
  whole(constant(THROTTLE, `FAILURES_OF_${kind}`)),
)
const STORE = 'src/data/store/store.ts'
const ROOM = 'src/http/answer/memory-budget.ts'
const SQLITE_ROOM = 'src/data/database/sqlite/room.ts'

/** What documents say, with the numbers of the code. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  'openapi/manual.md': [
    `After ${both} failed sign-ins within a minute with one user name from one address, or ${network} from one address`,
    `a URL may be ${whole(config.maxUrlBytes / KIB)} KiB long, all request headers together ${whole(config.maxHeaderBytes / KIB)} KiB`,
    `and an opaque value ${whole(config.maxBodyBytes / MIB)} MiB. What is read as JSON, a structured body or a primitive value, may have ${whole(config.maxJsonBytes / MIB)} MiB as it is sent, and ${whole(MAX_JSON_VALUES)} JSON values`,
    `one PUT \`/values\` writes may have ${whole(config.maxWriteBytes / MIB / KIB)} GiB in all`,
    `Arrays and objects in JSON may be nested ${whole(config.maxJsonDepth)} deep`,
    `The headers must arrive within ${seconds(config.headersTimeoutMs)} seconds, a whole request within ${whole(config.requestTimeoutMs / 60_000)} minutes`,
    `nothing of its answer for ${seconds(config.idleTimeoutMs)} seconds is cut off`,
    `one request match may take ${seconds(config.queryTimeoutMs)} seconds`,
    `a content type of at most ${whole(constant('src/http/request/body.ts', 'MAX_TYPE_OCTETS'))} octets`,
  ],
  'SECURITY.md': [
    `counted by user name and address (${both} a minute), by address (${network}) and by name from all addresses (${name}: then one attempt a second is looked at)`,
  ],
  'docs/limits.md': [
    `body | ${whole(config.maxBodyBytes / MIB)} MiB |`,
    `body that is JSON, also as a primitive value | ${whole(config.maxJsonBytes / MIB)} MiB |`,
    `values in it | ${whole(MAX_JSON_VALUES)} |`,
    `nesting in it | ${whole(config.maxJsonDepth)} |`,
    `written by one PUT \`/values\` | ${whole(config.maxWriteBytes / MIB / KIB)} GiB |`,
    `URL | ${whole(config.maxUrlBytes / KIB)} KiB |`,
    `all headers | ${whole(config.maxHeaderBytes / KIB)} KiB |`,
    `time for the headers | ${seconds(config.headersTimeoutMs)} s |`,
    `time for the request | ${whole(config.requestTimeoutMs / 60_000)} min |`,
    `time in which nothing is sent or read | ${seconds(config.idleTimeoutMs)} s |`,
    `connections | ${whole(config.maxConnections)} |`,
    `memory for bodies and answers over ${whole(constant(ROOM, 'SMALL_BYTES') / KIB)} KiB | ${whole(constant(ROOM, 'BUDGET_BYTES') / MIB)} MiB, and for one user half of it | they wait for up to ${seconds(constant(ROOM, 'WAIT_MS'))} s`,
    `failed sign-ins by name and address | ${both} a minute |`,
    `failed sign-ins by address | ${network} a minute |`,
    `failed sign-ins by name | ${name} a minute |`,
    `length | ${whole(config.queryLimits.bytes / KIB)} KiB |`,
    `operators | ${whole(config.queryLimits.operators)} |`,
    `nesting | ${whole(config.queryLimits.nesting)} |`,
    `objects that it, or an operand, matches | ${whole(MAX_OBJECTS)} |`,
    `time for the queries of a request | ${seconds(config.queryTimeoutMs)} s |`,
    `time for those that run among writes | ${seconds(waits.findingInTransaction)} s |`,
    `long requests at once | of two users, and one more | they wait for ${seconds(constant(STORE, 'SCAN_WAIT_MS'))} s`,
    `long requests of one user that wait | ${whole(constant(STORE, 'MAX_WAITING'))} |`,
  ],
  'docs/databases.md': [
    `503 after ${seconds(waits.connect)} seconds for a new connection, ${seconds(withEighth(waits.statement))} for a statement under way`,
    `503 after ${seconds(withEighth(waits.statement))} seconds for a single statement`,
    `all connections are in use | 503 after ${seconds(waits.place)} seconds`,
    `Each process opens at most ${allConnections} connections`,
    `${pools.lookup} for single statements that read, ${pools.row} for those that write, ${pools.read} for short reads, ${pools.write} for transactions and ${pools.scan} for searches`,
    `After \`STARTUP_WAIT_MS\` (${seconds(config.startupWaitMs)} seconds)`,
  ],
  'docs/clusters.md': [
    `Gloss looks every ${seconds(constant('src/data/database/mysql/mysql-hosts.ts', 'LOOK_MS'))} seconds`,
  ],
  'docs/large-stores.md': [
    `such queries may take ${seconds(waits.findingInTransaction)} seconds in all`,
    `more than ${whole(constant(STORE, 'MAX_WAITING'))} of one user at once`,
    `\`MAX_WRITE_BYTES\` (${whole(config.maxWriteBytes / MIB / KIB)} GiB)`,
    `answer longer than ${whole(constant('src/http/answer/spool.ts', 'MEMORY_BYTES') / MIB)} MB to a temporary file`,
  ],
  'docs/full-disk.md': [
    `less room than ${whole(constant(SQLITE_ROOM, 'MOST_KEPT_BYTES') / MIB)} MiB`,
    `when it has more than ${whole(constant(SQLITE_ROOM, 'LONG_LOG_BYTES') / MIB)} MiB`,
    `after ${seconds(constant('src/data/database/threads/connection-thread.ts', 'IDLE_MS'))} seconds without a write`,
    `${whole(constant('src/data/operations/free-pages.ts', 'PAGES_AT_ONCE'))} pages in a transaction`,
  ],
  'docs/sizing.md': [
    `Bodies and answers of more than ${whole(constant(ROOM, 'SMALL_BYTES') / KIB)} KiB have ${whole(constant(ROOM, 'BUDGET_BYTES') / MIB)} MiB together in a process`,
    `Requests that wait for more than ${seconds(constant(ROOM, 'WAIT_MS'))} seconds get a 503`,
  ],
  'docs/operations.md': [
    `One that has said nothing for ${whole(constant('src/process/workers.ts', 'GONE'))} seconds`,
  ],
  'docs/monitoring.md': [
    `that were right before and need no hash, at most ${whole(constant('src/http/credentials/credentials.ts', 'MAX_REMEMBERED'))} in a process`,
  ],
  'docs/behind-a-proxy.md': [
    `URLs may have ${whole(config.maxUrlBytes / KIB)} KiB, all headers together ${whole(config.maxHeaderBytes / KIB)} KiB, bodies ${whole(config.maxBodyBytes / MIB)} MiB`,
  ],
}

test.each(Object.entries(SAID))('%s has the numbers of the code', (document, sentences) => {
  const text = read(document).replace(/\s+/g, ' ')
  expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([])
})

const { bytes, operators, nesting } = config.queryLimits
const MAX_ABOUT_BYTES = constant('src/data/entities/objects.ts', 'MAX_ABOUT_BYTES')
const MAX_TYPE_OCTETS = constant('src/http/request/body.ts', 'MAX_TYPE_OCTETS')

/** What the contract says in several places, with the number in parentheses. */
const BOUNDS: readonly (readonly [said: RegExp, bound: number])[] = [
  [/query [^.]*?at most ([\d,]+) KiB/g, bytes / KIB],
  [/([\d,]+) operators/g, operators],
  [/([\d,]+) levels of nesting/g, nesting],
  [/([\d,]+) bytes (?:of UTF-8|in UTF-8|or holds NUL)/g, MAX_ABOUT_BYTES],
  [/match(?:es)? more than ([\d,]+) objects/g, MAX_OBJECTS],
  [/(?:of at most|longer than) ([\d,]+) octets/g, MAX_TYPE_OCTETS],
  [/([\d,]+) MiB(?: as it is sent,)? and [\d,]+ (?:JSON )?values/g, config.maxJsonBytes / MIB],
  [/MiB(?: as it is sent,)? and ([\d,]+) (?:JSON )?values/g, MAX_JSON_VALUES],
  [/opaque(?: value|, of at most) ([\d,]+) MiB/g, config.maxBodyBytes / MIB],
  [/(?:path|namespace)[^.`]*? (?:at most|than) ([\d,]+) characters/g, MAX_PATH_CODE_POINTS],
  [/signs in with, 1 to ([\d,]+) characters/g, MAX_USERNAME_CODE_POINTS],
  [/identifier of at most ([\d,]+) characters/g, constant('src/http/jsonp.ts', 'MAX_CALLBACK_CHARACTERS')],
]

test.each(BOUNDS)('where the contract says %s, it has the number of the code', (said, bound) => {
  const text = read('generated/openapi.yaml').replace(/\s+/g, ' ')
  const numbers = [...text.matchAll(said)].map(([, number]) => number)
  expect([...new Set(numbers)]).toEqual([whole(bound)])
})

test('the schemas have the lengths of names', () => {
  const { components } = readContract() as { components: { schemas: Record<string, { maxLength: number }> } }
  const { NameText, NamespacePathText, TagPathText, UsernameText, NewUsernameText } = components.schemas
  // The name of a user and a slash stand before every other name.
  expect(NameText?.maxLength).toBe(MAX_PATH_CODE_POINTS - 'a/'.length)
  expect([NamespacePathText, TagPathText].map((schema) => schema?.maxLength)).toEqual(
    Array(2).fill(MAX_PATH_CODE_POINTS),
  )
  expect([UsernameText, NewUsernameText].map((schema) => schema?.maxLength)).toEqual(
    Array(2).fill(MAX_USERNAME_CODE_POINTS),
  )
})

test('the arguments that handlers take as given are those with a default', async () => {
  const args = (await readOperations())
    .flatMap(({ parameters = [] }) => parameters)
    .filter((parameter) => parameter.in === 'query')
  const named = (hasDefault: boolean): string[] => [
    ...new Set(args.filter(({ schema }) => 'default' in schema === hasDefault).map((one) => one.name)),
  ]
  expect(named(true).sort()).toEqual(DEFAULTED.toSorted())
  expect(named(false).filter((one) => named(true).includes(one))).toEqual([])
})

test('numbers that documents write as words', () => {
  const text = read('docs/large-stores.md').replace(/\s+/g, ' ')
  expect(text).toContain(
    'runs up to three such requests at once: of two users, and one more of a user who already has one running',
  )
  expect(SCAN_PLACES).toEqual({ parties: 2, further: 1 })
  expect(MAX_CONNECTIONS.sqlite.scan).toBe(3)
  expect(text).toContain('Others wait for up to a minute and then get a 503')
  expect(constant(STORE, 'SCAN_WAIT_MS')).toBe(60_000)
  expect(constant(THROTTLE, 'WINDOW_MS')).toBe(60_000)
  expect(constant(THROTTLE, 'TRIALS_OF_NAME')).toBe(1)
})

test('waits that follow one another are below 15 seconds', () => {
  const { connect, place, statement, aside } = waits
  expect(Math.max(connect + place, withEighth(statement) + aside)).toBeLessThan(15_000)
})

test('no more credentials are remembered than that', () => {
  const most = constant('src/http/credentials/credentials.ts', 'MAX_REMEMBERED')
  const verified = new VerifiedCredentials()
  for (let i = 0; i < most; i++) verified.add(String(i), 'hash')
  expect(verified.size).toBe(most)
  verified.add('one more', 'hash')
  expect(verified.size).toBeLessThanOrEqual(most)
  expect(verified.isRight('one more', 'hash')).toBe(true)
})
