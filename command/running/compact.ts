/** `gloss compact`: returns the room of deleted values to the disk, while the service runs. */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqlitePath } from '../../src/data/database/sqlite/sqlite-file.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { rebuild, rebuilding, tableSizes, type TableSize } from '../../src/data/maintenance/rebuilding.ts'
import { emptyLog } from '../../src/data/operations/free-pages.ts'
import { purge } from '../../src/data/operations/purge.ts'
import type { Store } from '../../src/data/store/store.ts'
import { STATUS } from '../../common/failure.ts'
import { whereabouts } from '../../src/process/start-failure.ts'
import { readSettings } from '../settings/settings.ts'
import { tell } from '../terminal/terminal.ts'
import { size } from './doctor/finding.ts'
import { onStore, print } from './kept-store.ts'

interface Options {
  readonly run?: true
}

export async function run(_args: readonly string[], options: Options): Promise<number> {
  const { databaseUrl } = readSettings()
  tell(`The store is ${whereabouts(databaseUrl)}.`)
  return onStore((store) =>
    databaseUrl.startsWith('sqlite:')
      ? compactFile(store, sqlitePath(databaseUrl))
      : compactTables(store, databaseUrl, options),
  )
}

/** The time between two lines about the progress, in milliseconds. */
const PACE_MS = 1000

async function compactFile(store: Store, file: string): Promise<number> {
  print(`before  ${sizes(file)}`)
  let next = performance.now() + PACE_MS
  await purge(store, SERVICE, (pages) => {
    if (performance.now() < next) return
    next += PACE_MS
    tell(`${pages.toLocaleString('en')} free pages are left`)
  })
  const emptied = await emptiedLog(store)
  print(`after   ${sizes(file)}`)
  if (emptied) return STATUS.done
  tell(
    'A reader, such as a backup, still needs the log. The file gets shorter once it has ended, at the next write.',
  )
  return STATUS.partly
}

const sizes = (file: string): string => {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  return `${size(statSync(file).size)} in the file, ${size(log)} in its write-ahead log`
}

const TRIES = 30

/** Waits for short readers. */
async function emptiedLog(store: Store): Promise<boolean> {
  for (let tries = 1; tries < TRIES; tries++) {
    if (await emptyLog(store)) return true
    await sleep(100)
  }
  return emptyLog(store)
}

async function compactTables(store: Store, databaseUrl: string, { run: runs }: Options): Promise<number> {
  if (runs) await purge(store, SERVICE)
  const tables = await tableSizes(databaseUrl)
  if (!runs) {
    for (const line of planOf(tables)) print(line)
    return STATUS.done
  }
  print(`before  ${listed(tables)}`)
  for (const { name } of tables) {
    tell(rebuilding(name))
    await rebuild(databaseUrl, name)
  }
  print(`after   ${listed(await tableSizes(databaseUrl))}`)
  return STATUS.done
}

const bytesOf = ({ rows, indexes }: TableSize): number => rows + indexes

const listed = (tables: readonly TableSize[]): string =>
  tables.map((table) => `${table.name} ${size(bytesOf(table))}, ${size(table.free)} free`).join('; ')

const planOf = (tables: readonly TableSize[]): string[] => [
  'The server makes each table anew, the smallest first; its estimates are:',
  ...tables.map(
    (table) =>
      `  ${`${rebuilding(table.name)};`.padEnd(28)} ${size(bytesOf(table))}, and ${size(table.free)} free in its file`,
  ),
  `Room: up to ${size(Math.max(0, ...tables.map(bytesOf)))} for the new table beside the old one, and up to ${size(Math.max(0, ...tables.map(({ indexes }) => indexes)))} in the server's tmpdir.`,
  'Meanwhile requests are served. At the beginning and the end of each statement the table is locked for a moment, and',
  'requests wait for up to 5 seconds if another transaction is reading it: stop backups and checks first. On Galera all',
  'writes wait until a statement ends; a replica repeats it, and lags for as long.',
  'gloss compact --run runs the statements.',
]
