/** Files that a running instance reads again. */
import { Hosts } from '../data/database/mysql/mysql-hosts.ts'
import type { Config } from '../settings/config.ts'

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databaseUrlFile'>

const isSqlite = (databaseUrl: string): boolean => databaseUrl.startsWith('sqlite:')

/** Makes connections look for another account in the file of the database URL whenever a server refuses theirs. */
export function watchAccount({ databaseUrl, databaseUrlFile: file }: DatabaseConfig): void {
  if (!isSqlite(databaseUrl)) Hosts.of(databaseUrl, { file })
}
