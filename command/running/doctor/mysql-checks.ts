/** The checks of the doctor for a server that speaks the MySQL protocol: its version and 5 settings. */
import type { Config } from '../../../src/settings/config.ts'
import { MAX_CONNECTIONS } from '../../../src/data/database/knex-config.ts'
import { readMysqlUrl } from '../../../src/data/database/mysql/mysql-address.ts'
import type { Probe } from '../../../src/data/database/probe.ts'
import {
  isOn,
  missingDurability,
  serverSettings,
  type ServerSettings,
} from '../../../src/data/store/durability.ts'
import { failure, MIB, ok, size, unknown, warning, type Finding } from './finding.ts'
import { isLoopback } from './loopback.ts'

export const MYSQL_CHECKS = ['writable', 'packets', 'durability', 'encryption', 'connections'] as const

/** The oldest supported versions (README). */
const LEAST = { MariaDB: [10, 11], MySQL: [8, 4] } as const

/** Judges the version string of a server. */
export function versionOf(name: string): Finding {
  const kind = /mariadb/i.test(name) ? 'MariaDB' : 'MySQL'
  const [major = 0, minor = 0] = (/(?:5\.5\.5-)?(?<!\d)(\d+)\.(\d+)/.exec(name)?.slice(1) ?? []).map(Number)
  const [leastMajor, leastMinor] = LEAST[kind]
  if (/tidb|vitess/i.test(name)) {
    return warning('version', `${name} is tested little or not at all`, 'read docs/databases.md about it')
  }
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
    ? ok('version', `${kind} ${name}`)
    : warning(
        'version',
        `${kind} ${name} is older than what is tested`,
        `use ${kind} ${leastMajor}.${leastMinor} or later`,
      )
}

const ASKED = [
  ...['read_only', 'super_read_only', 'innodb_read_only', 'max_allowed_packet', 'max_connections'],
  ...['innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin'],
]

export async function mysqlChecks(probe: Probe, config: Config): Promise<Finding[]> {
  const settings = await serverSettings(probe, ASKED)
  return [
    writable(settings),
    packets(settings, config),
    durability(settings),
    encryption(config),
    connections(settings, config),
  ]
}

export function writable(settings: ServerSettings): Finding {
  const why = ['read_only', 'super_read_only', 'innodb_read_only'].find((name) => isOn(settings[name]))
  return why === undefined
    ? ok('writable', 'the server is not read-only')
    : failure('writable', {
        what: `the server is read-only (${why})`,
        remedy: 'name the server that writes, or switch it off there',
      })
}

const LEAST_PACKET = 16 * MIB

export function packets(settings: ServerSettings, { maxBodyBytes }: Pick<Config, 'maxBodyBytes'>): Finding {
  const { max_allowed_packet: value } = settings
  if (value === undefined) return unknown('packets', 'the server does not say')
  const most = Number(value)
  const wanted = Math.max(LEAST_PACKET, maxBodyBytes)
  const found = `max_allowed_packet is ${size(most)}`
  return most >= wanted
    ? ok('packets', found)
    : warning('packets', found, `set it to at least ${size(wanted)}: long values are refused otherwise`)
}

export function durability(settings: ServerSettings): Finding {
  const missing = missingDurability(settings)
  return missing.length === 0
    ? ok('durability', 'what is acknowledged is on the disk')
    : warning('durability', 'a crash loses what was acknowledged last', `set ${missing.join(' and ')}`)
}

export function encryption({ databaseUrl }: Pick<Config, 'databaseUrl'>): Finding {
  const { hosts, encryption: chosen } = readMysqlUrl(databaseUrl)
  if (hosts.every(({ name }) => isLoopback(name))) return ok('encryption', 'the server is on this machine')
  if (chosen.mode === 'DISABLED') {
    return warning(
      'encryption',
      'the way to the server is not encrypted',
      'add ssl-mode=VERIFY_IDENTITY to DATABASE_URL, unless the network is yours alone',
    )
  }
  return chosen.mode === 'REQUIRED'
    ? warning(
        'encryption',
        'ssl-mode=REQUIRED encrypts, but anybody may pretend to be the server',
        'use VERIFY_IDENTITY, or VERIFY_CA',
      )
    : ok('encryption', chosen.mode)
}

/**
 * The most connections that one process opens outside migrations, and a few for migrations, health checks and
 * administrators.
 */
const OF_A_PROCESS = Object.values(MAX_CONNECTIONS.mysql).reduce(
  (sum, most) => sum + most,
  -MAX_CONNECTIONS.mysql.migrate,
)
const OTHERS = 5

export function connections(settings: ServerSettings, { workers }: Pick<Config, 'workers'>): Finding {
  const { max_connections: value } = settings
  if (value === undefined) return unknown('connections', 'the server does not say')
  const wanted = workers * OF_A_PROCESS + OTHERS
  const found = `max_connections is ${value}, of which this instance may take ${wanted}`
  return Number(value) >= wanted
    ? ok('connections', found)
    : warning('connections', found, 'raise it, or lower WORKERS')
}
