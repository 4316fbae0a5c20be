/**
 * Backs up a service under writes, restores the backup on SQLite and on a private MySQL-protocol server, and compares
 * every row (`npm run drill`).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { startMysqlServer } from '../test/support/mysql-server.ts'
import { drill, type DrillResult } from './drill/drill.ts'
import { argumentsOf, option, wholeNumber } from './usage.ts'

const { objects, writers } = argumentsOf({
  name: 'npm run drill --',
  does: 'Backs up a service under writes, restores it on SQLite and on a MySQL-protocol server, and compares every row.',
  options: {
    objects: option(wholeNumber(1), 'how many objects have values', 5000),
    writers: option(wholeNumber(1), 'how many clients write during the backup', 8),
  },
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints the comparison; returns whether no write is lost and no row differs. */
function report({ acknowledged, lost, comparisons }: DrillResult): boolean {
  const cells = comparisons.flatMap(({ tables }) => tables)
  for (const [i, { tables }] of comparisons.entries()) {
    print(`\nCopy ${String(i + 1)}, compared with the source:`)
    for (const { table, rows, differences, examples } of tables) {
      print(
        `  ${table.padEnd(24)}${rows.toLocaleString('en').padStart(10)} rows, ${String(differences)} differences`,
      )
      for (const example of examples) print(`    ${example}`)
    }
  }
  const differences = cells.reduce((sum, table) => sum + table.differences, 0)
  print(
    `\n${String(acknowledged)} acknowledged values, ${String(lost)} lost; ${String(differences)} differences.`,
  )
  return lost === 0 && differences === 0
}

const folder = mkdtempSync(join(tmpdir(), 'gloss-drill-'))
const server = await startMysqlServer()
try {
  const connection = await createConnection(server.url)
  for (const name of ['under_writes', 'copy', 'source']) await connection.query(`CREATE DATABASE ${name}`)
  await connection.end()
  const onMysql = (name: string): string => new URL(`/${name}`, server.url).href
  const onSqlite = (name: string): string => `sqlite:${join(folder, `${name}.db`)}`
  const both = { objects, writers, tell: print }
  const results = [
    await drill({
      ...both,
      source: onSqlite('source'),
      underWrites: onMysql('under_writes'),
      copies: [onMysql('copy'), onSqlite('back')],
    }),
    await drill({
      ...both,
      source: onMysql('source'),
      underWrites: onSqlite('under_writes'),
      copies: [onSqlite('copy')],
    }),
  ]
  if (!results.map(report).every((good) => good)) process.exitCode = 1
} finally {
  await server.stop()
  rmSync(folder, { recursive: true })
}
