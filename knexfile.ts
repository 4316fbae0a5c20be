/** The knex command's view of the configuration: the same database and migrations as the service's. */
import type { Knex } from 'knex'
import { readConfig } from './src/settings/config.ts'
import { knexConfig } from './src/data/database/knex-config.ts'
import { migrationSource } from './src/data/store/migrate.ts'

const config: Knex.Config = {
  ...knexConfig(readConfig(process.env).databaseUrl),
  // Knex would take the mark of a migration that has begun for a missing file.
  migrations: { migrationSource, disableMigrationsListValidation: true },
}

export default config
