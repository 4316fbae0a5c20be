/**
 * Runs the tests about stores on TiDB (`npm run test:tidb`), in one process with its own small store. The script builds
 * TiDB once from its Go module into var/tidb, which takes 10 minutes and more (Go 1.23 or later), unless `TIDB_SERVER`
 * names a program. Then 24 writers contend for 20 s, and none may get a 500.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contend } from './tidb/contention.ts'
import { buildTidb, startTidb } from './tidb/server.ts'
import { argumentsOf, operand, several, text } from './usage.ts'

const ROOT = dirname(import.meta.dirname)
const FOLDERS = ['test/contract', 'test/data', 'test/behaviour', 'test/search', 'test/permissions']

/** The tests that do not run on TiDB, and the reasons. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'test/data/cannot-write.test.ts': 'starts a server of its own, with settings of MariaDB and MySQL',
  'test/data/hosts.test.ts': 'starts a primary and a replica of its own',
  'test/data/refused-account.test.ts': 'starts a server of its own',
  'test/data/tls.test.ts': 'starts a server of its own, with certificates',
}

const { places } = argumentsOf({
  name: 'npm run test:tidb --',
  does: `Runs tests about stores on one process of TiDB, which it builds once into var/tidb unless TIDB_SERVER names a program
(Go 1.23 or later). If all of them run, writers then contend, and none may get a 500.`,
  options: {
    places: operand(several(text('PLACE'), 'a folder or a file of tests', FOLDERS)),
  },
})

async function runTests(server: string, selection: readonly string[]): Promise<boolean> {
  const files = globSync(
    selection.map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.test.ts`)),
    {
      cwd: ROOT,
    },
  )
  for (const [file, reason] of Object.entries(LEFT_OUT))
    if (files.includes(file)) console.log(`Left out: ${file}, which ${reason}`)
  const chosen = files.filter((file) => !(file in LEFT_OUT))
  const args = [join(ROOT, 'scripts', 'test.ts'), ...chosen, '--selectProjects', 'mysql']
  const env = { ...process.env, TEST_DATABASE_URL: server }
  const tests = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' })
  const [code] = (await once(tests, 'exit')) as [number | null]
  return code === 0
}

/** Returns whether no writer got a 500. */
async function runContention(server: string): Promise<boolean> {
  const counts = await contend(server)
  console.log('\nWhat writers got who all wanted the same:')
  for (const [what, count] of [...counts].sort()) console.log(`  ${what.padEnd(40)} ${String(count)}`)
  return [...counts.keys()].every((what) => !what.endsWith(': 500'))
}

// The server ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const tidb = await startTidb(process.env['TIDB_SERVER'] ?? buildTidb(join(ROOT, 'var', 'tidb')))
try {
  console.log(`The server is ${tidb.version}`)
  const passed = await runTests(tidb.url, places)
  const unharmed = places !== FOLDERS || (await runContention(tidb.url))
  process.exitCode = passed && unharmed ? 0 : 1
} finally {
  await tidb.stop()
}
