/** Brings the schema up to date and exits: for deployments that do so before starting any instance. */
import { readConfig } from './config.ts'
import { untilReachable } from './data/database/reachable.ts'
import { bootstrap } from './data/things/bootstrap.ts'
import { createStore } from './data/store/store.ts'
import { startFailure } from './start-failure.ts'

const config = readConfig(process.env)
const store = createStore(config.databaseUrl)
try {
  await untilReachable(config.databaseUrl, config.startupWaitMs, (reason) => {
    process.stdout.write(`Waiting for the database: ${startFailure(reason, config)}\n`)
  })
  await store.migrate()
  await bootstrap(store)
  process.stdout.write('The schema is up to date.\n')
} catch (error) {
  process.exitCode = 1
  process.stderr.write(`${startFailure(error, config)}\n`)
} finally {
  await store.close()
}
