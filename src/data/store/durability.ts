/** Finds server settings with which a crash would lose acknowledged writes. */
import { openProbe, type Probe } from '../database/probe.ts'

/** Settings of a server, by name. */
export type ServerSettings = Readonly<Record<string, string>>

const ASKED = ['innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin']

const LIMIT_MS = 2000

/** The values of settings; without those that the server does not have. */
export async function serverSettings(probe: Probe, names: readonly string[]): Promise<ServerSettings> {
  const quoted = names.map((name) => `'${name}'`).join(', ')
  const rows = (await probe.ask(`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${quoted})`)) as readonly {
    Variable_name: string
    Value: string
  }[]
  return Object.fromEntries(rows.map((row) => [row.Variable_name.toLowerCase(), row.Value]))
}

/** Whether a switch is on. */
export const isOn = (value: string | undefined): boolean => value === 'ON' || value === '1'

/** The settings that a server with these settings needs, so that a crash does not lose the last acknowledged writes. */
export function missingDurability(settings: ServerSettings): string[] {
  const { innodb_flush_log_at_trx_commit: flush, sync_binlog: sync, log_bin: binlog } = settings
  return [
    ...(flush !== undefined && flush !== '1' ? ['innodb_flush_log_at_trx_commit = 1'] : []),
    ...(isOn(binlog) && sync !== undefined && sync !== '1' ? ['sync_binlog = 1'] : []),
  ]
}

/** Warnings about a database at the start; none if the database does not report its settings. */
export async function durabilityWarnings(databaseUrl: string): Promise<string[]> {
  if (databaseUrl.startsWith('sqlite:')) return []
  const probe = openProbe(databaseUrl, LIMIT_MS)
  const settings = await serverSettings(probe, ASKED)
    .catch(() => ({}))
    .finally(() => {
      probe.close()
    })
  const missing = missingDurability(settings)
  return missing.length === 0
    ? []
    : [
        `Warning: a crash of the database server loses what was acknowledged last: set ${missing.join(' and ')} there`,
      ]
}
