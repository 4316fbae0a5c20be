/** Brings the schema up to date and exits: for deployments that do so before starting any instance. */
import { readConfig } from './config.ts'
import { bootstrap } from './data/things/bootstrap.ts'
import { createStore } from './data/store/store.ts'

const store = createStore(readConfig(process.env).databaseUrl)
try {
  await store.migrate()
  await bootstrap(store)
  process.stdout.write('The schema is up to date.\n')
} finally {
  await store.close()
}
