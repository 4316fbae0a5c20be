/**
 * Tests the service under chaos with a model (`npm run chaos`). Clients write and read concurrently through instances on
 * a MariaDB, or on three nodes of Galera or of MySQL Group Replication. Meanwhile the script kills, freezes, disconnects
 * and restarts instances and databases. No acknowledged write may be lost, no refused write may be visible, no write may
 * be partial, no closed value may be readable, and at the end `gloss check` must find no violation.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../test/search/random.ts'
import { Clients } from './chaos/clients.ts'
import type { Harms } from './chaos/database.ts'
import { KINDS } from './chaos/databases.ts'
import { Tally } from './chaos/history.ts'
import { countStale } from './chaos/stale.ts'
import { World } from './chaos/world.ts'
import { argumentsOf, oneOf, option, optional, positive, wholeNumber } from './usage.ts'

const ROOT = dirname(import.meta.dirname)
/** The average pause between two faults, in milliseconds. */
const PAUSE_MS = 2000

/** Injects random faults until the time is over; returns the count of each. */
async function doHarm(harms: Harms, random: Random, milliseconds: number): Promise<Map<string, number>> {
  const done = new Map<string, number>()
  const names = random.shuffled(Object.keys(harms))
  const end = performance.now() + milliseconds
  // In a run of sufficient length each fault occurs at least once.
  for (let i = 0; performance.now() < end; i++) {
    await sleep(2 * PAUSE_MS * random.next())
    const name = names[i] ?? random.pick(names)
    await harms[name]?.()
    done.set(name, (done.get(name) ?? 0) + 1)
    const minutes = ((milliseconds - end + performance.now()) / 60_000).toFixed(1)
    if (process.stderr.isTTY) process.stderr.write(`\r${minutes} minutes, ${name}`.padEnd(60))
  }
  return done
}

async function chaos(world: World, random: Random, milliseconds: number): Promise<Tally> {
  const tally = new Tally()
  const clients = new Clients(world.urls, tally, random.fork())
  const running = clients.run()
  const harms = await Promise.race([
    doHarm(world.harms(), random, milliseconds),
    running.then(() => new Map()),
  ])
  await world.ready()
  clients.stop()
  await running
  await clients.checkAll()
  checkStore(world, tally)
  for (const fault of await world.faults()) tally.violated(fault)
  tally.requireAllChecked()
  print(tally, harms)
  return tally
}

function checkStore(world: World, tally: Tally): void {
  for (const [i, url] of world.checkedUrls.entries()) {
    const check = spawnSync(process.execPath, [join(ROOT, 'dist', 'command', 'gloss.js'), 'check'], {
      env: { PATH: process.env['PATH'], DATABASE_URL: url },
      encoding: 'utf8',
    })
    if (check.status !== 0)
      tally.violated(`gloss check, server ${String(i + 1)}:\n${check.stdout}${check.stderr}`)
  }
}

function print(tally: Tally, harms: ReadonlyMap<string, number>): void {
  for (const [operation, { done, refused, unknown }] of tally.outcomes)
    console.log(
      `${operation.padEnd(20)} ${String(done)} done, ${String(refused)} refused, ${String(unknown)} unknown`,
    )
  for (const [name, times] of harms) console.log(`${name.padEnd(20)} ${String(times)} times`)
  for (const [rule, times] of tally.checks) console.log(`checked ${String(times).padStart(8)} times: ${rule}`)
  console.log(`violations: ${String(tally.violations.length)}`)
  for (const line of tally.violations.slice(0, 50)) console.log(`  ${line}`)
}

const values = argumentsOf({
  name: 'npm run chaos --',
  does: `Clients write and read through instances, while instances and databases are killed, frozen, cut off and restarted. Then
looks for acknowledged writes that are lost, and for what must not be seen.`,
  options: {
    database: option(
      oneOf('KIND', KINDS),
      'on what; galera and group-replication have three nodes (Debian)',
      'mariadb',
    ),
    minutes: option(positive, 'for how long', 3),
    'read-your-writes': optional(
      wholeNumber(1),
      'harms nothing, but reads at one instance, so many times, what another has acknowledged',
    ),
    seed: optional(
      wholeNumber(0),
      'asks and harms as a run that printed this seed, as far as the answers allow',
      'at random',
    ),
  },
})
const random = new Random(values.seed)
console.log(`seed ${String(random.seed)}`)
spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.ts')], { stdio: 'inherit' })
const times = values['read-your-writes']
const violations = await World.with(values.database, random.fork(), async (world) => {
  if (times !== undefined) return countStale(world.urls, times)
  return (await chaos(world, random, values.minutes * 60_000)).violations.length
})
process.exitCode = violations === 0 ? 0 : 1
