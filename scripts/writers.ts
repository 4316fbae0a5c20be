/**
 * Measures how many values per second concurrent writers can write under one tag (`npm run writers`): 1, 4, 16 and 64
 * writers, each on objects of its own, first new objects and then the same again, through all instances that
 * scripts/chaos starts. Prints a row of a table for each.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { loadavg } from 'node:os'
import { Random } from '../test/search/random.ts'
import { PRIMITIVE } from './chaos/asking.ts'
import { KINDS } from './chaos/databases.ts'
import { PASSWORD } from './chaos/instance.ts'
import { World } from './chaos/world.ts'
import { argumentsOf, oneOf, option, positive } from './usage.ts'

const WRITERS = [1, 4, 16, 64]
const HEADERS = { authorization: `Basic ${btoa(`service:${PASSWORD}`)}`, 'content-type': PRIMITIVE }

/** The results of one measurement. */
interface Outcome {
  perSecond: number
  /** In milliseconds. */
  median: number
  slowest: number
  failed: number
  /** How often a writer waited for a row lock of another one, and how often a deadlock made one retry. */
  waits: number
  conflicts: number
}

const WAITS = ['Innodb_row_lock_waits']
const CONFLICTS = ['Innodb_deadlocks', 'wsrep_local_cert_failures', 'wsrep_local_bf_aborts']

const { database, seconds } = argumentsOf({
  name: 'npm run writers --',
  does: `Measures how many values a second ${WRITERS.join(', ')} writers at a time write under one tag, each on objects of its own.`,
  options: {
    database: option(
      oneOf('KIND', KINDS),
      'on what; galera and group-replication have three nodes (Debian)',
      'mariadb',
    ),
    seconds: option(positive, 'for how long each number of writers writes', 10),
  },
})

/** Writes one value after the other until the time is over. `aboutOf` names the object of a turn. */
async function write(url: string, end: number, aboutOf: (turn: number) => string): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; performance.now() < end; turn++) {
    const start = performance.now()
    const path = `/about/${aboutOf(turn)}/service/writers/number`
    const answer = await fetch(url + path, { method: 'PUT', headers: HEADERS, body: String(turn) })
    await answer.arrayBuffer()
    times.push(answer.ok ? performance.now() - start : Number.NaN)
  }
  return times
}

async function measure(
  world: World,
  writers: number,
  aboutOf: (writer: number, turn: number) => string,
): Promise<Outcome> {
  const { urls } = world
  const [waits, conflicts] = [await world.counted(WAITS), await world.counted(CONFLICTS)]
  const end = performance.now() + seconds * 1000
  const times = await Promise.all(
    Array.from({ length: writers }, (_, i) =>
      write(urls[i % urls.length] ?? '', end, (turn) => aboutOf(i, turn)),
    ),
  )
  const done = times.flat().filter((time) => !Number.isNaN(time))
  done.sort((a, b) => a - b)
  return {
    perSecond: done.length / seconds,
    median: done[Math.floor(done.length / 2)] ?? 0,
    slowest: done.at(-1) ?? 0,
    failed: times.flat().length - done.length,
    waits: (await world.counted(WAITS)) - waits,
    conflicts: (await world.counted(CONFLICTS)) - conflicts,
  }
}

function print(writers: number, what: string, outcome: Outcome): void {
  const { perSecond, median, slowest, failed, waits, conflicts } = outcome
  const cells = [perSecond, median, slowest, failed, waits, conflicts].map((cell) =>
    cell.toFixed(0).padStart(7),
  )
  console.log(`| ${String(writers).padStart(3)} | ${what.padEnd(8)} | ${cells.join(' | ')} |`)
}

async function measureAll(world: World): Promise<void> {
  // Creates the tag, so that all writers write the same one.
  await write(world.urls[0] ?? '', performance.now() + 1, () => 'first')
  console.log(
    `load before: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  )
  console.log('| writers | values | a second | median ms | slowest ms | failed | waits | conflicts |')
  for (const writers of WRITERS) {
    const fresh = (writer: number, turn: number): string => [writers, writer, turn].join('-')
    print(writers, 'new', await measure(world, writers, fresh))
    const same = (writer: number): string => [writers, writer].join('-')
    print(writers, 'replaced', await measure(world, writers, same))
  }
}

spawnSync(process.execPath, [join(dirname(import.meta.dirname), 'scripts', 'build.ts')], { stdio: 'inherit' })
await World.with(database, new Random(), measureAll)
