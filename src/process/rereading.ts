/** What SIGHUP does to an instance without a terminal, and SIGUSR1 to any: it reads its files again, and goes on serving. */
import { waitsFor } from '../data/database/connection/waits.ts'
import { Hosts } from '../data/database/mysql/mysql-hosts.ts'
import type { Config } from '../settings/config.ts'
import { rereadWorkers } from './workers.ts'

/** The parts of the log that this file uses. */
interface Log {
  readonly reopen: () => void
  readonly report: (message: string, error?: unknown, expected?: boolean) => void
}

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databaseUrlFile'>

const isSqlite = (databaseUrl: string): boolean => databaseUrl.startsWith('sqlite:')

/** Makes connections look for another account in the file of the database URL whenever a server refuses theirs. */
export function watchAccount({ databaseUrl, databaseUrlFile: file }: DatabaseConfig): void {
  if (!isSqlite(databaseUrl)) Hosts.of(databaseUrl, { file })
}

/** Opens the log again, reads the account and the certificates of the database again, and makes all workers do so. */
export function reread(config: DatabaseConfig, log: Log): void {
  try {
    log.reopen()
  } catch (error) {
    log.report('SIGHUP: the log goes on in its former file', error, true)
  }
  rereadWorkers()
  void renewAccount(config, log)
}

async function renewAccount({ databaseUrl }: DatabaseConfig, log: Log): Promise<void> {
  if (isSqlite(databaseUrl)) return
  try {
    const isNew = await Hosts.of(databaseUrl).renew(waitsFor(0))
    if (isNew) log.report('SIGHUP: the account in DATABASE_URL_FILE is in use from now on', undefined, true)
  } catch (error) {
    log.report('SIGHUP: the account of the database stays as it was', error, true)
  }
}
