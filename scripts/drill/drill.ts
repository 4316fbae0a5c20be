/**
 * The drill: it backs up a service under writes, restores the backup on another database and compares it. Then it passes
 * the backup from database to database, and compares each copy with the source row by row.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from '../../src/data/database/connection/sql.ts'
import { createStore } from '../../src/data/store/store.ts'
import { SERVICE } from '../../src/data/entities/users.ts'
import { sha256 } from '../../src/data/values/encoding.ts'
import { INHERITED, listening, programFile, runProcess } from '../../test/support/process.ts'
import { compareStores, type Comparison } from './compare.ts'
import { ADMIN_PASSWORD, fill, WRITTEN, Writers, type Acknowledged } from './load.ts'

/** Empty databases: the service runs on `source`, and each copy is restored from the copy before it. */
export interface DrillOptions {
  readonly source: string
  /** The database for the backup that the drill makes during writes. */
  readonly underWrites: string
  readonly copies: readonly string[]
  readonly objects: number
  readonly writers: number
  readonly tell: (line: string) => void
}

export interface DrillResult {
  /** The number of values that were acknowledged before the backup under writes began. */
  readonly acknowledged: number
  /** The number of these that the backup lacks. */
  readonly lost: number
  /** The number of writes that were acknowledged during the backup. */
  readonly meanwhile: number
  /** The comparison of each copy with the source. */
  readonly comparisons: readonly { readonly url: string; readonly tables: readonly Comparison[] }[]
}

const ROOT = dirname(dirname(import.meta.dirname))

/** The number of acknowledged writes before the backup begins, for each writer. */
const WRITES_BEFORE = 25

/** Runs the drill. It does not empty the databases afterwards. */
export async function drill(options: DrillOptions): Promise<DrillResult> {
  const folder = await mkdtemp(join(tmpdir(), 'gloss-drill-'))
  try {
    const underWrites = await backUpUnderWrites(options, join(folder, 'under-writes.gz'))
    const comparisons: DrillResult['comparisons'][number][] = []
    let from = options.source
    for (const [i, url] of options.copies.entries()) {
      await carry(options, { from, to: url, file: join(folder, `copy-${String(i)}.gz`) })
      comparisons.push({ url, tables: await compared(options.source, url) })
      from = url
    }
    return { ...underWrites, comparisons }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function backUpUnderWrites(
  { source, underWrites, objects, writers: count, tell }: DrillOptions,
  file: string,
): Promise<Pick<DrillResult, 'acknowledged' | 'lost' | 'meanwhile'>> {
  const service = runProcess({ DATABASE_URL: source, ADMIN_PASSWORD })
  const port = await listening(service)
  if (Number.isNaN(port)) throw new Error(`the service did not start:\n${service.printed()}`)
  const url = `http://127.0.0.1:${String(port)}`
  try {
    await fill(url, objects)
    tell(`The service runs on ${kindOf(source)}, with values on ${objects.toLocaleString('en')} objects.`)
    const writers = new Writers(url, count)
    await writers.further(count * WRITES_BEFORE)
    const before = writers.acknowledged()
    const begun = writers.count
    await gloss(source, 'backup', '--to', file)
    const meanwhile = writers.count - begun
    await writers.stop()
    tell(`Backed up while ${String(meanwhile)} more writes were acknowledged.`)
    await gloss(underWrites, 'restore', '--from', file)
    const lost = await lostIn(underWrites, before)
    tell(
      `Restored on ${kindOf(underWrites)}: of ${String(before.size)} acknowledged values ${String(lost)} are lost.`,
    )
    return { acknowledged: before.size, lost, meanwhile }
  } finally {
    service.process.kill('SIGTERM')
    await service.end
  }
}

/** The number of values that are missing or older than the acknowledged ones. */
async function lostIn(url: string, acknowledged: Acknowledged): Promise<number> {
  const store = createStore(url)
  try {
    const rows = await store.read(SERVICE, (tx) =>
      tx.all<{ about_hash: Buffer; content: Buffer }>(sql`
        SELECT a.about_hash, v.content FROM about_values a
        JOIN tag_values v ON v.object_id = a.object_id JOIN tags t ON t.id = v.tag_id WHERE t.path = ${WRITTEN}`),
    )
    const stored = new Map(
      rows.map((row) => [row.about_hash.toString('hex'), Number(row.content.toString())]),
    )
    const isLost = ([about, number]: readonly [string, number]): boolean =>
      (stored.get(sha256(about).toString('hex')) ?? -1) < number
    return [...acknowledged].filter(isLost).length
  } finally {
    await store.close()
  }
}

interface Carrying {
  readonly from: string
  readonly to: string
  readonly file: string
}

async function carry({ tell }: DrillOptions, { from, to, file }: Carrying): Promise<void> {
  await gloss(from, 'backup', '--to', file)
  const { size } = await stat(file)
  await gloss(to, 'restore', '--from', file)
  tell(
    `From ${kindOf(from)} to ${kindOf(to)}: a backup of ${size.toLocaleString('en')} octets, restored and checked.`,
  )
}

async function compared(one: string, other: string): Promise<Comparison[]> {
  const stores = [createStore(one), createStore(other)] as const
  try {
    return await compareStores(...stores)
  } finally {
    for (const store of stores) await store.close()
  }
}

const kindOf = (url: string): string => (url.startsWith('sqlite:') ? 'SQLite' : 'MySQL')

/** Runs a subcommand of `gloss` on a database. Throws its output if it fails. */
async function gloss(url: string, name: string, ...args: readonly string[]): Promise<void> {
  const env = { ...INHERITED, DATABASE_URL: url }
  const child = spawn(process.execPath, [programFile('command/gloss'), name, ...args], { cwd: ROOT, env })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`gloss ${name} ended with ${String(code)}:\n${printed}`)
}
