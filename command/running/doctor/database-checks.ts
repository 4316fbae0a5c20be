/** The checks of the doctor for every kind of database: connection, version, schema, completeness, clock. */
import type { Examined } from '../../../src/settings/config.ts'
import { openProbe, type Probe } from '../../../src/data/database/probe.ts'
import { sqlitePath } from '../../../src/data/database/sqlite/sqlite-file.ts'
import { refusal, tryProofs } from '../../../src/data/store/engine-proofs.ts'
import { appliedMigrations } from '../../../src/data/store/store-check.ts'
import { RESTORING } from '../../../src/data/store/tables.ts'
import { fitOf, SCHEMA } from '../../../src/data/store/versions.ts'
import { startTrouble, whereabouts, type Trouble } from '../../../src/process/start-failure.ts'
import { failure, ok, unknown, warning, type Finding } from './finding.ts'
import { MYSQL_CHECKS, mysqlChecks, versionOf } from './mysql-checks.ts'
import { isNew, sqliteChecks } from './sqlite-checks.ts'

const LIMIT_MS = 10_000
const NOT_REACHED = 'the database is not reached'

const COMMON = ['version', 'schema', 'engine', 'restore', 'clock']

/** Returns 11 or 12 findings. If the doctor cannot connect, checks that need the database are `unknown`. */
export async function databaseChecks({ config, faults }: Examined): Promise<Finding[]> {
  const { databaseUrl } = config
  if (faults.some((fault) => fault.startsWith('DATABASE_URL'))) return unreached(MYSQL_CHECKS, NO_ADDRESS)
  const isFile = databaseUrl.startsWith('sqlite:')
  const ofFile = isFile ? sqliteChecks(sqlitePath(databaseUrl)) : []
  if (isFile && isNew(sqlitePath(databaseUrl))) {
    const later = 'gloss serve makes it'
    return [
      ok('database', `the file ${sqlitePath(databaseUrl)} is not there yet: ${later}`),
      ...COMMON.map((check) => ok(check, later)),
      ...ofFile,
    ]
  }
  const probe = openProbe(databaseUrl, LIMIT_MS)
  try {
    const began = performance.now()
    await probe.ask('SELECT 1')
    const took = Math.ceil(performance.now() - began)
    return [
      ok('database', `${whereabouts(databaseUrl)} answers, after ${took} ms`),
      await version(probe, isFile),
      await schema(probe),
      await engine(databaseUrl),
      await restored(probe),
      await clock(probe, isFile),
      ...(isFile ? ofFile : await mysqlChecks(probe, config)),
    ]
  } catch (error) {
    const trouble = startTrouble(error, config)
    return isFile ? [...unreached([], trouble), ...ofFile] : unreached(MYSQL_CHECKS, trouble)
  } finally {
    probe.close()
  }
}

const NO_ADDRESS: Trouble = {
  what: 'DATABASE_URL says no database',
  remedy: 'correct it as the check of the configuration says',
}

const unreached = (checks: readonly string[], trouble: Trouble): Finding[] => [
  failure('database', trouble),
  ...[...COMMON, ...checks].map((check) => unknown(check, NOT_REACHED)),
]

async function version(probe: Probe, isFile: boolean): Promise<Finding> {
  const text = isFile ? 'sqlite_version()' : 'VERSION()'
  const [row] = (await probe.ask(`SELECT ${text} AS version`)) as readonly { version: string }[]
  const name = String(row?.version)
  return isFile ? ok('version', `SQLite ${name}`) : versionOf(name)
}

async function schema(probe: Probe): Promise<Finding> {
  return schemaOf(await appliedMigrations(probe))
}

/** Judges a schema by the migrations that the store has had. */
export function schemaOf(done: readonly string[]): Finding {
  const { relation, obstacle = '', later } = fitOf(done)
  switch (relation) {
    case 'newer':
      return failure('schema', { what: `it is ${obstacle}`, remedy: 'run the version that made it' })
    case 'fits': {
      const added = later.length === 0 ? '' : `, and a later version has added ${later.join(', ')}`
      return ok('schema', `it is that of this version, ${SCHEMA}${added}`)
    }
    default:
      return warning(
        'schema',
        relation === 'new' ? obstacle : `it is ${obstacle}`,
        'gloss migrate brings it up to date, as does gloss serve; gloss migrate --plan says how',
      )
  }
}

/** Tries the same operations as the service at its start; it needs a schema for them. */
async function engine(databaseUrl: string): Promise<Finding> {
  const results = await tryProofs(databaseUrl).catch(() => [])
  const failed = results.find(({ state }) => state === 'fails')
  if (failed !== undefined)
    return failure('engine', {
      what: refusal(failed.proof),
      remedy: 'use an engine, or a version of it, that docs/databases.md names',
    })
  const held = results.filter(({ state }) => state === 'holds').length
  return results.length === 0 || held < results.length
    ? unknown(
        'engine',
        `${held} of ${results.length} things that the service relies on hold, and the others could not be tried`,
      )
    : ok('engine', `all ${held} things that the service relies on hold`)
}

async function restored(probe: Probe): Promise<Finding> {
  // The store keeps texts as octets.
  const kind = `x'${Buffer.from(RESTORING).toString('hex')}'`
  const rows = await probe
    .ask(`SELECT kind FROM id_blocks WHERE kind = ${kind}`)
    // A store without tables has no unfinished restore, and the check of the schema reports the missing tables.
    .catch(() => [])
  return rows.length === 0
    ? ok('restore', 'none was broken off')
    : failure('restore', {
        what: 'a restore was broken off, and no service starts on what it left',
        remedy: 'gloss restore --anew, with the same backup',
      })
}

/**
 * The instances take the times of values from their own clocks, which should agree with each other and with the database.
 */
async function clock(probe: Probe, isFile: boolean): Promise<Finding> {
  const now = isFile ? `(julianday('now') - 2440587.5) * 86400` : 'UNIX_TIMESTAMP(NOW(6))'
  const before = Date.now()
  const [row] = (await probe.ask(`SELECT ${now} AS seconds`)) as readonly { seconds: unknown }[]
  const middle = (before + Date.now()) / 2
  return clockOf(Number(row?.seconds) * 1000 - middle)
}

const MOST_APART_MS = 2000

/** Judges the number of milliseconds by which the clock of the database is ahead. */
export function clockOf(aheadMs: number): Finding {
  const apart = Math.abs(aheadMs)
  const seconds = `${(apart / 1000).toFixed(1)} s`
  return apart <= MOST_APART_MS
    ? ok('clock', `it agrees with that of the database, within ${seconds}`)
    : warning(
        'clock',
        `the database is ${seconds} ${aheadMs > 0 ? 'ahead' : 'behind'}`,
        'set both by NTP: times of values come from this machine',
      )
}
